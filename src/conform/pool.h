/* Memory that lives until the case is over: chunks are kept and used again. */
#ifndef CONFORM_POOL_H
#define CONFORM_POOL_H

#include "module.h"

struct conform_pool {
    struct conform_chunk *first, *current;
};

void conform_pool_init(conform_pool *self);
/* Everything taken so far is void; the memory stays for the next case. */
void conform_pool_reset(conform_pool *self);
void conform_pool_fini(conform_pool *self);

#endif
