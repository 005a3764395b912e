/*
 * The list of faults, each in faults/<name>.c. All else is derived from this list: the functions, the
 * choice by option, the list that the plugin exports, and the build.
 *
 * X(name, wrong op, detector expected to kill it, what it does, public bug that it follows)
 *
 * "own" stands for no public bug: a mistake that an engine like this one could make. The detector is a
 * column of the kill matrix, see src/conform/judge/detectors.h. Faults that follow a bug of 2026 are in
 * museum_faults_2026.h.
 */
#ifndef MUSEUM_FAULTS_H
#define MUSEUM_FAULTS_H

#include "museum_faults_2026.h"
#include "museum_faults_classes.h"
#include "museum_untouched.h"

#define MUSEUM_FAULTS(X) MUSEUM_EARLIER(X) MUSEUM_CLASSES(X) MUSEUM_2026(X)
/* All that the option can select. */
#define MUSEUM_CHOICES(X) MUSEUM_FAULTS(X) MUSEUM_UNTOUCHED(X)

/* clang-format off */
#define MUSEUM_EARLIER(X) \
    X(copied_accumulator, matmul, "T0", \
      "the fourth of four accumulators multiplies by the third's operand", \
      "llama.cpp#16518") \
    X(leftover_missed, matmul, "T0", \
      "of up to 15 leftover terms only 8 are added", \
      "llama.cpp#16443") \
    X(zero_skipped, matmul, "SV", \
      "a factor of zero is skipped, though 0 * inf is NaN", \
      "OpenBLAS#4728") \
    X(empty_sum_unwritten, matmul, "T0", \
      "where there is nothing to add up nothing is written", \
      "own") \
    X(chopped_sums, matmul, "T2", \
      "from the 64th term on partial sums are cut off, not rounded, as in tensor cores", \
      "Fasi, Higham, Mikaitis, Pranesh 2021, doi:10.7717/peerj-cs.330") \
    X(scaled_and_back, matmul, "T0", \
      "sums of 8 terms or more are divided by 3 and multiplied by it again", \
      "own") \
    X(products_flushed, matmul, "T1", \
      "subnormal products count as zero", \
      "OpenBLAS#1237") \
    X(square_transposed, matmul, "T0", \
      "a square b is read by columns", \
      "own") \
    X(part_order, matmul, "parts", \
      "a part of a call is summed backwards", \
      "own") \
    X(odd_part, matmul, "outside-part", \
      "rows are done in pairs, whatever the part: an odd one takes a row of its neighbour", \
      "llama.cpp#10561") \
    X(lanes_split_the_sum, matmul, "threads", \
      "the sum is split among the threads there are", \
      "opencv#24044") \
    X(shared_buffer, matmul, "threads", \
      "all threads sum in one buffer instead of their lane's own", \
      "own") \
    X(alignment_order, matmul, "placement", \
      "at addresses that are no multiple of 32 the sum runs backwards", \
      "own") \
    X(second_call_differs, matmul, "repeat", \
      "calls take turns between two orders of summation", \
      "own") \
    X(scratch_decides, matmul, "order", \
      "what scratch holds from an earlier call decides the order of summation", \
      "OpenBLAS#746") \
    X(previous_call_shows, add, "order", \
      "the first element still has the sign of zero of the call before", \
      "own") \
    X(one_past_the_end, add, "guard", \
      "one element more is written than there is", \
      "own") \
    X(zero_elements_refused, add, "status", \
      "no elements at all are refused as a wrong shape", \
      "own") \
    X(one_before_the_start, hadamard, "slack", \
      "the element before the first is written, too", \
      "own") \
    X(halves_swapped, hadamard, "T1", \
      "the upper and lower halves of a full vector of eight are exchanged in one factor", \
      "nntrainer#4299") \
    X(subnormals_left_off, scale, "abi", \
      "subnormals are switched off for the whole process, as -ffast-math does at load", \
      "llvm-project#57589") \
    X(scale_by_division, scale, "T1", \
      "x / (1 / value) stands for x * value", \
      "own") \
    X(store_aligned_down, scale, "slack", \
      "off a border of 32 bytes the element before the first is written, too", \
      "own") \
    X(clobbered_register, add_scalar, "abi", \
      "a register that belongs to the caller is not restored", \
      "openssl#29378") \
    X(tail_read_whole, silu, "guard", \
      "the tail is read as a whole vector of eight", \
      "nntrainer#4345") \
    X(silu_cut_off, silu, "T1", \
      "below -20 the result is zero, not x e^x", \
      "own") \
    X(rsqrt_estimate, rsqrt_elem, "T1", \
      "the 12-bit estimate of the processor is not refined", \
      "own") \
    X(next_row_in_tail, sum_squares_axis, "T0", \
      "lanes after the end of a row are not masked off: they hold the next row", \
      "gemma.cpp#23") \
    X(broadcast_tail, broadcast_row_scalars, "T1", \
      "of a row that is no multiple of four the tail gets the next row's scalar", \
      "llama.cpp#16443") \
    X(repeat_last_row, repeat_row_as_matrix, "T1", \
      "the last row is left as it was", \
      "own") \
    X(tile_border, transpose_2d, "T1", \
      "in the last tile of eight columns rows and columns are not exchanged", \
      "own") \
    X(reshape_rows_only, reshape_data, "T1", \
      "rows are copied up to the shorter of both row lengths", \
      "own") \
    X(no_max_shift, softmax_rows, "T1", \
      "the exponential is taken of x, not of x less the maximum of its row", \
      "own") \
    X(masked_row_even, softmax_rows, "SV", \
      "a row that is masked wholly gets equal weights", \
      "mlx#2395") \
    X(last_column_unsummed, softmax_rows, "T1", \
      "the last column is missing from the sum of exponentials", \
      "own") \
    X(gather_clamps, gather_rows, "RE", \
      "an id outside the table is moved to its last row", \
      "own") \
    X(gather_until_wrong, gather_rows, "wrote-on-error", \
      "rows are written until an id is found to be wrong", \
      "own") \
    X(gather_activations, gather_rows, "RE", \
      "a table of activations is read as if it were one of weights", \
      "own") \
    X(triangle_offset_ignored, fill_strict_upper_tri, "T1", \
      "the triangle always begins after the main diagonal", \
      "own") \
    X(finite_mask, fill_strict_upper_tri, "T1", \
      "a mask of -inf is written as -10000", \
      "lattice#361") \
    X(window_from_zero, copy_2d_from_cols, "T1", \
      "the window always begins at column 0", \
      "own") \
    X(row_of_the_other, copy_row_2d, "T1", \
      "the source row is taken at the index of the destination where it exists", \
      "own") \
    X(offset_in_bytes, copy_contiguous_into, "T1", \
      "the offset is taken for bytes, not for elements", \
      "own") \
    X(second_part_first, concat_dim0, "T1", \
      "b stands on top where both have the same number of rows", \
      "own") \
    X(bytes_in_words, copy_in, "T1", \
      "bytes after the last whole word are not copied", \
      "own") \
    X(readback_in_words, copy_out, "T1", \
      "bytes after the last whole word are not read back", \
      "own") \
    X(readback_first_page, copy_out, "T1", \
      "page by page the first page is read back again and again", \
      "own") \
    X(argmax_last, argmax_with_prob, "T1", \
      "of equal maxima the last one wins", \
      "llama.cpp#15484") \
    X(argmax_tail_rule, argmax_with_prob, "T1", \
      "the tail after the last eight takes a maximum that is only equal", \
      "pytorch#93630") \
    X(argmax_nan_first, argmax_with_prob, "SV", \
      "a NaN in front is never beaten, as no comparison with it holds", \
      "own") \
    X(rope_table_bf16, apply_rope, "T1", \
      "cosines and sines are rounded to bf16", \
      "transformers#29285") \
    X(rope_angles_chained, apply_rope, "T1", \
      "the table row of every position is turned on from that of the one before, in f32", \
      "sglang-jax#1472") \
    X(rope_position_late, apply_rope, "T1", \
      "rows after the first are rotated by the position before theirs", \
      "own") \
    X(rope_in_place, apply_rope, "alias", \
      "the first of a pair is stored before the second has been computed from it", \
      "own") \
    X(bias_once, linear, "T0", \
      "only the first of the weights that share an input gets its bias", \
      "own") \
    X(stride_ignored, linear, "T0", \
      "rows of the input are taken to follow one another without a gap", \
      "own") \
    X(infinity_capped, linear, "SV", \
      "an infinite activation counts as the largest finite number", \
      "own") \
    X(view_order, linear, "view", \
      "where rows have gaps between them they are summed backwards", \
      "own") \
    X(batch_place, linear, "batch", \
      "every fourth row of a batch goes another way, with another order of summation", \
      "llama.cpp#6583") \
    X(switch_at_64_rows, linear, "batch", \
      "from 64 rows on another path is taken, with another order of summation", \
      "llama.cpp#3014") \
    X(feature_tiles, linear, "parts", \
      "features after the last four of a part are summed in another order", \
      "own") \
    X(activations_f16, linear, "T0", \
      "activations are rounded to the 11 significant bits of f16 on the way", \
      "own") \
    X(weights_q4_0_interleaved, linear, "T0", \
      "Q4_0 nibbles are read as weights 2i and 2i + 1", \
      "own") \
    X(prepared_scale_bf16, linear_q8, "scale-probe", \
      "prepared weights keep their scales in bf16", \
      "own") \
    X(prepare_in_eights, linear_q8, "prepare", \
      "weights cannot be prepared unless their rows are a multiple of eight", \
      "ik_llama.cpp#911") \
    X(packed_in_pairs, linear_q8, "guard", \
      "what prepare keeps of each block is stored in pairs: an odd number of blocks is one store too many", \
      "neural-speed#167") \
    X(row_not_in_128, linear_q8, "T0", \
      "what remains after the last 128 elements of a row is left out", \
      "ik_llama.cpp#213") \
    X(code_sum_lost, linear_q8, "T0", \
      "the code sum of the last block is not carried over: minima count too little", \
      "own") \
    X(rows_in_eights, linear_q8, "T0", \
      "features after the last eight stay zero", \
      "ik_llama.cpp#911") \
    X(leftover_rows, linear_q8, "T0", \
      "of more than 16 rows those after the last 16 are given those before them", \
      "ik_llama.cpp#170") \
    X(pair_sums_saturate, linear_q8, "T1", \
      "sums of two products of unsigned weights saturate at 16 bits", \
      "oneDNN#717") \
    X(min_and_scale_swapped, linear_q8, "T0", \
      "in Q4_K scales and minima are exchanged", \
      "own") \
    X(scales_read_in_row, linear_q8, "T0", \
      "in Q4_K and Q5_K the high bits of the scales 4 to 7 are not fetched", \
      "trueno#182") \
    X(q6_k_offset_forgotten, dequantize_rows, "T1", \
      "the 32 that Q6_K subtracts from every code is forgotten", \
      "own") \
    X(q5_high_bit_shifted, dequantize_rows, "T1", \
      "in Q5_0 the fifth bits are those of the weights 16 further on", \
      "own") \
    X(codes_cut_off, quantize_rows, "T1", \
      "codes of Q8_0 are cut off, not rounded", \
      "own") \
    X(ties_to_even, quantize_rows, "T1", \
      "in Q8_0 a code half way between two goes to the even one", \
      "own") \
    X(last_group_skipped, quantize_rows, "T1", \
      "the last group of a row with an odd number of them is not quantized", \
      "llama2.c#532") \
    X(zero_block_nan, quantize_rows, "T1", \
      "a block of zeros is divided by its maximum, 0: its codes are what NaN converts to", \
      "own") \
    X(bf16_cut_off, quantize_rows, "T1", \
      "bf16 takes the upper half of an f32 as it is", \
      "own") \
    X(eps_outside, rms_norm, "T1", \
      "eps is added to the root, not to the mean below it", \
      "own") \
    X(head_norm_skipped, rms_norm, "T1", \
      "rows no longer than a head are passed on without being normalised", \
      "Camelid#266") \
    X(norm_in_place, rms_norm, "alias", \
      "the result is written before the input has been read for the last time", \
      "ggml#1519") \
    X(norm_changes_input, rms_norm, "guard", \
      "the input is normalised where it lies", \
      "nano-vllm#170") \
    X(negative_eps_accepted, rms_norm, "RE", \
      "a negative eps is taken as it comes", \
      "own") \
    X(swiglu_in_f16, swiglu, "T1", \
      "1 + e^-x overflows at 65504: far below zero the result is zero", \
      "nntrainer#4101") \
    X(fused_quantizer, swiglu, "form", \
      "the fused quantizer takes 1/127 of the maximum by multiplying with the rounded 1/127", \
      "own") \
    X(stale_kv_row, kv_store, "T1", \
      "the last of several new rows is not stored", \
      "own") \
    X(kv_least_up, kv_store, "every", \
      "half of the smallest number of f16 is stored as that number, not as zero", \
      "own") \
    X(values_as_keys, kv_store, "T1", \
      "of the last head the value rows are stored as keys", \
      "own") \
    X(kv_head_divided, attention, "T0", \
      "head h reads the KV head h / n_kv_heads", \
      "ONNXim#34") \
    X(kv_head_group_modulus, attention, "T0", \
      "the size of a group serves as the modulus of heads", \
      "HipKittens#22") \
    X(kv_heads_tiled, attention, "T0", \
      "KV heads are tiled over the query heads, not repeated", \
      "jax-js#180") \
    X(sees_no_self, attention, "T0", \
      "a row does not see its own key", \
      "own") \
    X(sees_the_next, attention, "T0", \
      "a row sees the key after its own", \
      "own") \
    X(first_100_keys, attention, "T0", \
      "only the first hundred keys are seen", \
      "chatllm.cpp#38") \
    X(shifted_after_reuse, attention, "T0", \
      "after a reused cache positions are one short", \
      "llama.cpp#12160") \
    X(chunk_decides_blocks, attention, "chunks", \
      "rows of a chunk are rounded otherwise than single ones", \
      "llama.cpp#249") \
    X(head_place, attention, "permuted", \
      "odd heads multiply by a reciprocal where even ones divide", \
      "own") \
    X(maximum_before_mask, attention, "truncated", \
      "a key after the visible ones takes part in the maximum that is subtracted", \
      "own") \
    X(scores_f16, attention, "T0", \
      "queries and so their scores are kept in f16", \
      "llama.cpp#10232") \
    X(scale_forgotten, attention, "T1", \
      "scores are not scaled", \
      "own") \
    X(first_block_only, attention, "T0", \
      "blocks of keys after the first are left out where there are several", \
      "own") \
    X(groups_that_do_not_divide, attention, "RE", \
      "query heads that are no multiple of the KV heads are accepted", \
      "flash-linear-attention#1029") \
    X(prompt_over_32, attention, "T1", \
      "in a call of more than 32 query rows every row sees what the first one sees", \
      "llama.cpp#9838") \
    X(ninth_kv_head, attention, "T1", \
      "from the ninth KV head on the heads begin again at the first", \
      "own") \
    X(group_over_8, attention, "T1", \
      "in groups of more than eight query heads those after the eighth read the next KV head", \
      "own") \
    X(keys_in_16_bits, attention, "T1", \
      "key positions are kept in 16 bits: of longer contexts only the remainder is seen", \
      "own") \
    X(key_index_in_16_bits, attention, "T0", \
      "keys are read at the low 16 bits of their position", \
      "own") \
    X(value_offset_in_20_bits, attention, "T0", \
      "of the offset of a value, in elements, 20 bits are kept", \
      "own") \
    X(key_offset_in_21_bits, attention, "T0", \
      "of the offset of a key, in bytes, 21 bits are kept", \
      "own") \
    X(head_over_a_million, attention, "T0", \
      "keys of a head are staged in room for 2^20 elements: what stands after is not seen", \
      "own") \
    X(rows_over_256, matmul, "T0", \
      "of more than 256 rows those after the last whole tile of 64 lose their last term", \
      "own") \
    X(k_over_4096, linear_q8, "T0", \
      "activations are staged in room for 4096: what stands after counts as zero", \
      "own") \
    X(features_over_4096, linear, "T0", \
      "features after the 4096th are given those 4096 before them", \
      "own") \
    X(norm_over_4096, rms_norm, "T1", \
      "of rows longer than 4096 only so many elements enter the mean", \
      "tt-metal#5294") \
    X(softmax_over_65535, softmax_rows, "T1", \
      "columns after the 65535th are left as they were", \
      "cunn#150") \
    X(argmax_in_16_bits, argmax_with_prob, "T1", \
      "the index of the largest is kept in 16 bits", \
      "own") \
    X(rope_over_32_rows, apply_rope, "T1", \
      "of more than 32 rows each is rotated by the position it has in its group of 32", \
      "tinygrad#15182") \
    X(ids_over_512, gather_rows, "T1", \
      "ids are staged in room for 512: what stands after is taken from the beginning again", \
      "own") \
    X(grid_of_65535, add, "T1", \
      "elements after the 65535th are left as they were", \
      "own") \
    X(kv_rows_over_32, kv_store, "T1", \
      "of more than 32 new rows those after are not stored", \
      "own") \
    X(swiglu_over_16384, swiglu, "T1", \
      "elements after the 16384th of a row are given those of its beginning", \
      "own") \
    X(small_tile_dropped, linear, "T1", \
      "tiles of 128 inputs below 2^-24 of the largest in their row are left out", \
      "own") \
    X(scale_of_the_tile_before, linear, "T1", \
      "scales of tiles are shifts of at most 24 from the tile before: smaller ones come out too large", \
      "own") \
    X(last_tile_in_bf16, linear, "T2", \
      "what the last tile of 128 inputs adds is kept in bf16 where these are below 2^-12 of the others", \
      "own") \
    X(q4_0_fused, quantize_rows, "T1", \
      "codes of Q4_0 come from a fused multiply-add", \
      "llama.cpp#8939") \
    X(q4_1_divided, quantize_rows, "T1", \
      "codes of Q4_1 are divided by the scale", \
      "FBGEMM#387") \
    X(q8_0_inverse_of_most, quantize_rows, "T1", \
      "codes of Q8_0 are multiplied by 127 over the largest", \
      "own") \
    X(q8_0_half_added, quantize_rows, "T1", \
      "codes of Q8_0 are rounded by adding a half and cutting off", \
      "own") \
    X(q8_0_divided, quantize_rows, "T1", \
      "codes of Q8_0 are divided by the scale", \
      "own") \
    X(gone_scale_has_codes, quantize_rows, "T1", \
      "a block whose scale vanishes keeps its codes", \
      "ai-edge-quantizer#678") \
    X(last_of_equal, quantize_rows, "T1", \
      "of two largest elements the last decides the sign of the scale", \
      "own") \
    X(zero_block_positive, quantize_rows, "T1", \
      "a block of zeros has the scale +0, not -0", \
      "own") \
    X(constant_block_empty, quantize_rows, "T1", \
      "a block of one value has no range and is stored as zeros", \
      "own") \
    X(k_without_search, quantize_rows, "T1", \
      "Q6_K takes the first scale that spans a group", \
      "own") \
    X(softmax_slice_nan, softmax_rows, "SV", \
      "eight -inf in a row of lanes make the sum NaN", \
      "flashinfer#1178") \
    X(scale_taken_absolute, attention, "T1", \
      "a scale below zero counts as one above", \
      "own") \
    X(scale_zero_is_default, attention, "T1", \
      "a scale of 0 is taken for one that was not given", \
      "own") \
    X(zero_scale_clears, scale, "T1", \
      "times 0 is done by clearing", \
      "own") \
    X(zero_addend_copies, add_scalar, "T1", \
      "plus 0 is done by copying", \
      "own") \
    X(transpose_skips_zeros, transpose_2d, "SV", \
      "entries that equal zero are left at +0", \
      "own") \
    X(concat_caps_infinity, concat_dim0, "SV", \
      "infinities become the largest finite", \
      "own") \
    X(gathered_nan_is_plain, gather_rows, "SV", \
      "a NaN of an f32 table loses sign and payload", \
      "own") \
    X(stored_nan_is_quiet, kv_store, "SV", \
      "a signalling NaN becomes quiet in an f32 cache", \
      "own") \
    X(rope_base_fixed, apply_rope, "T1", \
      "angles go down by 10000, whatever the table was made with", \
      "airllm#368") \
    X(zero_row_before_eps, rms_norm, "T1", \
      "a row of zeros is divided by its root before eps is added", \
      "own") \
    X(zero_scale_is_one, linear_q8, "T1", \
      "a weight block of scale 0 counts as one of scale 1", \
      "own") \
    X(gather_dim_over_1024, gather_rows, "T1", \
      "columns after the 1024th are zero", \
      "torchrec#3673") \
    X(dtype_of_the_first, linear, "T0", \
      "weights after the first are decoded as it is where their elements have the same size: BF16 as F16", \
      "own") \
    X(bias_from_the_part, linear, "parts", \
      "a part of the features takes the biases from the first on", \
      "own") \
    X(parts_rounded_up, linear_q8, "outside-part", \
      "a part begins and ends at the next multiple of eight: together they are whole, each for itself is another", \
      "llama.cpp#16956") \
    X(padded_group_spills, attention, "T0", \
      "groups are padded to a power of two: what pads one is stored as the first head of the next", \
      "own") \
    X(rope_table_by_element, apply_rope, "T1", \
      "neighbours in pairs: the table is read at the element of a pair, not at the pair", \
      "onnxruntime#26390") \
    X(triangle_unsigned, fill_strict_upper_tri, "T1", \
      "the column a row begins at has no sign: rows that begin before column 0 are not filled", \
      "own") \
    X(gather_offset_int, gather_rows, "guard", \
      "the offset of a row of the table is an int of bytes", \
      "own") \
    X(gather_offset_unsigned, gather_rows, "far", \
      "the offset of a row of the table is an unsigned int of bytes", \
      "own") \
    X(gather_elements_int, gather_rows, "guard", \
      "id times columns is multiplied as int", \
      "mlx#1051") \
    X(kv_offset_int, kv_store, "guard", \
      "where a head is stored is an int of bytes", \
      "own") \
    X(kv_offset_unsigned, kv_store, "far", \
      "where a head is stored is an unsigned int of bytes", \
      "own") \
    X(kv_elements_int, kv_store, "guard", \
      "where a head is stored is an int of elements", \
      "own") \
    X(keys_offset_int, attention, "guard", \
      "where the keys of a head begin is an int of bytes", \
      "own") \
    X(keys_offset_unsigned, attention, "far", \
      "where the keys of a head begin is an unsigned int of bytes", \
      "own") \
    X(keys_elements_int, attention, "guard", \
      "where the keys of a head begin is an int of elements", \
      "own") \
    X(x_stride_int, linear, "guard", \
      "where a row of x begins is an int of bytes", \
      "own") \
    X(out_stride_unsigned, linear, "far", \
      "where a row of the result begins is an unsigned int of bytes", \
      "own") \
    X(x_stride_elements_int, linear, "guard", \
      "row times stride is multiplied as int", \
      "own") \
    X(weight_row_unsigned, linear, "far", \
      "where a row of the weight begins is an unsigned int of bytes", \
      "own") \
    X(add_index_int, add, "guard", \
      "the index of an element is an int", \
      "own") \
    X(add_index_unsigned, add, "far", \
      "the index of an element is an unsigned int", \
      "own") \
    X(copied_row_unsigned, copy_row_2d, "far", \
      "the offset of a row is an unsigned int of bytes", \
      "own") \
    X(window_twice, copy_2d_into_cols, "guard", \
      "after 2^31 bytes a window is stored where it belongs, and where an int of its offset points as well", \
      "own") \
    X(decoded_rows_unsigned, dequantize_rows, "far", \
      "the offset of a row of blocks is an unsigned int of bytes", \
      "own") \
    X(norm_rows_int, rms_norm, "guard", \
      "the offset of a row is an int of elements", \
      "own") \
    X(last_of_twelve_heads, attention, "T1", \
      "in groups of 12 query heads the last one reads the KV head after its own", \
      "own") \
    X(one_beyond_768, matmul, "T0", \
      "of a depth one more than a multiple of 768 the last term is lost", \
      "own") \
    X(odd_block_of_many, linear_q8, "T0", \
      "of more than 64 blocks of Q8_0, an odd number, the last is left out for the last row", \
      "own") \
    X(nan_wins_in_a_vocabulary, argmax_with_prob, "SV", \
      "from 32 768 elements on the first NaN after them wins", \
      "own") \
    X(minus_infinity_of_a_vocabulary, softmax_rows, "SV", \
      "in rows of more than 8192 what is -inf keeps a little weight", \
      "own") \
    X(nan_lost_in_deep_sums, matmul, "SV", \
      "sums of more than 4096 terms that are NaN read as zero", \
      "own") \
    X(payloads_of_long_rows, gather_rows, "SV", \
      "in rows of more than 4096 floats a NaN becomes the default one", \
      "own") \
    X(zero_block_of_a_long_row, quantize_rows, "T1", \
      "blocks of zeros in rows of more than 4096 have a scale that is NaN", \
      "own") \
    X(ninth_wide_head, kv_store, "T1", \
      "of more than 8 KV heads of 64 and more elements, in F32, the ninth loses one", \
      "own") \
    X(row_twenty_of_long_ones, rms_norm, "T1", \
      "of rows of 2000 and more elements the twentieth is a thousandth too large", \
      "own") \
    X(eps_in_f16, rms_norm, "T1", \
      "eps below 2^-23 counts as none in rows of 512 and more", \
      "own") \
    X(nan_alone_canonical, argmax_with_prob, "SV", \
      "where everything is NaN, the value is the NaN of the C library, not that of x[0]", \
      "own") \
    X(minus_infinity_never_wins, argmax_with_prob, "SV", \
      "a search that starts from -inf stays at index 0 where -inf stands after NaN", \
      "own") \
    X(blocks_of_zeros_skipped, linear, "SV", \
      "32 inputs that are all zero are skipped, and with them weights that are infinite", \
      "own") \
    X(sums_flushed, sum_squares_axis, "T1", \
      "a sum of squares below 2^-126 counts as zero", \
      "own") \
    X(infinite_minimum_stored, quantize_rows, "T1", \
      "a minimum beyond F16 is stored as an infinity beside a scale and codes", \
      "own") \
    X(large_codes_clamped, dequantize_rows, "T1", \
      "values of Q8_32F beyond 10^37 are cut down to it", \
      "own") \
    X(small_results_keep_a_scale, rms_norm, "T1", \
      "a block of results below 2^-118 gets the scale of its largest instead of none", \
      "own") \
    X(maximum_before_the_scale, attention, "T1", \
      "below scale 0 the smallest score is taken off instead of the largest", \
      "own") \
    X(equal_pointers_are_done, hadamard, "shared-input", \
      "x and y that are one memory are taken for a call in place that has been made", \
      "own") \
    X(square_by_symmetry, matmul, "shared-input", \
      "of a matrix times itself only one triangle is computed, as if it were times its transpose", \
      "own") \
    X(one_cache_is_no_cache, attention, "shared-input", \
      "keys that are the values are not read: the result is zeros", \
      "own") \
    X(strides_from_the_first, linear, "gap", \
      "rows of every output are as far apart as the first weight says, and what that one lacks", \
      "own") \
    X(four_lanes_at_most, add, "threads", \
      "lanes from the fifth on leave their last element out", \
      "own") \
    X(merge_in_place, attention, "guard", \
      "the merge of key blocks adds up in the partials of the first of them", \
      "own") \
    X(full_window_once, copy_2d_from_cols, "T1", \
      "of a window of all columns only the first row of a part is copied from 513 columns on", \
      "own") \
    X(scratch_in_a_maximum, rms_norm, "order", \
      "a maximum that skips NaN takes in what the scratch held", \
      "own") \
    X(rope_of_one_position, apply_rope, "T1", \
      "a row at the position of the one before is not rotated", \
      "own") \
    X(argmax_rest_of_a_vocabulary, argmax_with_prob, "T1", \
      "of more than 131072 elements those that vectors of 16 leave over are left out", \
      "own") \
    X(triangle_row_383, fill_strict_upper_tri, "T1", \
      "the first column beyond the diagonal keeps its value in row 383", \
      "own") \
    X(head_rest_over_256, attention, "T1", \
      "of heads above 256 the 16 components that vectors of 32 leave over are others", \
      "own") \
    X(weight_given_twice, linear, "shared-input", \
      "a weight given twice is multiplied once, and its second bias forgotten", \
      "own") \
    X(one_handle_for_both, linear, "prepare", \
      "a weight given twice has one handle, which is given back twice", \
      "own") \
    X(pages_of_sixteen_apart, attention, "pages", \
      "a page is looked for where it would begin if pages had 16 rows, whatever they have", \
      "vllm#27547") \
    X(last_page_read_whole, attention, "pages", \
      "values after the last key are multiplied by zero up to the end of their page", \
      "vllm#936") \
    X(chunk_in_one_page, kv_store, "pages", \
      "rows of a chunk that do not fit the page of its first begin that page again", \
      "own") \
    X(products_of_sums, matmul, "T1", \
      "seven products of sums of blocks in the place of eight: small rows are rounded like large ones", \
      "doi:10.1007/BF02165411") \
    X(transposed_corner, transpose_2d, "T1", \
      "beyond 64 rows and columns the last element of what tiles of 8 leave over is its neighbour", \
      "own") \
    X(sequences_after_eight, attention, "company", \
      "of a list of more than eight sequences those after the eighth get zeros", \
      "own") \
    X(minus_one_subtracts, scale, "T1", \
      "a product with -1 is 0 - x, so that zeros lose their sign", \
      "own") \
    X(maximum_without_rest, softmax_rows, "T1", \
      "of more than 1024 columns the largest is looked for in whole vectors: one in the rest overflows", \
      "own") \
    X(ids_of_the_first_four, gather_rows, "status", \
      "of more than four ids only the first four are looked at, and what is none is taken for 0", \
      "own") \
    X(row_behind_put_back, fill_strict_upper_tri, "guard", \
      "a vector is stored over the beginning of the next row, and what was there is put back", \
      "own") \
    X(nothing_above, concat_dim0, "T1", \
      "where nothing stands above, of more than 512 columns the first row alone is copied", \
      "own")
/* clang-format on */

#endif
