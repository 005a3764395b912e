/*
 * Plugins that compute correctly but misbehave otherwise (hostile.c), and the expected messages about
 * each: in the report of conform, and in the one line of generate.
 */
#ifndef HOSTILE_ROWS_H
#define HOSTILE_ROWS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct hostile_row {
    const char *wish;   /* the place, and what the plugin does there */
    int conform;        /* exit status */
    const char *report; /* a text that the report contains; NULL: any report */
    int generate;       /* exit status */
    const char *line;   /* the message after the plugin's name; NULL: no message */
} hostile_row;

#define BY(number, name) "ended by signal " #number " (" name ") "
#define LEFT(status)     "ended the program with status " #status " "
#define LOAD_HUNG        "hung while it was loaded: not done within 1 s (INFERNO_LOAD_SECONDS)"
#define CLOSE_HUNG       "hung while it was closed: not done within 1 s (INFERNO_LOAD_SECONDS)"
#define OP_HUNG          "hung in rms_norm: not done within 1 s (INFERNO_OP_SECONDS)"
#define CLOSED           "has closed standard output or error"

/* Plugins that end or hang their process. */
static const hostile_row hostile_ends[] = {
    {"op.exit", 1, "the process ended with status 0", 1,
     LEFT(0) "in rms_norm, expected it to return"},
    {"op.exit3", 1, "the process ended with status 3", 1,
     LEFT(3) "in rms_norm, expected it to return"},
    {"op.quick-exit", 1, "the process ended with status 0", 1,
     LEFT(0) "in rms_norm, expected it to return"},
    {"op.abort", 1, "SIGABRT", 134, BY(6, "Aborted") "in rms_norm"},
    {"op.segv", 1, "SIGSEGV", 139, BY(11, "Segmentation fault") "in rms_norm"},
    {"op.fpe", 1, "SIGFPE", 136, BY(8, "Floating point exception") "in rms_norm"},
    {"op.term", 1, "SIGTERM", 143, BY(15, "Terminated") "in rms_norm"},
    {"op.kill", 1, "SIGKILL", 137, BY(9, "Killed") "in rms_norm"},
    {"op.overflow", 1, "SIGSEGV", 139, BY(11, "Segmentation fault") "in rms_norm"},
    {"op.exec", 1, "the process ended with status 0", 1,
     LEFT(0) "in rms_norm, expected it to return"},
    {"op.stop", 1, "no return within", 1, OP_HUNG},
    {"op.spin", 1, "no return within", 1, OP_HUNG},
    {"op.thread-exit", 1, "the process ended with status", 1, /* 0; a sanitizer may mind */
     LEFT(0) "in rms_norm, expected it to return"},
    {"prepare.exit", 1, "weights prepared: the process ended with status 0", 1,
     LEFT(0) "while weights were prepared, expected it to return"},
    {"release.abort", 1, "weights prepared: SIGABRT", 134, BY(6, "Aborted") "while it was closed"},
    {"close.exit3", 1, "its process ended with status 3, expected 0", 1,
     LEFT(3) "while it was closed, expected it to return"},
    {"close.segv", 1, "its process ended by SIGSEGV", 139,
     BY(11, "Segmentation fault") "while it was closed"},
    {"prepare.abort", 1, "weights prepared: SIGABRT", 134,
     BY(6, "Aborted") "while weights were prepared"},
    {"release.segv", 1, "weights prepared: SIGSEGV", 139,
     BY(11, "Segmentation fault") "while it was closed"},
    {"close.hang", 1, "its process did not end within", 1, CLOSE_HUNG},
    {"close.stop", 1, "its process did not end within", 1, CLOSE_HUNG},
};

/* Plugins that print, or write to descriptors that are not theirs. */
static const hostile_row hostile_descriptors[] = {
    {"op.print", 1, "bytes to standard output or error, expected none: \"hello", 0, NULL},
    {"op.print-error", 1, "expected none: \"something is odd", 0, NULL},
    {"op.forge", 1, "expected none: \"ok 1 - everything is conformant\\x0a{\"conformant\"", 0,
     NULL},
    {"op.flood", 1, "expected none: \"the same line again and again", 0, NULL},
    {"prepare.print", 1, "expected none: \"hello", 0, NULL},
    {"release.print", 1, "expected none: \"hello", 0, NULL},
    {"open.print", 0, NULL, 0, NULL},
    {"fill.print-error", 0, NULL, 0, NULL},
    {"close.flood", 0, NULL, 0, NULL},
    {"open.write-all", 0, NULL, 0, NULL},
    {"op.write-all", 0, NULL, 0, NULL},
};

/* Plugins that change the state of their process. */
static const hostile_row hostile_manners[] = {
    {"op.chdir", 1, "process: has changed the working directory", 0, NULL},
    {"op.umask", 1, "process: has changed the mask of file modes", 0, NULL},
    {"op.locale", 1, "process: has changed the locale", 0, NULL},
    {"op.setenv", 1, "process: has changed the environment", 0, NULL},
    {"op.block", 1, "process: has changed the mask of blocked signals", 0, NULL},
    {"op.ignore", 1, "process: has changed what is done when a signal comes", 0, NULL},
    {"op.swallow", 1, "process: has changed what is done when a signal comes", 0, NULL},
    {"op.alarm", 1, "process: has changed an alarm or interval timer", 0, NULL},
    {"op.timer", 1, "process: has changed an alarm or interval timer", 0, NULL},
    {"op.limit", 1, "process: has changed a resource limit", 0, NULL},
    {"op.limit-processes", 1, "process: has changed a resource limit", 0, NULL},
    {"op.daemon", 1, "process: has changed the processes it has started", 0, NULL},
    {"op.close-others", 1, "process: has changed a descriptor that it has not opened", 0, NULL},
    {"op.fork", 1, "process: has changed the processes it has started", 0, NULL},
    {"op.twins", 1, "process: has changed the processes it has started", 0, NULL},
    {"op.close-all", 1, "process: has changed standard input, output or error", 1, CLOSED},
    {"op.close-more", 1, "process: has changed standard input, output or error", 1, CLOSED},
    {"op.open-file", 1, "process: the same call again leaves an open descriptor after", 0, NULL},
    {"op.thread", 1, "process: the same call again leaves a thread after", 0, NULL},
    {"op.leak", 1, "process: the same call again leaves allocated memory after", 0, NULL},
    {"op.map", 1, "process: the same call again leaves mapped memory after", 0, NULL},
    {"op.ask", 1, "process: the same call again leaves a request to the allocator after", 0, NULL},
    {"op.unblock", 1, "process: has changed the mask of blocked signals", 0, NULL},
    {"op.plain-locale", 1, "process: has changed the locale", 0, NULL},
    {"op.plain-umask", 1, "process: has changed the mask of file modes", 0, NULL},
    {"op.heed", 1, "process: has changed what is done when a signal comes", 0, NULL},
    {"op.no-alarm", 1, "process: has changed an alarm or interval timer", 0, NULL},
    {"op.pin", 1, "process: has changed the processors its thread may run on", 0, NULL},
    {"op.name", 1, "process: has changed the name of its thread", 0, NULL},
    {"op.signal-stack", 1, "process: has changed the stack for signals of its thread", 0, NULL},
    {"op.plain-floats", 1, "abi: not as before the call: ", 0, NULL},
    {"refused.plain-floats", 1, "abi: not as before the call: ", 0, NULL},
    {"refused.unblock", 1, "process: has changed the mask of blocked signals", 0, NULL},
    {"refused.open-file", 1, "process: the same call again leaves an open descriptor after", 0,
     NULL},
    {"large.unblock", 1, "process: has changed the mask of blocked signals", 0, NULL},
    {"large.pin", 1, "process: has changed the processors its thread may run on", 0, NULL},
    {"large.plain-floats", 1, "abi: not as before the call: ", 0, NULL},
    {"large.open-file", 1, "process: the same call again leaves an open descriptor after", 0, NULL},
    {"large.thread", 1, "process: the same call again leaves a thread after", 0, NULL},
    {"large.leak", 1, "process: the same call again leaves allocated memory after", 0, NULL},
    {"lane.unblock", 1, "process: ", 0, NULL},
    {"prepare.flush", 1, "process: has changed how its thread rounds, or flushes", 0, NULL},
    {"release.pin", 1, "process: has changed the processors its thread may run on", 0, NULL},
    {"release.unblock", 1, "process: has changed the mask of blocked signals", 0, NULL},
    {"prepare.ask", 0, NULL, 0, NULL}, /* only an op may not */
    {"release.ask", 0, NULL, 0, NULL},
    {"prepare.twins", 1, "process: has changed the processes it has started", 0, NULL},
    {"release.twins", 1, "process: has changed the processes it has started", 0, NULL},
    {"prepare.leak", 1, "process: prepare and release leaves allocated memory after", 0, NULL},
    {"prepare.open-file", 1, "process: prepare and release leaves an open descriptor after", 0,
     NULL},
    {"release.leak", 1, "process: prepare and release leaves allocated memory after", 0, NULL},
    {"release.chdir", 1, "process: has changed the working directory", 0, NULL},
    {"open.chdir", 2, NULL, 0, NULL},
    {"open.umask", 2, NULL, 0, NULL},
    {"open.locale", 2, NULL, 0, NULL},
    {"open.block", 2, NULL, 0, NULL},
    {"open.alarm", 2, NULL, 0, NULL},
    {"open.close-all", 2, NULL, 1, CLOSED},
    {"fill.locale", 2, NULL, 0, NULL},
    {"fill.exit", 2, NULL, 1, LEFT(0) "while it was loaded, expected it to return"},
    {"open.exit3", 2, NULL, 1, LEFT(3) "while it was loaded, expected it to return"},
    {"open.segv", 2, NULL, 139, BY(11, "Segmentation fault") "while it was loaded"},
    {"fill.abort", 2, NULL, 134, BY(6, "Aborted") "while it was loaded"},
    {"open.exit", 2, NULL, 1, LEFT(0) "while it was loaded, expected it to return"},
    {"open.hang", 2, NULL, 1, LOAD_HUNG},
    {"load.exit", 2, NULL, 1, LEFT(0) "while it was loaded, expected it to return"},
    {"load.segv", 2, NULL, 139, BY(11, "Segmentation fault") "while it was loaded"},
    {"load.spin", 2, NULL, 1, LOAD_HUNG},
    {"open.stop", 2, NULL, 1, LOAD_HUNG},
};

/* Plugins that do nothing wrong, and must not be blamed together with others either. */
static const hostile_row hostile_honest[] = {
    {"op.nothing", 0, NULL, 0, NULL},       {"op.join", 0, NULL, 0, NULL},
    {"op.malloc", 0, NULL, 0, NULL},        {"op.once", 0, NULL, 0, NULL},
    {"op.child", 0, NULL, 0, NULL},         {"open.thread", 0, NULL, 0, NULL},
    {"open.ignore", 0, NULL, 0, NULL},      {"open.setenv", 0, NULL, 0, NULL},
    {"open.limit", 0, NULL, 0, NULL},       {"open.open-file", 0, NULL, 0, NULL},
    {"close.leak", 0, NULL, 0, NULL},       {"prepare.once", 0, NULL, 0, NULL},
    {"op.mask-and-back", 0, NULL, 0, NULL}, {"op.pin-and-back", 0, NULL, 0, NULL},
};

/* The backend expression of a wish. At load there are no options yet, so the environment variable HOSTILE holds the
 * wish: unset it afterwards. */
static inline const char *hostile_backend(const char *plugin, const char *wish)
{
    static char text[600];
    const int is_load = strncmp(wish, "load.", 5) == 0;
    if (is_load)
        setenv("HOSTILE", wish, 1);
    snprintf(text, sizeof text, "%s%s%s", plugin, is_load ? "" : "=", is_load ? "" : wish);
    return text;
}

#endif
