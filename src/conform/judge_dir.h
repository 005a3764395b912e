/* `inferno conform judge DIR`: judges the outputs put beside what `conform export` has written. */
#ifndef CONFORM_JUDGE_DIR_H
#define CONFORM_JUDGE_DIR_H

int conform_judge_dir_main(int argc, char **argv);

#endif
