/*
 * Linked with `--wrap=_exit,--wrap=raise` into every program of a coverage build: a process that
 * ends without its exit handlers, as the workers of a conformance run do, would take its counters
 * with it, and so would one that a signal ends which its handler has raised again.
 */
#include <signal.h>
#include <unistd.h>

void __gcov_dump(void);
void __gcov_reset(void);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);
int __real_raise(int number);
int __wrap_raise(int number);

void __wrap__exit(int status)
{
    __gcov_dump();
    __real__exit(status);
}

/* Not those of crashes: a museum has thousands. */
int __wrap_raise(int number)
{
    if (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGBUS) {
        __gcov_dump();
        __gcov_reset(); /* who lives on, as whoever holds the signal does, has more to dump */
    }
    return __real_raise(number);
}
