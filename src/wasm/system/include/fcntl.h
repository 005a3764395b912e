/* fcntl.h with F_DUPFD_CLOEXEC, which is refused. */
#ifndef WASM_FCNTL_H
#define WASM_FCNTL_H
#include_next <fcntl.h>

#define F_DUPFD_CLOEXEC 1030

#endif
