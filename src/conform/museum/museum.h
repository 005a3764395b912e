/* `inferno conform --museum [PLUGIN.so]`: does the suite notice every fault that is known? */
#ifndef CONFORM_MUSEUM_H
#define CONFORM_MUSEUM_H

/* 1 if these are its arguments. */
int conform_museum_is_wanted(int argc, char **argv);
/* 0: every fault is killed by a judgement; 1: not so; 2: wrong usage. */
int conform_museum_main(int argc, char **argv);

#endif
