/*
 * Faults that represent classes: each is a relative of a fault that the suite once failed to find. classes.txt names
 * the class of each. For the fields of an entry see museum_faults.h.
 */
#ifndef MUSEUM_FAULTS_CLASSES_H
#define MUSEUM_FAULTS_CLASSES_H

/* clang-format off */
#define MUSEUM_CLASSES(X) \
    X(query_17_without_itself, attention, "T0", \
      "in a call of more than 16 query rows the 17th does not see its own key", \
      "own") \
    X(value_head_in_3_bits, attention, "T0", \
      "of more than eight KV heads values are read at the low three bits of their number", \
      "own") \
    X(pairs_of_a_wide_group, attention, "T0", \
      "in groups of more than eight query heads every second one after the eighth is the one before it", \
      "own") \
    X(queries_of_32_heads, attention, "T0", \
      "queries of heads after the 32nd are those of 32 heads before", \
      "own") \
    X(kv_head_of_32_heads, attention, "T0", \
      "which KV head a head reads is kept for 32 heads: after them they begin again", \
      "own") \
    X(rope_heads_over_32, apply_rope, "T1", \
      "heads after the 32nd are not rotated", \
      "own") \
    X(values_over_128, attention, "T0", \
      "components of a value after the 128th are those of its beginning", \
      "own") \
    X(scores_over_128, attention, "T0", \
      "components of a head after the 128th do not enter its scores", \
      "own") \
    X(last_super_block_of_many, linear_q8, "T0", \
      "of more than four blocks of Q6_K the last counts as zero", \
      "own") \
    X(row_after_64, matmul, "T0", \
      "of more than 64 rows the one that tiles of 64 leave over is the row before it", \
      "own") \
    X(columns_of_tall_ones, matmul, "T0", \
      "from 65 rows on the last column is the one before it", \
      "own") \
    X(depth_after_4096, matmul, "T0", \
      "terms after the 4096th meet the rows of b 4096 before", \
      "own") \
    X(term_4096_lost, matmul, "T0", \
      "of a depth of more than 4096 the term 4096 is lost", \
      "own") \
    X(norm_of_row_256, rms_norm, "T1", \
      "rows after the 256th are those of 256 rows before", \
      "own") \
    X(softmax_of_row_256, softmax_rows, "T1", \
      "rows after the 256th have the weights of 256 rows before", \
      "own") \
    X(quantized_row_256, quantize_rows, "T1", \
      "rows after the 256th are stored as those of 256 rows before", \
      "own") \
    X(norm_weight_over_4096, rms_norm, "T1", \
      "weights after the 4096th begin again at the first", \
      "own") \
    X(norm_rest_over_4096, rms_norm, "T1", \
      "of rows longer than 4096 what vectors of 16 leave over is not multiplied by the weight", \
      "own") \
    X(softmax_in_16_bits, softmax_rows, "T1", \
      "columns after the 65536th have the weights of the first ones", \
      "own") \
    X(softmax_rest_over_65536, softmax_rows, "T1", \
      "of more than 65536 columns those that vectors of 16 leave over are zero", \
      "own") \
    X(hadamard_over_8192, hadamard, "T1", \
      "elements after the 8192nd meet the factors of 8192 before", \
      "own") \
    X(ids_rest_over_512, gather_rows, "T1", \
      "of more than 512 ids those that groups of eight leave over are taken for the first", \
      "own") \
    X(id_after_1024, gather_rows, "T1", \
      "of more than 1024 ids the one after is taken for the one before it", \
      "own") \
    X(gather_offset_in_24_bits, gather_rows, "T1", \
      "of the offset of a row of the table, in bytes, 24 bits are kept", \
      "own") \
    X(k_minimum_flushed, quantize_rows, "T1", \
      "a minimum of Q4_K that is subnormal in f16 is stored as zero", \
      "own") \
    X(q2_k_scale_flushed, quantize_rows, "T1", \
      "a scale of Q2_K that is subnormal in f16 is stored as zero beside its minimum", \
      "own") \
    X(f16_weights_flushed, linear, "T1", \
      "weights that are subnormal in f16 count as zero", \
      "own") \
    X(unit_block_is_scaled, quantize_rows, "T1", \
      "in Q8_0 a block whose largest is exactly 1 has the scale 1/128", \
      "own") \
    X(unit_row_is_normed, rms_norm, "T1", \
      "a row whose largest is exactly 1 is taken to be normalised", \
      "own") \
    X(unit_block_of_fours, quantize_rows, "T1", \
      "in Q4_0 a block whose largest is exactly 1 has a scale of the other sign", \
      "own") \
    X(q2_k_without_search, quantize_rows, "T1", \
      "Q2_K takes the first scale and minimum that span a group", \
      "own") \
    X(q4_k_codes_of_the_span, quantize_rows, "T1", \
      "Q4_K takes the first scales and minima that span its groups", \
      "own") \
    X(row_after_the_part, softmax_rows, "outside-part", \
      "the row after a part is stored again as it was", \
      "own") \
    X(ids_of_all_parts_checked, gather_rows, "parts", \
      "a part looks at all ids of the call, and refuses those of others", \
      "own") \
    X(largest_id_of_all, gather_rows, "parts", \
      "the row of the largest id of the call, a part's or not, is looked for first: where there is none rows are zero", \
      "own") \
    X(least_id_made_positive, gather_rows, "RE", \
      "ids are looked at without their sign, which the least number keeps: it is taken for 0", \
      "own") \
    X(third_lane_copies, scale, "threads", \
      "the third lane copies the last element of its part", \
      "own") \
    X(share_of_a_whole, add, "T1", \
      "a call without a part does its lane's share and no more", \
      "own") \
    X(whole_by_the_first_lane, swiglu, "T1", \
      "a call without a part is done on lane 0 alone", \
      "own") \
    X(value_of_eight_lanes, add_scalar, "threads", \
      "the addend is kept by the last three bits of a lane's number", \
      "own") \
    X(eps_of_sixteen_lanes, rms_norm, "threads", \
      "eps is kept by the last four bits of a lane's number", \
      "own") \
    X(eps_of_the_last_call, rms_norm, "threads", \
      "eps is kept for all calls in one place", \
      "own") \
    X(value_of_the_last_call, scale, "threads", \
      "the factor is kept for all calls in one place", \
      "own") \
    X(input_of_the_last_call, silu, "threads", \
      "where x begins is kept for all calls in one place", \
      "own") \
    X(first_of_opposite_maxima, quantize_rows, "T1", \
      "where the largest and its negative both occur, the positive one decides the sign of a scale of Q5_0", \
      "own") \
    X(last_block_of_q4_k, linear, "T0", \
      "of more than four blocks of Q4_K the last counts as zero", \
      "own") \
    X(rope_base_in_f16, apply_rope, "T1", \
      "the base of angles is kept in f16: beyond 65504 it is 65504", \
      "own") \
    X(rope_base_a_power_of_ten, apply_rope, "T1", \
      "the base of angles is taken for a power of ten: 500 000 for a million", \
      "own") \
    X(last_of_equal_fives, quantize_rows, "T1", \
      "in Q5_0 the last of two largest elements decides the sign of the scale", \
      "own") \
    X(equal_maxima_of_long_rows, quantize_rows, "T1", \
      "of rows of more than 1024, in Q4_0, a positive maximum comes before an equal negative one", \
      "own") \
    X(one_weight_of_activations, linear, "RE", \
      "a single weight of Q8_32F is taken, and nothing computed", \
      "own") \
    X(blocks_over_gate, swiglu, "RE", \
      "blocks that lie over the gate are taken, and nothing stored", \
      "own") \
    X(elements_in_32_bits, reshape_data, "RE", \
      "shapes that have as many elements in 32 bits are taken", \
      "own") \
    X(sign_in_32_bits, scale, "RE", \
      "a negative length whose lower 32 bits are not is taken", \
      "own") \
    X(infinite_mask_added, fill_strict_upper_tri, "SV", \
      "a mask of -inf is added, not stored: +inf and NaN become NaN", \
      "own") \
    X(offset_in_31_bits, fill_strict_upper_tri, "GO", \
      "the offset of the border is kept in 32 bits with a sign", \
      "own") \
    X(column_of_one_byte, repeat_row_as_matrix, "SV", \
      "a single column whose value is two equal bytes and zeros is filled with one byte", \
      "own") \
    X(row_of_two_bytes, broadcast_row_scalars, "SV", \
      "a value of two pairs of equal bytes is filled with the two in turn", \
      "own") \
    X(bf16_behind_f16, linear, "T1", \
      "a weight in bf16 behind a first one in f16 is read as f16", \
      "own") \
    X(q5_k_behind_q5_0, linear, "T1", \
      "a weight in Q5_K behind a first one in Q5_0 is read as Q5_0", \
      "own") \
    X(q4_k_behind_q4_0, linear, "T1", \
      "a weight in Q4_K behind a first one in Q4_0 is read as Q4_0", \
      "own") \
    X(ready_before_its_table, silu, "first-calls", \
      "a table that the first call makes is said to be ready before it is filled", \
      "own") \
    X(table_in_two_turns, hadamard, "first-calls", \
      "a table that the first call makes is ready, and then made once more where it is", \
      "own") \
    X(table_added_up_by_two, add_scalar, "first-calls", \
      "two first calls both add to the entries of one table", \
      "own") \
    X(kernel_before_its_factor, scale, "first-calls", \
      "the first call sets a pointer to a kernel, and then the number it multiplies with", \
      "own") \
    X(linear_rows_in_16_bits, linear, "T1", \
      "how many rows x has is kept in 16 bits", \
      "own") \
    X(stored_rows_in_16_bits, kv_store, "T1", \
      "how many rows are stored is kept in 16 bits", \
      "own") \
    X(softmax_rows_in_16_bits, softmax_rows, "T1", \
      "how many rows are normalised is kept in 16 bits", \
      "own") \
    X(heads_of_a_long_decode, attention, "T1", \
      "one row that sees a thousand keys or more: two query heads of different KV heads change places", \
      "own") \
    X(row_plus_offset, fill_strict_upper_tri, "T1", \
      "row + offset, of offsets that no row can be added to", \
      "own") \
    X(product_count_in_float, hadamard, "far", \
      "the number of elements is kept in a float, and the last is forgotten", \
      "own") \
    X(swiglu_elements_in_float, swiglu, "far", \
      "rows times columns is kept in a float, and the last element is forgotten", \
      "own") \
    X(silu_index_in_float, silu, "far", \
      "the index of an element is a float: past 2^24 odd ones get the result of others", \
      "own") \
    X(contiguous_count_in_float, copy_contiguous_into, "far", \
      "the number of elements to copy is kept in a float, and the last is forgotten", \
      "own") \
    X(concat_bytes_int, concat_dim0, "far", \
      "how many bytes the lower matrix has is an int, and below 0 nothing is copied", \
      "own") \
    X(contiguous_bytes_int, copy_contiguous_into, "far", \
      "how many bytes are copied is an int, and below 0 nothing is", \
      "own") \
    X(reshape_bytes_int, reshape_data, "far", \
      "how many bytes change their shape is an int, and below 0 none do", \
      "own") \
    X(row_bytes_int, copy_row_2d, "far", \
      "how many bytes a row has is an int, and below 0 nothing is copied", \
      "own") \
    X(long_prompts_in_panels, linear, "batch", \
      "two hundred rows and more of a depth of thousands are summed in another order", \
      "own") \
    X(tall_products_in_panels, matmul, "batch", \
      "two hundred rows and more, of thousands of terms, are summed in another order", \
      "own") \
    X(norm_of_many_long_rows, rms_norm, "batch", \
      "squares of two hundred rows and more, of thousands of elements, are added in another order", \
      "own") \
    X(rescale_of_small_rises, attention, "T1", \
      "where the maximum of a block of keys is larger by less than 2^-10 nothing is rescaled", \
      "own") \
    X(softmax_rises_in_tiles, softmax_rows, "T1", \
      "where the maximum of a tile of 64 is larger by 2^-6 or less the sum is not rescaled", \
      "own") \
    X(softmax_least_rises, softmax_rows, "T1", \
      "where the maximum of a tile of 512 is larger by 2^-9 or less the sum is not rescaled", \
      "own") \
    X(softmax_maximum_of_131072, softmax_rows, "T1", \
      "the maximum of a row is that of its first 131072 elements", \
      "own") \
    X(matrix_known_by_its_ends, matmul, "order", \
      "a small matrix at the place of the last one, with its first element and its last, is taken for that", \
      "own") \
    X(row_known_by_its_ends, kv_store, "order", \
      "a row that is in the cache by its first element and its last is not stored", \
      "own") \
    X(readback_known_by_its_ends, copy_out, "order", \
      "what the host has already, by its first eight bytes and its last, is not copied", \
      "own") \
    X(biases_as_the_first_has, linear, "T1", \
      "there are biases where the first weight has one", \
      "own") \
    X(biases_as_the_first_has_q8, linear_q8, "T1", \
      "there are biases of quantized rows where the first weight has one", \
      "own") \
    X(bias_of_the_weight_before, linear, "T1", \
      "a weight without a bias has that of the weight before", \
      "own") \
    X(keys_in_chunks_of_640, attention, "T1", \
      "of a decode a key that chunks of 640 leave over is lost", \
      "own") \
    X(upload_in_chunks, copy_in, "T1", \
      "of whole chunks of 96 KiB the last is not written", \
      "own") \
    X(readback_in_chunks, copy_out, "T1", \
      "of whole chunks of 320 KiB the last is not read", \
      "own") \
    X(overflow_before_it_rounds, quantize_rows, "T1", \
      "a scale that f16 rounds to 65504 makes the block NaN", \
      "own") \
    X(least_zero_of_lanes, quantize_rows, "T1", \
      "of zeros that are the least the one in the lowest of eight lanes gives its sign", \
      "own") \
    X(edge_of_a_stored_scale, kv_store, "T1", \
      "a scale that is the last that vanishes has codes all the same", \
      "own") \
    X(gated_at_the_edge, swiglu, "T1", \
      "a block whose largest is just large enough for codes is zeros", \
      "own") \
    X(gathered_like_the_one_before, gather_rows, "parts", \
      "a row that was gathered just before is taken from out, whose part it may not be", \
      "own") \
    X(streamed_rest, add, "T1", \
      "where the rest of a streamed sum begins is counted from an element that is not aligned", \
      "own") \
    X(blocks_in_16_bits, dequantize_rows, "T1", \
      "of more than 65535 blocks in a row those beyond 16 bits are zeros", \
      "own") \
    X(scaled_by_exponent, scale, "T1", \
      "a power of two cuts off what a subnormal has no bits for", \
      "own") \
    X(place_and_rows_wrap, kv_store, "RE", \
      "rows whose end is below 0 are taken for stored", \
      "own") \
    X(zeros_of_a_lone_row, linear, "SV", \
      "eight zeros of a single row are skipped, whatever the weight has there", \
      "own") \
    X(last_blocks_once_more, attention, "outside-part", \
      "no key blocks after the last are taken for all of them", \
      "own") \
    X(block_behind_put_back, attention, "guard", \
      "a vector is stored over the block after its own, and what was there is put back", \
      "own") \
    X(page_put_back, kv_store, "guard", \
      "rows of a page after the last that is stored are put back as they were", \
      "own") \
    X(keys_of_the_step_before, attention, "order", \
      "of the keys of the position before those of the first block are taken for those of now", \
      "own") \
    X(kv_table_of_the_first_span, kv_store, "company", \
      "a step of many sequences goes to the pages of the first", \
      "own") \
    X(pages_of_each_span_in_turn, kv_store, "wrote-on-error", \
      "pages of a span are looked at when it is its turn", \
      "own") \
    X(table_as_long_as_the_cache, attention, "status", \
      "a block table is taken to have an entry for each page of the cache", \
      "flash-attention#2711") \
    X(pages_before_not_looked_at, kv_store, "status", \
      "pages before those that are stored to may be outside the cache", \
      "onnxruntime#32391") \
    X(partials_of_many_spans, attention, "status", \
      "partials of several sequences go to one place, one after the other", \
      "own") \
    X(page_number_in_16_bits, attention, "pages", \
      "a page after the first 65536 is taken for one of these", \
      "own") \
    X(squares_copied, transpose_2d, "T1", \
      "in a square of a power of two of rows a tile of the diagonal is copied as it is", \
      "own") \
    X(run_of_first_words, copy_in, "T1", \
      "a long run of equal words of eight bytes is filled with the first four", \
      "own") \
    X(rescaled_by_the_one_before, softmax_rows, "T1", \
      "a running maximum does not follow a row that rises slowly", \
      "own") \
    X(zeros_repeated, repeat_row_as_matrix, "T1", \
      "a long row of equal numbers is filled with its first, zeros of both signs among them", \
      "own") \
    X(scalar_like_the_one_above, broadcast_row_scalars, "parts", \
      "a row of the same scalar is copied from the one above, whose part it may not be", \
      "own") \
    X(factor_known_by_samples, hadamard, "T1", \
      "a factor that is one value in 64 places is that value everywhere", \
      "own") \
    X(half_under_itself, concat_dim0, "shared-input", \
      "a matrix under itself is copied from the half above, whose part it may not be", \
      "own") \
    X(half_a_bit_for_nothing, add_scalar, "T1", \
      "numbers that are 2^24 times the value or more are copied", \
      "own") \
    X(piece_that_begins_with_nan, argmax_with_prob, "SV", \
      "pieces of 1000 that begin with two NaN are taken for nothing but NaN", \
      "own") \
    X(results_flushed, attention, "T1", \
      "subnormal results of more than 2000 keys are zeros", \
      "own") \
    X(rest_of_the_last_piece, sum_squares_axis, "T1", \
      "of rows of more than 8192 less than a vector that is left over is nothing", \
      "own") \
    X(last_query_of_a_tile, attention, "T1", \
      "the row that tiles of 64 leave over does not see its own key", \
      "own") \
    X(bias_lost_in_deep_sums, linear, "T1", \
      "of few rows and a depth of 4096 and more the sums of the parts of k have no bias", \
      "own") \
    X(row_with_a_single_one, linear, "SV", \
      "a row of zeros and a single 1 is answered by a column of the weight", \
      "own") \
    X(strided_row_known_by_its_ends, linear, "order", \
      "a single row with a stride is known again by where it is and its ends", \
      "own") \
    X(window_to_the_last_row, copy_2d_into_cols, "outside-part", \
      "a window of all columns of many rows is copied to the last of them, whatever the part", \
      "own") \
    X(one_of_one, softmax_rows, "SV", \
      "a hundred rows of one element are 1, whatever the element is", \
      "own") \
    X(run_known_by_its_ends, gather_rows, "T1", \
      "sixteen ids and more that begin and end as a run does are a run", \
      "own") \
    X(one_empty_weight_at_a_time, linear, "T1", \
      "who steps over a weight without features steps over one, not over two", \
      "own") \
    X(border_one_too_early, fill_strict_upper_tri, "T1", \
      "of many rows one more offset fills everything than does", \
      "own") \
    X(logits_in_bf16, linear, "T2", \
      "logits are rounded to bf16", \
      "own") \
    X(zero_above_zero, argmax_with_prob, "T1", \
      "in rows of 32768 and more +0 is above -0", \
      "own") \
    X(zero_of_the_lowest_lane, argmax_with_prob, "T1", \
      "of zeros of both signs the first of the sign in the lowest of eight lanes wins", \
      "own") \
    X(piece_of_a_few_dropped, matmul, "T0", \
      "with many columns the few terms after whole pieces of a long sum do not count", \
      "own") \
    X(second_piece_twice, matmul, "T0", \
      "in products large in all dimensions terms 256 to 511 count twice", \
      "own") \
    X(later_nan_is_skipped, attention, "SV", \
      "a key after the first 256 that has NaN counts as the key before it", \
      "own") \
    X(run_known_by_its_sum, gather_rows, "T1", \
      "twelve ids and more whose first, last and sum are those of a run are a run", \
      "own") \
    X(over_both_inputs, swiglu, "alias", \
      "in place over both inputs the second pass reads what the first has written", \
      "own") \
    X(sum_after_norm, rms_norm, "alias", \
      "out over x and sum over add: the sum is made of what the norm has left", \
      "own") \
    X(codes_known_by_their_sum, linear_q8, "order", \
      "a row of few blocks is known again by its address, scales and sums", \
      "own") \
    X(own_key_after_half_a_tile, attention, "T1", \
      "rows in tiles of 48: the last of one does not see its own key where tiles of keys begin 24 earlier", \
      "own") \
    X(of_two_alike_the_first, linear, "T1", \
      "a second weight of the shape and with the first row of the first is taken for it", \
      "own") \
    X(infinite_scale_capped, linear, "SV", \
      "an infinite scale of a block is the largest finite f16", \
      "own") \
    X(slot_of_the_one_before, kv_store, "company", \
      "of two sequences of one length side by side the second is stored in the place of the first", \
      "own") \
    X(nothing_but_walls, attention, "SV", \
      "a row all of whose scores are -inf is zeros", \
      "own") \
    X(maximum_from_minus_30000, attention, "T1", \
      "the maximum of a row begins at -30000: a row of lower scores is zeros", \
      "own")
/* clang-format on */

#endif
