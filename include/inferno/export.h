/*
 * Export and attribute macros shared by every public header.
 *
 * Stability: stable, and part of the plugin ABI.
 */
#ifndef INFERNO_EXPORT_H
#define INFERNO_EXPORT_H

#if defined(_WIN32)
#error "inferno supports POSIX systems"
#endif

#if defined(__GNUC__)
#define IFN_API       __attribute__((visibility("default")))
#define IFN_NODISCARD __attribute__((warn_unused_result))
#define IFN_PRINTF(format_index, first_index)                                                      \
    __attribute__((format(printf, format_index, first_index)))
#else
#define IFN_API
#define IFN_NODISCARD
#define IFN_PRINTF(format_index, first_index)
#endif

/* Marks a declaration that may change or go in any version (inferno.h, Stability). */
#define IFN_EXPERIMENTAL

/*
 * Structs that programs fill in grow at the end, and begin with their size in bytes; zero in a new
 * field means: as before. A library that is newer than the program reads only that many bytes; an
 * older one refuses fields it does not know, unless they are zero. IFN_..._INIT initialises such a
 * struct, IFN_SIZED is a whole one as a C expression:
 *     ifn_sampling how = IFN_SAMPLING_INIT;
 *     how = IFN_SIZED(ifn_sampling, .top_k = 40);
 */
#if defined(__cplusplus)
#define IFN_SIZED_INIT(type)                                                                       \
    {                                                                                              \
        (uint32_t)sizeof(type)                                                                     \
    }
#else
#define IFN_SIZED_INIT(type)                                                                       \
    {                                                                                              \
        .bytes = (uint32_t)sizeof(type)                                                            \
    }
#define IFN_SIZED(...)          IFN_SIZED_AS(__VA_ARGS__, )
#define IFN_SIZED_AS(type, ...) ((type){.bytes = (uint32_t)sizeof(type), __VA_ARGS__})
#endif

#if defined(__cplusplus)
#define IFN_EXTERN_C_BEGIN extern "C" {
#define IFN_EXTERN_C_END   }
#define IFN_EXTERN_C       extern "C"
#else
#define IFN_EXTERN_C_BEGIN
#define IFN_EXTERN_C_END
#define IFN_EXTERN_C extern
#endif

#endif
