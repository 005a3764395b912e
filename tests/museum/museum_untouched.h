/*
 * The functions of the kit, each told to change nothing. These backends are selected like faults but are correct: a
 * detector that fails one of them reacts to the kit, and would kill faults for the wrong reason.
 *
 * X(name, op, "", what it does, "own")
 */
#ifndef MUSEUM_UNTOUCHED_H
#define MUSEUM_UNTOUCHED_H

/* clang-format off */
#define MUSEUM_UNTOUCHED(X) \
    X(untouched_products, matmul, "", "matmul by sums of its own", "own") \
    X(untouched_upper_halves, hadamard, "", "hadamard that leaves upper halves of vector registers in use", "own") \
    X(untouched_products_backward, matmul, "", "matmul by sums of its own, backwards", "own") \
    X(untouched_table, apply_rope, "", "apply_rope on a copy of its table", "own") \
    X(untouched_base, apply_rope, "", "apply_rope with the base that its table has", "own") \
    X(untouched_blocks, quantize_rows, "", "quantize_rows, and a look at each finite block", "own") \
    X(untouched_blocks_read, dequantize_rows, "", "dequantize_rows on a copy of its blocks", "own") \
    X(untouched_elements, linear, "", "linear, and each element as the base has it", "own") \
    X(untouched_sums, linear, "", "linear, and no element by a sum of its own", "own") \
    X(untouched_sums_backward, linear, "", "linear, and each element by a sum of its own, backwards", "own") \
    X(untouched_weights, linear, "", "linear on copies of its weights", "own") \
    X(untouched_inputs, linear, "", "linear on a copy of its rows", "own") \
    X(untouched_weights_q8, linear_q8, "", "linear_q8 on copies of its weights", "own") \
    X(untouched_inputs_q8, linear_q8, "", "linear_q8 on a copy of its rows", "own") \
    X(untouched_pairs_q8, linear_q8, "", "linear_q8, of which nothing is lost", "own") \
    X(untouched_heads, attention, "", "attention head by head", "own") \
    X(untouched_positions, attention, "", "attention row by row", "own") \
    X(untouched_keys, attention, "", "attention on a copy of its keys", "own") \
    X(untouched_values, attention, "", "attention on a copy of its values", "own") \
    X(untouched_results, attention, "", "attention, and no result rounded otherwise", "own") \
    X(untouched_queries, attention, "", "attention on a copy of its queries", "own") \
    X(untouched_pages, attention, "", "attention with a copy of its block table", "own") \
    X(untouched_rises, softmax_rows, "", "softmax_rows row by row, and every rise taken into account", "own") \
    X(untouched_store, kv_store, "", "kv_store on rows side by side", "own")
/* clang-format on */

#endif
