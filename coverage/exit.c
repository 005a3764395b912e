/*
 * Linked with `--wrap=_exit` into every program of a coverage build: a process that ends without
 * its exit handlers, as the workers of a conformance run do, would take its counters with it.
 */
#include <unistd.h>

void __gcov_dump(void);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);

void __wrap__exit(int status)
{
    __gcov_dump();
    __real__exit(status);
}
