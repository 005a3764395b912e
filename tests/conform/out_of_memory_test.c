/*
 * Lets requests for memory in commands of `inferno conform` fail, one for each place in the code: the command must end
 * with one line, or do without. Each run is walked once: at a request from a place not yet seen (a stack of return
 * addresses) the process forks. In the child the request fails, and the test looks at how the child ends; the parent
 * continues normally.
 */
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conform.h"
#include "fail_malloc.h"
#include "leaks.h"
#include "paths.h"
#include "patience.h"
#include "test.h"
#include "tiny_model.h"

enum { PATH_BYTES = 256, MAX_WORDS = 24, DEPTH = 24, MAX_PLACES = 1 << 14, PATIENCE = 60 };

/* The linker's name of mmap where file offsets have 64 bits on a 32-bit machine. */
#if UINTPTR_MAX == UINT32_MAX
#define REAL_MMAP __real_mmap64
#define WRAP_MMAP __wrap_mmap64
#else
#define REAL_MMAP __real_mmap
#define WRAP_MMAP __wrap_mmap
#endif

/* A run in one process shares such memory with none, so the children here must not share it either. */
void *REAL_MMAP(void *at, size_t bytes, int access, int flags, int fd, off_t offset);
void *WRAP_MMAP(void *at, size_t bytes, int access, int flags, int fd, off_t offset);

void *WRAP_MMAP(void *at, size_t bytes, int access, int flags, int fd, off_t offset)
{
    return REAL_MMAP(at, bytes, access, (flags & ~MAP_SHARED) | MAP_PRIVATE, fd, offset);
}

static struct {
    uint64_t places[MAX_PLACES]; /* hashes, 0: free */
    pid_t process;               /* the process that is walked: in others no request fails */
    int is_on, is_child;
    int n_tried, n_refused;
    const char *const *words;
    char said[PATH_BYTES], shown[PATH_BYTES]; /* files: a child's standard error and output */
    char wrong[2048]; /* how the first child ended that ended badly, or "" */
} walk;

/* Returns 1 if this place is seen for the first time. */
static int is_new_place(void)
{
    void *stack[DEPTH];
    const int n = backtrace(stack, DEPTH);
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < n; i++)
        hash = (hash ^ (uint64_t)(uintptr_t)stack[i]) * 0x100000001b3u;
    for (size_t at = hash % MAX_PLACES;; at = (at + 1) % MAX_PLACES) {
        if (walk.places[at] == hash)
            return 0;
        if (walk.places[at] == 0) {
            walk.places[at] = hash;
            return 1;
        }
    }
}

static int is_one_line_about_memory(const char *said)
{
    const char *end = strchr(said, '\n');
    return strncmp(said, "inferno: conform", strlen("inferno: conform")) == 0 && end &&
           end[1] == '\0' && strstr(said, "memory");
}

/* Returns 1 for status 0 (did without), for status 1 or 2 with one line about memory, and for status 1 without a
 * line if the report says that a case was not executed for lack of memory. */
static int is_orderly(int status, const char *said, const char *shown)
{
    if (!WIFEXITED(status))
        return 0;
    if (WEXITSTATUS(status) == 1 && !*said)
        return strstr(shown, "out of memory") != NULL;
    return WEXITSTATUS(status) == 0 || (WEXITSTATUS(status) <= 2 && is_one_line_about_memory(said));
}

static void look_at(int status)
{
    char *said = read_file(walk.said, NULL), *shown = read_file(walk.shown, NULL);
    assert_true(said && shown);
    walk.n_tried++;
    walk.n_refused += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    if (!is_orderly(status, said, shown) && !walk.wrong[0])
        snprintf(walk.wrong, sizeof walk.wrong, "%s: request %d: wait status %#x: %s%.300s",
                 walk.words[0], walk.n_tried, (unsigned)status, said, shown);
    free(said);
    free(shown);
}

static void send_to(const char *path, int fd)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, fd) < 0)
        _exit(99);
}

static int fails(void)
{
    int status;
    if (!walk.is_on || walk.is_child || getpid() != walk.process)
        return 0;
    walk.is_on = 0; /* requests of this function itself do not count */
    const int is_new = is_new_place();
    fflush(stdout);
    const pid_t pid = is_new ? fork() : 0;
    if (is_new && pid == 0) {
        walk.is_child = 1;
        signal(SIGSEGV, SIG_DFL);                  /* cmocka would continue after it */
        alarm((unsigned)patience_times(PATIENCE)); /* ends a child that hangs */
        send_to(walk.said, STDERR_FILENO);
        send_to(walk.shown, STDOUT_FILENO);
        return 1;
    }
    if (is_new && waitpid(pid, &status, 0) == pid)
        look_at(status);
    walk.is_on = 1;
    return 0;
}

/* Runs the command to its end, here or in a child. Returns its exit status. */
static int run_walked(const char *const *words)
{
    char *argv[MAX_WORDS + 1] = {(char *)(uintptr_t) "conform"};
    int argc = 1;
    for (; words[argc - 1]; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc - 1];
    fflush(NULL);
    const int kept = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
    assert_true(kept >= 0 && nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0);
    walk.is_on = 1;
    const int status = ifn_conform_main(argc, argv);
    walk.is_on = 0;
    fflush(NULL);
    if (walk.is_child)
        _exit(has_leaked() ? HAS_LEAKED : status);
    assert_true(dup2(kept, STDOUT_FILENO) >= 0);
    close(kept);
    close(nowhere);
    return status;
}

/* A child that cleans up removes files of the parent, too, and the parent then fails; but each run gets further, and
 * at last one finds no new place. */
static void expect_orderly(const char *const *words)
{
    int status, n_before;
    walk.words = words;
    walk.process = getpid();
    walk.n_tried = walk.n_refused = 0;
    do {
        n_before = walk.n_tried;
        status = run_walked(words);
    } while (walk.n_tried > n_before);
    print_message("%s: %d places, %d of them needed\n", words[0], walk.n_tried, walk.n_refused);
    assert_that(!walk.wrong[0], "%s", walk.wrong);
    assert_in_range(status, 0, 1); /* conformant or not */
    assert_true(walk.n_refused > 0);
}

#define EXPECT_ORDERLY(...) expect_orderly((const char *const[]){__VA_ARGS__, NULL})

static char cases[PATH_BYTES], folder[PATH_BYTES], json[PATH_BYTES], other[PATH_BYTES],
    model[PATH_BYTES];

static void a_run_ends_in_order(void **state)
{
    (void)state;
    EXPECT_ORDERLY("--backend", "scalar", "--op", "silu", "--op", "linear", "--op", "attention",
                   "--cases", "3", "--in-process", "--json", json, "--html", other);
    EXPECT_ORDERLY("--backend", "scalar", "--op", "add", "--cases", "3", "--in-process",
                   "--baseline", json, "--tap");
    EXPECT_ORDERLY("--backend", "scalar", "--in-process", "--fail-fast", "--cases", "2", "--op",
                   "matmul", "--junit", other);
}

static void cases_of_a_file_end_in_order(void **state)
{
    (void)state;
    EXPECT_ORDERLY("--backend", "scalar", "--case", cases, "--in-process", "--shrunk", other);
}

static void reports_are_read_in_order(void **state)
{
    (void)state;
    EXPECT_ORDERLY("merge", json, json, "--json", other);
    EXPECT_ORDERLY("level", json);
}

static void cases_go_out_and_come_back_in_order(void **state)
{
    (void)state;
    EXPECT_ORDERLY("export", folder, "--op", "rms_norm", "--cases", "2");
    EXPECT_ORDERLY("judge", folder);
}

static void whole_models_end_in_order(void **state)
{
    (void)state;
    const tiny_model m = tiny_default("qwen3");
    tiny_write(&m, model);
    EXPECT_ORDERLY("--e2e", model, "--backend", "scalar", "--in-process", "--json", json,
                   "--quiet");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_run_ends_in_order),       RUN(cases_of_a_file_end_in_order),
        RUN(reports_are_read_in_order), RUN(cases_go_out_and_come_back_in_order),
        RUN(whole_models_end_in_order),
    };
    static const char written[] =
        "inferno: cases/1\ncases:\n"
        "  - {case: add/F32/n=2/GO/written/raw/0/1, name: x, x: [1, 2], y: [3, 4]}\n";
    void *first[1];
    (void)backtrace(first, 1); /* the first call of backtrace loads a library */
    fail_malloc_decides = fails;
    snprintf(walk.said, sizeof walk.said, "%s", temp_path("said"));
    snprintf(walk.shown, sizeof walk.shown, "%s", temp_path("shown"));
    snprintf(cases, sizeof cases, "%s", temp_path("cases.yaml"));
    snprintf(folder, sizeof folder, "%s", temp_path("folder"));
    snprintf(json, sizeof json, "%s", temp_path("report.json"));
    snprintf(other, sizeof other, "%s", temp_path("other"));
    snprintf(model, sizeof model, "%s", temp_path("tiny.gguf"));
    write_file(cases, written, sizeof written - 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
