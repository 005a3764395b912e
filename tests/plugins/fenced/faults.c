#include "faults.h"

#include <stdlib.h>
#include <string.h>

ifn_op faults_op(device_fault fault)
{
    static const char *const names[] = {"",
#define X(name, op, killer, text) #op,
                                        DEVICE_FAULTS(X)
#undef X
    };
    ifn_op op = IFN_OP_COUNT;
    (void)ifn_op_from_name(names[fault], &op);
    return op;
}

/* --- launches --- */

/* The elements of the part [begin, end) of n; 0 if the part is not legal, as such a call is to be refused. */
static int64_t elements_of(int64_t begin, int64_t end, int64_t n)
{
    return begin < 0 || end > n ? 0 : end ? end - begin : n;
}

/* Shortens the part to its first n elements. Returns false if n is 0. */
static bool keep_elements(int64_t *begin, int64_t *end, int64_t n)
{
    *end = *begin + n;
    return n > 0;
}

/* Adds one element to the part, or to n where the call is whole or the part reaches its end. */
static void add_element(int64_t *begin, int64_t *end, int64_t *n)
{
    if (*n < 1 || *begin < 0 || *end > *n)
        return;
    *end += *end > 0;
    *n += *end == 0 || *end > *n;
}

static void read_one_behind(ifn_sum_squares_axis_args *a)
{
    a->cols += a->axis == 1 && a->rows == 1 && a->cols > 0;
}

/* --- replay: a recorded call is found by its addresses alone --- */

static bool replay(device_fault fault, const ifn_args *last, ifn_args *args)
{
    switch (fault) {
    case DEVICE_replayed_with_the_old_scalar:
        if (last->scale.out == args->scale.out)
            args->scale.value = last->scale.value;
        return true;
    case DEVICE_replayed_to_the_old_row:
        if (last->copy_row_2d.out == args->copy_row_2d.out &&
            last->copy_row_2d.out_row < args->copy_row_2d.out_rows)
            args->copy_row_2d.out_row = last->copy_row_2d.out_row;
        return true;
    case DEVICE_replayed_to_the_old_offset: {
        ifn_copy_contiguous_into_args *const a = &args->copy_contiguous_into;
        const int64_t old = last->copy_contiguous_into.out_offset;
        if (last->copy_contiguous_into.out == a->out && old + a->n <= a->out_n)
            a->out_offset = old;
        return true;
    }
    case DEVICE_pass_replayed_at_the_old_position: {
        ifn_kv_store_args *const a = &args->kv_store;
        const int64_t old = last->kv_store.first_pos;
        if (last->kv_store.k_cache == a->k_cache && old + a->rows <= a->max_pos)
            a->first_pos = old;
        return true;
    }
    case DEVICE_repeated_call_left_out:
        return memcmp(last, args, sizeof *args) != 0;
    default:
        return true;
    }
}

static bool record_op(device_fault fault, device_past *past, ifn_args *args)
{
    const ifn_args fresh = *args;
    int64_t n;
    bool is_to_run = true;
    switch (fault) {
    case DEVICE_tail_not_launched:
        n = elements_of(args->add.part_begin, args->add.part_end, args->add.n);
        is_to_run = keep_elements(&args->add.part_begin, &args->add.part_end, n - n % 16);
        break;
    case DEVICE_grid_too_small:
        n = elements_of(args->hadamard.part_begin, args->hadamard.part_end, args->hadamard.n);
        is_to_run =
            keep_elements(&args->hadamard.part_begin, &args->hadamard.part_end, n < 256 ? n : 256);
        break;
    case DEVICE_grid_too_large:
        add_element(&args->rsqrt_elem.part_begin, &args->rsqrt_elem.part_end, &args->rsqrt_elem.n);
        break;
    case DEVICE_sum_of_one_too_many:
        read_one_behind(&args->sum_squares_axis);
        break;
    case DEVICE_part_not_recorded:
        args->silu.part_begin = args->silu.part_end = 0;
        break;
    default:
        is_to_run = replay(fault, &past->call, args);
    }
    past->call = fresh;
    return is_to_run;
}

/* --- copy_in, copy_out --- */

static bool record_copy_in(device_fault fault, device_past *past, ifn_copy_in_args *a)
{
    const ifn_copy_in_args last = past->in;
    past->in = *a;
    switch (fault) {
    case DEVICE_copy_in_a_byte_too_few:
        a->bytes -= a->bytes > 0;
        return true;
    case DEVICE_upload_on_a_queue_of_its_own:
        a->call.lane = (a->call.lane + 1) % FAULTS_LANES;
        return true;
    case DEVICE_upload_forgotten:
        return last.host != a->host || last.bytes != a->bytes;
    default:
        return true;
    }
}

static bool record_copy_out(device_fault fault, ifn_copy_out_args *a)
{
    if (fault == DEVICE_copy_out_a_byte_too_few)
        a->bytes -= a->bytes > 0;
    if (fault == DEVICE_copy_out_in_words)
        a->bytes -= a->bytes % 4;
    return true;
}

bool faults_record(device_fault fault, device_past *past, ifn_op op, ifn_args *args)
{
    if (op == IFN_OP_COPY_IN)
        return record_copy_in(fault, past, &args->copy_in);
    if (op == IFN_OP_COPY_OUT)
        return record_copy_out(fault, &args->copy_out);
    past->is_last = op == faults_op(fault);
    if (fault == DEVICE_pass_replayed_at_the_old_position && !past->is_in_pass)
        return true;
    return !past->is_last || record_op(fault, past, args);
}

void faults_keep_copy(device_fault fault, device_past *past, const ifn_copy_out_args *a)
{
    if (fault != DEVICE_copy_out_from_a_stale_copy || a->bytes == 0)
        return;
    if (past->copy && past->out.x == a->x && past->out.bytes == a->bytes) {
        memcpy(a->host, past->copy, a->bytes);
        return;
    }
    free(past->copy);
    past->copy = malloc(a->bytes);
    past->out = *a;
    if (past->copy)
        memcpy(past->copy, a->host, a->bytes);
}

ifn_status faults_told(device_fault fault, device_past *past, ifn_status status)
{
    if (fault == DEVICE_wait_forgets_the_failure)
        return IFN_OK;
    if (fault == DEVICE_failure_told_to_any_lane && status == IFN_OK) {
        const ifn_status noted = past->failed;
        past->failed = IFN_OK;
        return noted;
    }
    if (fault != DEVICE_failure_is_told_for_ever)
        return status;
    past->failed = past->failed == IFN_OK ? status : past->failed;
    return past->failed;
}

/* --- addresses --- */

size_t faults_offset(device_fault fault, size_t offset, size_t begin)
{
    const size_t within = offset - begin;
    switch (fault) {
    case DEVICE_offset_in_32_bits:
        return (uint32_t)offset;
    case DEVICE_offset_in_16_bits:
        return begin + (uint16_t)within;
    case DEVICE_view_offset_forgotten:
    case DEVICE_copy_out_forgets_the_offset:
    case DEVICE_copy_in_forgets_the_offset:
        return begin;
    case DEVICE_view_rounded_down:
        return begin + within / 64 * 64;
    default:
        return offset;
    }
}
