/*
 * The wing of 2026: faults that follow public issues and fixes of that year, sorted by project and number.
 * For the fields of an entry see museum_faults.h.
 */
#ifndef MUSEUM_FAULTS_2026_H
#define MUSEUM_FAULTS_2026_H

/* clang-format off */
#define MUSEUM_2026(X) \
    X(first_super_block_only, dequantize_rows, "T1", \
      "of a row of Q5_K only the first block is decoded, the rest is zero", \
      "1bit-MONSTER#488") \
    X(stale_copy_of_b, matmul, "order", \
      "b is packed once and found again by its address, though it has changed since", \
      "AiDotNet.Tensors#583") \
    X(rope_table_overread, apply_rope, "guard", \
      "neighbours in pairs: as many cosines and sines are read as there are elements, not pairs", \
      "aiter#3078") \
    X(kv_zero_row_nan, kv_store, "T1", \
      "a row of zeros is stored with a scale of 0/0", \
      "aiter#4289") \
    X(q5_0_wraps, quantize_rows, "T1", \
      "the code 32 of an element as large as the largest, with the other sign, wraps to 0", \
      "aiter#4637") \
    X(norm_into_next_row, rms_norm, "parts", \
      "rows of odd length are stored in pairs: the last one covers the first element of the next row", \
      "aiter#5044") \
    X(q2_k_codes_in_row, dequantize_rows, "T1", \
      "the codes of Q2_K are read four to a byte in a row, though those of a byte lie 32 apart", \
      "aprender#1924") \
    X(rope_always_halves, apply_rope_single_row, "T1", \
      "the pairing is taken for half-split, whatever is asked for", \
      "aprender#2084") \
    X(over_read_128, linear_q8, "guard", \
      "activations are read up to 128 bytes past their end", \
      "aprender#2098") \
    X(q3_k_scales_of_4_bits, dequantize_rows, "T1", \
      "the scales of Q3_K are read as numbers of 4 bits", \
      "aprender#2115") \
    X(neighbour_scale, linear_q8, "T0", \
      "in Q6_K groups of 16 are multiplied by their neighbour's scale", \
      "aprender#2141") \
    X(half_of_a_code_sum, linear_q8, "T0", \
      "the sum of a block of x, for minima, is that of its first 16 codes", \
      "aprender#3105") \
    X(k_zero_block_nan, quantize_rows, "T1", \
      "a Q6_K block of zeros has a scale of 0/0", \
      "auto-round#1908") \
    X(bf16_subnormals_flushed, quantize_rows, "T1", \
      "subnormals become zero in bf16, as the instruction of the processor does it", \
      "BFloat16s.jl#125") \
    X(zero_from_500_rows, matmul, "T0", \
      "from 500 rows on the result is zero", \
      "burn#4966") \
    X(concat_window_wraps, concat_dim0, "T1", \
      "the size of b is kept in 16 bits: what stands after it reads as zero; the original had 32", \
      "composable_kernel#3722") \
    X(rope_row_offset_short, apply_rope, "T1", \
      "the offset of a row of heads is kept in 16 bits, where the original had 31", \
      "FlagGems#4156") \
    X(partials_packed, attention, "outside-part", \
      "partials of some of the blocks are stored as if there were no others", \
      "flash-attention#2388") \
    X(head_dim_in_16, attention, "T0", \
      "elements of a head after the last 16 do not enter the scores", \
      "flashinfer#4299") \
    X(attention_block_nan, attention, "SV", \
      "a first block of keys that is all -inf makes the row NaN", \
      "flashinfer#4401") \
    X(queries_from_65, attention, "T1", \
      "of more than 64 query rows those after the first 64 are given those before them", \
      "flashinfer#5095") \
    X(values_without_scales, attention, "T0", \
      "values of a Q8_0 cache are read as bare codes", \
      "FreeToken#309") \
    X(query_offset_short, attention, "T1", \
      "the offset of a row of queries is kept in 16 bits, where the original had 31", \
      "generative-recommenders#556") \
    X(kv_clamped, kv_store, "T1", \
      "values beyond f16 are stored as 65504, not as an infinity", \
      "ik_llama.cpp#1659") \
    X(rope_pairing_swapped, apply_rope, "T1", \
      "each pairing rotates the pairs of the other", \
      "ik_llama.cpp#2290") \
    X(chunks_by_lanes, hadamard, "threads", \
      "there are as many chunks of 64 as lanes, if those are three or more: what stands after is left out", \
      "ik_llama.cpp#2357") \
    X(window_rounded_up, copy_2d_into_cols, "T1", \
      "a window is stored up to a multiple of four columns", \
      "llama.cpp#19575") \
    X(gap_stored, linear, "gap", \
      "rows of the whole output are stored up to a multiple of four, gap or not", \
      "llama.cpp#19575") \
    X(block_sum_f16, linear_q8, "T1", \
      "the sum of a block times its scale is kept in f16 and overflows", \
      "llama.cpp#21652") \
    X(f16_accumulator, matmul, "T0", \
      "sums are kept with the 11 significant bits of f16", \
      "llama.cpp#22841") \
    X(inactive_lanes, matmul, "T0", \
      "lanes that are inactive in the tail lose what they had summed", \
      "llama.cpp#24699") \
    X(wide_store, matmul, "guard", \
      "four to seven columns that remain are stored as eight", \
      "llama.cpp#25640") \
    X(tile_reads_the_gap, linear, "T1", \
      "the tail of a row of x is read as a whole tile of 32 against zeros, gap and all", \
      "llama.cpp#27450") \
    X(accumulator_not_cleared, sum_squares_axis, "repeat", \
      "the accumulator of the last column starts with what the call before left in it", \
      "llama.cpp#28281") \
    X(scratch_taken_for_zero, rms_norm, "T1", \
      "the sum of squares starts with what scratch happens to hold", \
      "llama.cpp#28281") \
    X(slice_past_a_mib, matmul, "T0", \
      "rows of b that lie a MiB or more after its beginning are taken from a MiB before them; 2 GiB in the original", \
      "llama.cpp#28748") \
    X(odd_block_dropped, linear_q8, "T0", \
      "blocks are done in pairs: the last of an odd number is left out", \
      "llama.cpp#29131") \
    X(short_index, transpose_2d, "T1", \
      "an index is too short for the number of elements: 16 bits here, where 32 take gigabytes to show", \
      "mlx#3327") \
    X(columns_in_16_bits, linear_q8, "T0", \
      "the distance to the last feature is kept in 16 bits: where the rows are no whole tile, features more than 32767 before it stay zero", \
      "mlx#3631") \
    X(split_k_border, matmul, "T0", \
      "where the sum is split for its length the last piece is not added; borders are a sixteenth of the real ones", \
      "mlx#3797") \
    X(half_a_tile_of_k, linear, "T0", \
      "for several rows the sum runs in tiles of 32, and a last half of one is left out", \
      "mlx#3912") \
    X(gather_rest_in_12_bits, gather_rows, "T1", \
      "how many ids remain is kept in 12 bits and a sign: of more than 2048, if they fill no tile of 64, the first tiles stay zero; the original had 16", \
      "mlx#3922") \
    X(one_row_in_whole_tiles, linear, "T0", \
      "for one row of 1024 or more, features after the last 64 stay zero: their number is divided and not rounded up", \
      "mlx#4250") \
    X(row_offset_short, copy_2d_from_cols, "T1", \
      "the offset of a row is kept in 16 bits, where the original had 31", \
      "mlx#4548") \
    X(rsqrt_refined_at_zero, rsqrt_elem, "T1", \
      "the estimate is refined at zero and at infinity, too, where that is 0 * inf", \
      "ncnn#6903") \
    X(minima_in_whole_tiles, linear_q8, "T0", \
      "minima are subtracted in tiles of 16 features: those after the last tile go without", \
      "oneDNN#5377") \
    X(tail_meets_next_row, matmul, "SV", \
      "the tail of a row is read as a tile of 32 against zeros: what is not finite in the next row gets in", \
      "oneDNN#5717") \
    X(table_offset_short, gather_rows, "T1", \
      "the offset of a row in the table is kept in 16 bits, where the original had 31", \
      "onnxruntime#28108") \
    X(tail_ties_away, quantize_rows, "T1", \
      "the last 16 codes of a block round ties away", \
      "onnxruntime#28606") \
    X(edge_rows_twice, matmul, "T0", \
      "of four to seven leftover rows the second pair is given what the first has", \
      "OpenBLAS#5811") \
    X(added_over_y, add, "alias", \
      "x is copied to where the result goes before y is read from there", \
      "pto-isa#179") \
    X(pages_in_pairs, attention, "pages", \
      "of two entries of a block table the second is not read: its page is the one after the first's", \
      "pypto#470") \
    X(argmax_within_tile, argmax_with_prob, "T1", \
      "the index is the one within a tile of 8; only the tail after the last tile is right", \
      "pytorch#179525") \
    X(minus_zero_below_zero, argmax_with_prob, "T1", \
      "+0 wins over a -0 that came first", \
      "q27#14") \
    X(f16_nan_is_infinity, quantize_rows, "SV", \
      "a NaN whose upper payload bits are zero becomes an infinity of f16", \
      "rocm-libraries#11325") \
    X(softmax_max_of_zero, softmax_rows, "T1", \
      "rows shorter than 32 have their maximum taken over lanes that hold 0", \
      "rvllm#1") \
    X(slot_zero_reserved, kv_store, "T1", \
      "position 0 is kept for padding: what belongs there is not stored", \
      "sglang#32477") \
    X(mask_from_the_chunk, attention, "T0", \
      "in a call of several rows a row sees as many keys as it has in the call, whatever the cache holds", \
      "sparkinfer#3") \
    X(subnormal_scale_flushed, quantize_rows, "T1", \
      "a scale that is subnormal in f16 is stored as zero", \
      "surogate#162") \
    X(k_tail_of_second_tile, matmul, "T0", \
      "after a first tile of 128 terms those after the last 16 meet the wrong rows of b", \
      "tilelang-ascend#1341") \
    X(f16_subnormals_halved, dequantize_rows, "T1", \
      "subnormals of f16 are read with the exponent one too low", \
      "torch-spyre#4689") \
    X(no_bias_from_64_rows, linear, "T0", \
      "the path for 64 rows and more forgets the bias", \
      "toshllm#31") \
    X(silu_tail_diverges, silu, "T1", \
      "below -18 the result is x times a constant: the sigmoid is clamped, x is not", \
      "tract#2506") \
    X(scales_of_dense_rows, linear_q8, "T0", \
      "codes of x follow its stride, their scales are taken as if rows had no gaps", \
      "transformers#47331") \
    X(copy_index_signed, copy_contiguous_into, "T1", \
      "an index has 16 bits and a sign: elements from 2^15 to 2^16 count as before the first and are not copied", \
      "triton#944") \
    X(store_offset_short, copy_2d_into_cols, "T1", \
      "the offset of a row of the result is kept in 16 bits, where the original had 31", \
      "Triton-distributed#201") \
    X(transpose_odd_page, transpose_2d, "T1", \
      "where both sizes are one more than a multiple of 32 the last row of the result is the one before it", \
      "tt-metal#44726") \
    X(chunk_sees_itself, attention, "T0", \
      "after 64 keys or more in the cache the rows of a call see all keys up to its last row", \
      "tt-metal#48899") \
    X(softmax_last_tile_raw, softmax_rows, "T1", \
      "the last of several tiles of 32 columns enters the sum without being shifted", \
      "tt-metal#51278") \
    X(rsqrt_by_sign_bit, rsqrt_elem, "T1", \
      "-0 counts as less than zero, by its sign bit", \
      "tt-metal#53975") \
    X(heads_run_on, kv_store, "T1", \
      "rows of every other head are stored where the head before it goes on, not at the beginning of their own", \
      "tt-metal#54742") \
    X(chunk_padded_in_cache, kv_store, "T1", \
      "new rows are stored up to a multiple of four where the cache has room: the last one again", \
      "tt-metal#54744") \
    X(q4_0_without_its_least, quantize_rows, "T1", \
      "codes of Q4_0 saturate at -7, not at -8", \
      "tt-metal#56526") \
    X(values_in_64_lanes, attention, "T0", \
      "for one row, elements of a head after the last 64 stay zero: shorter heads wholly", \
      "vllm#34570") \
    X(norm_stages_of_1024, rms_norm, "T2", \
      "of two or more stages of 1024 the first is summed twice, unless they are four, as in the size that was tested", \
      "vllm#44692") \
    X(argmax_into_padding, argmax_with_prob, "SV", \
      "where all are NaN the index is one of the padding up to a power of two", \
      "vllm#50183") \
    X(rounded_by_company, attention, "company", \
      "how the keys of a row are split, and so how its sum is rounded, is chosen by the number of sequences in the call", \
      "vllm#51902") \
    X(merged_onto_one_row, attention, "T0", \
      "the merge of partials stores every row in the place of the first", \
      "vllm-project/flash-attention#176") \
    X(blocks_of_the_first_row, attention, "T0", \
      "all rows of a call merge as many blocks of keys as its first one has", \
      "vllm-xpu-kernels#556")
/* clang-format on */

#endif
