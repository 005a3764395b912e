/* Uses what the list, the signature and the cost of an op give without any code for that op. */
#include <stdio.h>

#include <inferno/signature.h>

#include "legal_calls.h"
#include "scalar.h"
#include "work.h"

#define EXPECT(what) failed += (what) ? 0 : (puts(#what), 1)

int main(void)
{
    ifn_op op = IFN_OP_COUNT;
    ifn_op_table table = {0};
    ifn_op_cost cost;
    ifn_error err;
    int failed = 0;
    EXPECT(ifn_op_from_name("negate", &op) == 1 && op == IFN_OP_NEGATE);
    EXPECT(ifn_op_arg_find(op, "x") != NULL && ifn_op_cut(op, 0) == IFN_CUT_ELEMENTS);
    ifn_negate_args a = legal_negate();
    EXPECT(a.n == 11 && ifn_op_extent(op, &a.call, 0) == 11);
    EXPECT(ifn_op_check(op, &a.call, &err) == IFN_OK);
    EXPECT(ifn_op_count_cost(op, &a.call, &cost, &err) == IFN_OK && cost.bytes == 88);
    EXPECT(ifn_parallel_work(op, &a.call) > 0);
    ifn_backend_scalar.fill(&table, NULL);
    mem[2][10] = 2.5f;
    EXPECT(table.negate(NULL, &a) == IFN_OK && mem[0][10] == -2.5f);
    a.n = -1;
    EXPECT(ifn_op_check(op, &a.call, &err) == IFN_ERR_SHAPE);
    a.n = 11;
    a.out = (float *)a.x + 1;
    EXPECT(ifn_op_check(op, &a.call, &err) == IFN_ERR_SHAPE);
    return failed != 0;
}
