/* Includes cmocka.h, after the headers that it needs. Tests include this header instead. */
#ifndef IFN_TEST_H
#define IFN_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "registry.h"

/* The exit status of a test program that cannot run on this system: CTest reports it as not run. */
#define TEST_NOT_RUN 77

/*
 * TEST(sums_are_right) { ... } defines a test, which runs with the others of its file. A file whose tests share a
 * `state`, or which needs setup and teardown, has a main and uses RUN instead.
 */
#define TEST(name)                                                                                 \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void name##_is_added(void)                                 \
    {                                                                                              \
        static test_entry entry = {__FILE__, {#name, name, NULL, NULL, NULL}, NULL};               \
        test_add(&entry);                                                                          \
    }                                                                                              \
    static void name(void **state __attribute__((unused)))

/* `main` is a macro if this file is one of several in a program: see group.c. */
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
