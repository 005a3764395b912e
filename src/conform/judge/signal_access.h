/* Whether the access that a process dies of was a read or a write, as far as its machine tells. */
#ifndef CONFORM_SIGNAL_ACCESS_H
#define CONFORM_SIGNAL_ACCESS_H

typedef enum conform_access { ACCESS_UNKNOWN, ACCESS_READ, ACCESS_WRITE } conform_access;

/* `context` is what a handler of SIGSEGV or SIGBUS was given. To be asked in it. */
conform_access conform_access_of(const void *context);

/* " reading", " writing", or "". */
const char *conform_access_name(conform_access access);

#endif
