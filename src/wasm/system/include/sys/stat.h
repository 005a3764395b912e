/* sys/stat.h with permissions, which files do not have under WASI. */
#ifndef WASM_SYS_STAT_H
#define WASM_SYS_STAT_H
#include_next <sys/stat.h>

#ifdef __cplusplus
extern "C" {
#endif
mode_t umask(mode_t);
int chmod(const char *, mode_t), fchmod(int, mode_t);
#ifdef __cplusplus
}
#endif
#endif
