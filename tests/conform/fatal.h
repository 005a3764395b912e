/* Tests whether touching a byte kills the process. */
#ifndef CONFORM_FATAL_H
#define CONFORM_FATAL_H

/* 1 if a child that reads the byte or, with `writes`, writes it is killed by that. */
int is_fatal(volatile unsigned char *at, int writes);

#endif
