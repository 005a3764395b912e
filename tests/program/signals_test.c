/*
 * Signals during work: the program leaves nothing behind, and ends as if by the signal. A model file that becomes
 * shorter while it is mapped ends the program with one line.
 */
#include "signals.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "output.h"
#include "paths.h"
#include "program.h"
#include "test.h"

enum { PATH_BYTES = 1024, PATIENCE = 60000, ATTEMPTS = 20 }; /* in ms */

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void copy_name(char out[PATH_BYTES], const char *folder, const char *name)
{
    assert_true(snprintf(out, PATH_BYTES, "%s/%s", folder, name) < PATH_BYTES);
}

/* Makes an empty folder; returns its path in static storage. */
static const char *fresh_folder(const char *name)
{
    static char folder[PATH_BYTES];
    snprintf(folder, sizeof folder, "%s", temp_path(name));
    assert_int_equal(mkdir(folder, 0700), 0);
    return folder;
}

/* Lets the program begin a file or folder, and expects a signal to make it remove that. */
static void end_in_the_midst(const char *folder, const char *const *argv, int number)
{
    const pid_t pid = program_start(argv, "/dev/null", "/dev/null", "/dev/null");
    for (int i = 0; i < PATIENCE && names_in(folder, "") == 0; i++)
        sleep_ms(1);
    assert_int_equal(names_in(folder, ""), 1);
    sleep_ms(50); /* into the midst of it: of a folder, there are files in it */
    assert_int_equal(kill(pid, number), 0);
    assert_int_equal(program_wait(pid), 128 + number);
    assert_int_equal(names_in(folder, ""), 0);
}

/* Starts a synthesis of hours, and sends the signal as soon as there is something to leave behind. */
static void end_synth(int number)
{
    char out[PATH_BYTES], name[32];
    snprintf(name, sizeof name, "synth-%d", number);
    const char *folder = fresh_folder(name);
    copy_name(out, folder, "big.gguf");
    const char *const argv[] = {"inferno",
                                "synth",
                                "llama",
                                out,
                                "--type",
                                "Q4_K",
                                "--embedding_length",
                                "4096",
                                "--feed_forward_length",
                                "16384",
                                "--block_count",
                                "64",
                                NULL};
    end_in_the_midst(folder, argv, number);
}

TEST(a_signal_leaves_no_unfinished_file)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGABRT};
    for (size_t i = 0; i < N_OF(numbers); i++)
        end_synth(numbers[i]);
}

/* Starts an export of many folders; the program looks for the signal between their files. */
static void end_export(int number)
{
    char out[PATH_BYTES], name[32];
    snprintf(name, sizeof name, "export-%d", number);
    const char *folder = fresh_folder(name);
    copy_name(out, folder, "cases");
    const char *const argv[] = {"inferno", "conform", "export", out, "--cases", "100000", NULL};
    end_in_the_midst(folder, argv, number);
}

TEST(a_signal_leaves_no_unfinished_folder)
{
    end_export(SIGINT);
    end_export(SIGTERM);
}

static int has_ended(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

/* The result exists for a moment only, at the end, so a signal that comes too late is tried again. */
static void end_while_writing(const char *folder, const char *out, const char *const *argv)
{
    int status = 0;
    for (int i = 0; i < ATTEMPTS && status == 0; i++) {
        unlink(out);
        const pid_t pid = program_start(argv, "/dev/null", "/dev/null", "/dev/null");
        while (names_in(folder, "") == 0 && !has_ended(pid))
            sleep_ms(1);
        kill(pid, SIGINT);
        status = program_wait(pid);
    }
    assert_int_equal(status, 128 + SIGINT);
    assert_int_equal(names_in(folder, ""), 0);
}

TEST(nor_do_commands_that_write_at_the_end)
{
    enum { N_IDS = 400 };
    char model[PATH_BYTES], out[PATH_BYTES], ids[2 * N_IDS] = "1";
    for (size_t n = 1; n + 2 < sizeof ids; n += 2)
        memcpy(ids + n, ",1", 3);
    snprintf(model, sizeof model, "%s", temp_path("many-words.gguf"));
    program p = assert_runs("inferno", "synth", "llama", model, "--embedding_length", "64",
                            "--feed_forward_length", "96", "--vocab_size", "32000");
    program_free(&p);
    const char *folder = fresh_folder("results");
    copy_name(out, folder, "result");
    end_while_writing(folder, out,
                      (const char *const[]){"inferno", "logits", model, "--ids", ids, "--all",
                                            "--out", out, NULL});
    end_while_writing(folder, out,
                      (const char *const[]){"inferno", "generate", model, "-p", "a", "-n", "400",
                                            "--ignore-eos", "--backend", "trace:scalar", "--quiet",
                                            "--trace", out, NULL});
}

/* The signal comes before there is a report; the workers' processes leave nothing either. */
TEST(conform_leaves_no_report)
{
    char out[PATH_BYTES];
    const char *folder = fresh_folder("reports");
    copy_name(out, folder, "report.json");
    const char *const argv[] = {"inferno", "conform", "--backend", "scalar", "--profile",
                                "nightly", "--json",  out,         NULL};
    const pid_t pid = program_start(argv, "/dev/null", "/dev/null", "/dev/null");
    sleep_ms(300);
    assert_int_equal(kill(pid, SIGINT), 0);
    assert_int_equal(program_wait(pid), 128 + SIGINT);
    assert_int_equal(names_in(folder, ""), 0);
}

TEST(quantize_leaves_no_unfinished_file_either)
{
    char in[PATH_BYTES], out[PATH_BYTES];
    const char *folder = fresh_folder("quantize");
    copy_name(in, folder, "in.gguf");
    copy_name(out, folder, "out.gguf");
    program p =
        assert_runs("inferno", "synth", "llama", in, "--type", "F16", "--embedding_length", "1024",
                    "--feed_forward_length", "4096", "--block_count", "2", "--vocab_size", "300");
    program_free(&p);
    const char *const argv[] = {"inferno", "quantize", in, out, "Q3_K", NULL};
    const pid_t pid = program_start(argv, "/dev/null", "/dev/null", "/dev/null");
    for (int i = 0; i < PATIENCE && names_in(folder, "") == 1; i++)
        sleep_ms(1);
    assert_int_equal(kill(pid, SIGINT), 0);
    assert_int_equal(program_wait(pid), 128 + SIGINT);
    assert_int_equal(names_in(folder, ""), 1);
}

/* Returns the exit status of a program that makes a file, writes to the descriptor `broken`, a pipe that nobody
 * reads, and finishes the file. */
static int write_to_broken_pipe(int broken, const char *folder)
{
    int ends[2];
    char path[PATH_BYTES];
    copy_name(path, folder, "result");
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        output out;
        signals_init("test");
        if (pipe(ends) != 0 || dup2(ends[1], broken) < 0 || close(ends[0]) != 0 ||
            close(ends[1]) != 0 || output_open(&out, path, NULL) != IFN_OK)
            _exit(9);
        (void)!write(broken, "x", 1);
        _exit(output_write(&out, "abc", 3, NULL) == IFN_OK && output_finish(&out, NULL) == IFN_OK
                  ? 0
                  : 8);
    }
    return program_wait(pid);
}

TEST(a_pipe_without_a_reader_ends_results_not_messages)
{
    const char *folder = fresh_folder("pipe");
    assert_int_equal(write_to_broken_pipe(STDOUT_FILENO, folder), 128 + SIGPIPE);
    assert_int_equal(names_in(folder, ""), 0);
    assert_int_equal(write_to_broken_pipe(STDERR_FILENO, folder), 0);
    assert_int_equal(names_in(folder, ""), 1);
}

/* A signal that nohup made ignored stays ignored. */
TEST(an_ignored_signal_stays_ignored)
{
    struct sigaction now;
    signal(SIGHUP, SIG_IGN);
    signals_init("test");
    assert_int_equal(sigaction(SIGHUP, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_IGN);
    assert_int_equal(sigaction(SIGTERM, NULL, &now), 0);
    assert_true(now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN);
    signal(SIGHUP, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    for (int number = 1; number < SIGXCPU + 1; number++)
        signal(number, SIG_DFL);
}

/* Returns whether a process has mapped the file of this name. */
static int has_mapped(pid_t pid, const char *name)
{
    char maps[64];
    snprintf(maps, sizeof maps, "/proc/%ld/maps", (long)pid);
    char *text = read_file(maps, NULL);
    const int found = text && strstr(text, name) != NULL;
    free(text);
    return found;
}

/* Expects one line of a program that reads its text from standard input after it has opened the model, and waits
 * there. */
static void expect_a_line(const char *const *argv, const char *model, const char *name)
{
    char fifo[PATH_BYTES], err[PATH_BYTES], want[2 * PATH_BYTES];
    snprintf(fifo, sizeof fifo, "%s", temp_path("fifo"));
    snprintf(err, sizeof err, "%s", temp_path("err"));
    assert_int_equal(mkfifo(fifo, 0600), 0);
    const int hold = open(fifo, O_RDWR | O_CLOEXEC); /* else opening would wait for the other end */
    assert_true(hold >= 0);
    const pid_t pid = program_start(argv, fifo, "/dev/null", err);
    const int in = open(fifo, O_WRONLY);
    close(hold);
    for (int i = 0; i < PATIENCE && !has_mapped(pid, name); i++)
        sleep_ms(1);
    sleep_ms(200); /* until it has read all it needs before the text */
    assert_int_equal(truncate(model, 0), 0);
    assert_int_equal(write(in, "a b", 3), 3);
    close(in);
    assert_int_equal(program_wait(pid), 1);
    char *said = read_file(err, NULL);
    snprintf(want, sizeof want, "%s: %s: became shorter while it was read\n", argv[0], model);
    assert_string_equal(said, want);
    free(said);
    unlink(fifo);
}

TEST(a_model_that_becomes_shorter_is_told_in_a_line)
{
    char model[PATH_BYTES];
    copy_name(model, fresh_folder("shorter"), "model.gguf");
    program p =
        assert_runs("inferno", "synth", "llama", model, "--type", "F32", "--embedding_length", "64",
                    "--feed_forward_length", "96", "--vocab_size", "4000");
    program_free(&p);
    const char *const argv[] = {"inferno", "tokenize", model, "-f", "-", NULL};
    expect_a_line(argv, model, "/shorter/model.gguf");
}

/* conform runs whole models in processes of their own: the line is printed once, whichever process notices. */
static void expect_a_line_of_conform(const char *model, const char *how)
{
    char err[PATH_BYTES], want[2 * PATH_BYTES];
    snprintf(err, sizeof err, "%s", temp_path("err"));
    program p = assert_runs("inferno", "synth", "llama", model, "--force", "--type", "F32",
                            "--embedding_length", "64", "--feed_forward_length", "96",
                            "--vocab_size", "4000");
    program_free(&p);
    const char *const argv[] = {"inferno", "conform", "--e2e", model,     "--backend", "scalar",
                                "--runs",  "1000000", how,     "--quiet", NULL};
    const pid_t pid = program_start(argv, "/dev/null", "/dev/null", err);
    for (int i = 0; i < PATIENCE && !has_mapped(pid, strrchr(model, '/')); i++)
        sleep_ms(1);
    sleep_ms(300);
    assert_int_equal(truncate(model, 0), 0);
    assert_int_equal(program_wait(pid), 1);
    char *said = read_file(err, NULL);
    snprintf(want, sizeof want, "inferno: %s: became shorter while it was read\n", model);
    assert_string_equal(said, want);
    free(said);
}

TEST(conform_tells_of_a_shorter_model_once)
{
    char model[PATH_BYTES];
    copy_name(model, fresh_folder("judged"), "e2e.gguf");
    expect_a_line_of_conform(model, "--patience=60");
    expect_a_line_of_conform(model, "--in-process");
}

/* The line begins with the name of the program in which it happens. */
TEST(the_line_begins_with_the_programs_name)
{
    char model[PATH_BYTES], err[PATH_BYTES], want[2 * PATH_BYTES];
    copy_name(model, fresh_folder("named"), "model.gguf");
    snprintf(err, sizeof err, "%s", temp_path("err"));
    program p = assert_runs("inferno", "synth", "llama", model, "--embedding_length", "64",
                            "--feed_forward_length", "96", "--vocab_size", "300");
    program_free(&p);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        ifn_gguf *gguf;
        const int out = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        signals_init("some-program");
        if (out < 0 || dup2(out, STDERR_FILENO) < 0 ||
            ifn_gguf_open(model, NULL, &gguf, NULL) != IFN_OK)
            _exit(9);
        signals_mapped(gguf);
        const volatile unsigned char *const data = ifn_gguf_tensor_at(gguf, 0)->view.data;
        _exit(truncate(model, 0) == 0 ? 10 + data[0] : 9);
    }
    assert_int_equal(program_wait(pid), 1);
    char *said = read_file(err, NULL);
    snprintf(want, sizeof want, "some-program: %s: became shorter while it was read\n", model);
    assert_string_equal(said, want);
    free(said);
}
