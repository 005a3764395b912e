/*
 * Statuses, and the error a function fills in when it fails.
 *
 * Stability: stable, and part of the plugin ABI: a status keeps its number; ifn_error does not
 * grow. Statuses may be added; every status other than IFN_OK is a failure.
 */
#ifndef INFERNO_STATUS_H
#define INFERNO_STATUS_H

#include <stdint.h>

#include <inferno/export.h>

IFN_EXTERN_C_BEGIN

/* clang-format off */
#define IFN_STATUSES(X)                                        \
    X(OK,              "success")                              \
    X(ERR_NOMEM,       "out of memory")                        \
    X(ERR_FORMAT,      "input is not well-formed")             \
    X(ERR_UNSUPPORTED, "well-formed but not implemented")      \
    X(ERR_SHAPE,       "shapes or parameters do not agree")    \
    X(ERR_IO,          "a file cannot be opened, read or written") \
    X(ERR_ARGUMENT,    "an argument is out of its range")      \
    X(ERR_NUMERIC,     "a result is not a finite number")
/* clang-format on */

/* IFN_OK, IFN_ERR_NOMEM, ... */
enum {
#define X(NAME, text) IFN_##NAME,
    IFN_STATUSES(X)
#undef X
};

/* A status of this version or of a later one. Like all enumerations of the interface it is an int32_t, as
 * compilers may choose different widths for an enum. */
typedef int32_t ifn_status;

/**
 * Why a call failed. The caller owns the storage and may pass NULL wherever a function takes one.
 * On success a function leaves it untouched.
 */
typedef struct ifn_error {
    ifn_status status;
    uint64_t offset; /* byte in the input, or UINT64_MAX where no byte is to blame */
    char text[240];  /* one line, always terminated: what, where, found, expected */
} ifn_error;

#define IFN_NO_OFFSET UINT64_MAX

/* "ERR_FORMAT" for IFN_ERR_FORMAT; "?" for a value that is no status. Static. */
IFN_API const char *ifn_status_name(ifn_status status);

/* "input is not well-formed" for IFN_ERR_FORMAT. Static. */
IFN_API const char *ifn_status_text(ifn_status status);

/* A path as messages show it: "" becomes "(an empty path)". */
static inline const char *ifn_path_label(const char *path)
{
    return *path ? path : "(an empty path)";
}

/* The meaning of an errno value, worded so that the user knows what to do. Static, unlike strerror's. */
IFN_API const char *ifn_errno_reason(int code);

/* Fills `err` (may be NULL) and returns `status`, so that failing is one line. */
IFN_API ifn_status ifn_fail(ifn_error *err, ifn_status status, const char *format, ...)
    IFN_PRINTF(3, 4);

/* The same, naming the byte of the input that is to blame. */
IFN_API ifn_status ifn_fail_at(ifn_error *err, ifn_status status, uint64_t offset,
                               const char *format, ...) IFN_PRINTF(4, 5);

/* The same for a system call that failed on `path` (or another name): the text is "<path>: <reason>".
 * Returns IFN_ERR_NOMEM if memory ran out, else IFN_ERR_IO. */
IFN_API ifn_status ifn_fail_errno(ifn_error *err, const char *path, int code);

/* Returns the status of `expr` from the enclosing function unless it is IFN_OK; only for use where nothing
 * needs cleaning up. */
#define IFN_TRY(expr)                                                                              \
    do {                                                                                           \
        const ifn_status ifn_try_status_ = (expr);                                                 \
        if (ifn_try_status_ != IFN_OK)                                                             \
            return ifn_try_status_;                                                                \
    } while (0)

IFN_EXTERN_C_END

#ifdef __clang_analyzer__ /* it cannot see what these functions return */
#define ifn_fail(err, status, ...)      ((void)(ifn_fail)(err, status, __VA_ARGS__), (status))
#define ifn_fail_at(err, status, ...)   ((void)(ifn_fail_at)(err, status, __VA_ARGS__), (status))
#define ifn_fail_errno(err, path, code) ((void)(ifn_fail_errno)(err, path, code), IFN_ERR_IO)
#endif

#endif
