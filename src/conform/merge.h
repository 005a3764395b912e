/* `inferno conform merge A.json B.json ... [--json F]`: joins the reports of shards. */
#ifndef CONFORM_MERGE_H
#define CONFORM_MERGE_H

int conform_merge_main(int argc, char **argv);

#endif
