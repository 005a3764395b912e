/*
 * Sorted indices. They are sorted and not hashed so that no file can choose names that make it slow,
 * and because equal names end up adjacent. Heap sort needs no memory and has no bad cases.
 */
#include "gguf_priv.h"

#include <string.h>

static void swap(size_t *a, size_t *b)
{
    const size_t t = *a;
    *a = *b;
    *b = t;
}

static void sift_down(size_t *heap, size_t root, size_t n, ifn_gguf_less *less, const void *table)
{
    for (size_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && less(table, heap[child], heap[child + 1]))
            child++;
        if (!less(table, heap[root], heap[child]))
            return;
        swap(&heap[root], &heap[child]);
    }
}

void ifn_gguf_sort(size_t *order, size_t n, ifn_gguf_less *less, const void *table)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = n / 2; i-- > 0;)
        sift_down(order, i, n, less, table);
    for (size_t end = n; end-- > 1;) {
        swap(&order[0], &order[end]);
        sift_down(order, 0, end, less, table);
    }
}

typedef struct named {
    ifn_gguf_namer *namer;
    const void *table;
} named;

static int compare(ifn_string a, ifn_string b)
{
    const size_t common = a.bytes < b.bytes ? a.bytes : b.bytes;
    const int order = common ? memcmp(a.data, b.data, common) : 0;
    return order ? order : (a.bytes > b.bytes) - (a.bytes < b.bytes);
}

static bool name_less(const void *table, size_t a, size_t b)
{
    const named *t = table;
    return compare(t->namer(t->table, a), t->namer(t->table, b)) < 0;
}

void ifn_gguf_sort_names(size_t *order, size_t n, ifn_gguf_namer *namer, const void *table)
{
    const named t = {namer, table};
    ifn_gguf_sort(order, n, name_less, &t);
}

size_t ifn_gguf_find_repeated(const size_t *order, size_t n, ifn_gguf_namer *namer,
                              const void *table)
{
    for (size_t i = 1; i < n; i++)
        if (compare(namer(table, order[i - 1]), namer(table, order[i])) == 0)
            return order[i - 1] > order[i] ? order[i - 1] : order[i];
    return n;
}

size_t ifn_gguf_find_name(const size_t *order, size_t n, ifn_gguf_namer *namer, const void *table,
                          const char *name)
{
    const ifn_string wanted = {name, strlen(name)};
    size_t begin = 0, end = n;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        const int side = compare(wanted, namer(table, order[middle]));
        if (side == 0)
            return order[middle];
        if (side < 0)
            end = middle;
        else
            begin = middle + 1;
    }
    return n;
}
