# The first bad op of a model's run.
target_sources(ifn_conform PRIVATE
    first_bad/call_judge.c
    first_bad/call_slice.c
    first_bad/call_suspects.c
    first_bad/call_view.c
    first_bad/call_view_ops.c
    first_bad/find_call.c
    first_bad/find_drift.c
    first_bad/first_bad.c
    first_bad/first_bad_put.c
    first_bad/memory_watch.c
    first_bad/one_op.c)
