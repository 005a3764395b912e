/* Tells whether the access that kills a process was a read or a write, as far as the architecture tells. */
#ifndef CONFORM_SIGNAL_ACCESS_H
#define CONFORM_SIGNAL_ACCESS_H

typedef enum conform_access { ACCESS_UNKNOWN, ACCESS_READ, ACCESS_WRITE } conform_access;

/* `context` is the third argument of a handler of SIGSEGV or SIGBUS. Call it inside that handler. */
conform_access conform_access_of(const void *context);

/* " reading", " writing", or "". */
const char *conform_access_name(conform_access access);

#endif
