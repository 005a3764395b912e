/* The one place that includes cmocka.h and what it needs first. */
#ifndef IFN_TEST_H
#define IFN_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* What a test program returns when what it needs is not there: CTest reports it as not run. */
#define TEST_NOT_RUN 77

/* Renamed where it is one of several in a program: group.c. */
#ifdef main
int main(void);
#endif

#define RUN(name)   cmocka_unit_test(name)
#define N_OF(array) (sizeof(array) / sizeof *(array))

/* assert_true, with a message of one's own first. */
#define assert_that(condition, ...)                                                                \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            print_error(__VA_ARGS__);                                                              \
            print_error("\n");                                                                     \
            fail();                                                                                \
        }                                                                                          \
    } while (0)

#define assert_ok(status, err)                                                                     \
    assert_that((status) == 0, "%s:%d: %s", __FILE__, __LINE__, (err).text)

#endif
