# The first bad op of a model's run.
ifn_add_test(conform first_bad SOURCES command.c ../support/tiny_model.c)
ifn_add_test(conform first_bad_call)
ifn_add_test(conform first_bad_put)
