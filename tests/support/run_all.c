/* For a program of one test file that has no main of its own. */
#include "test.h"

int main(void)
{
    return test_run(NULL);
}
