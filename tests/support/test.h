/* The one place that includes cmocka.h and what it needs first. */
#ifndef IFN_TEST_H
#define IFN_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "registry.h"

/* What a test program returns when what it needs is not there: CTest reports it as not run. */
#define TEST_NOT_RUN 77

/*
 * TEST(sums_are_right) { ... }: a test, which runs with those of its file. One that shares a `state`, or a file that
 * has something to do before and after, has a main and RUN.
 */
#define TEST(name)                                                                                 \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void name##_is_added(void)                                 \
    {                                                                                              \
        static test_entry entry = {__FILE__, {#name, name, NULL, NULL, NULL}, NULL};               \
        test_add(&entry);                                                                          \
    }                                                                                              \
    static void name(void **state __attribute__((unused)))

/* The main of a test file gets another name if the program has several test files: group.c. */
#ifdef main
int main(void);
#endif

#define RUN(name)   cmocka_unit_test(name)
#define N_OF(array) (sizeof(array) / sizeof *(array))

/* assert_true that prints a message first. */
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
