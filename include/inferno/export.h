/* Export and attribute macros shared by every public header. */
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

#if defined(__cplusplus)
#define IFN_EXTERN_C_BEGIN extern "C" {
#define IFN_EXTERN_C_END   }
#else
#define IFN_EXTERN_C_BEGIN
#define IFN_EXTERN_C_END
#endif

#endif
