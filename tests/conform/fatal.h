/* Whether touching a byte is the end of a process. */
#ifndef CONFORM_FATAL_H
#define CONFORM_FATAL_H

/* 1 if a child that reads, or writes, the byte dies of it. */
int is_fatal(volatile unsigned char *at, int writes);

#endif
