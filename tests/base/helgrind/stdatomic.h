/*
 * C11's atomics, annotated for Helgrind, which otherwise takes the load and the store of an atomic object for a race,
 * and does not know that they order anything. Here every operation orders both ways, also relaxed ones and loads of an
 * old value: what is found this way is wrong, but not every mistake is found. ThreadSanitizer, which knows the orders,
 * is the stricter judge. Only what the pool and its tests call is defined.
 */
#ifndef IFN_TEST_HELGRIND_STDATOMIC_H
#define IFN_TEST_HELGRIND_STDATOMIC_H

#include <valgrind/helgrind.h>

typedef _Atomic int atomic_int;
typedef enum memory_order {
    memory_order_relaxed,
    memory_order_acquire,
    memory_order_release
} memory_order;

#define HELGRIND_ATOMIC(word, operation)                                                           \
    __extension__({                                                                                \
        VALGRIND_HG_DISABLE_CHECKING(word, sizeof *(word));                                        \
        ANNOTATE_HAPPENS_BEFORE(word);                                                             \
        __auto_type result = operation;                                                            \
        ANNOTATE_HAPPENS_AFTER(word);                                                              \
        result;                                                                                    \
    })

#define atomic_load(word)                 HELGRIND_ATOMIC(word, __atomic_load_n(word, __ATOMIC_SEQ_CST))
#define atomic_load_explicit(word, order) ((void)(order), atomic_load(word))
#define atomic_exchange(word, value)                                                               \
    HELGRIND_ATOMIC(word, __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST))
#define atomic_exchange_explicit(word, value, order) ((void)(order), atomic_exchange(word, value))
#define atomic_store(word, value)                    ((void)atomic_exchange(word, value))
#define atomic_store_explicit(word, value, order)    ((void)(order), atomic_store(word, value))
#define atomic_fetch_add(word, value)                                                              \
    HELGRIND_ATOMIC(word, __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST))
#define atomic_compare_exchange_strong(word, expected, value)                                      \
    HELGRIND_ATOMIC(word, __atomic_compare_exchange_n(word, expected, value, 0, __ATOMIC_SEQ_CST,  \
                                                      __ATOMIC_SEQ_CST))

#endif
