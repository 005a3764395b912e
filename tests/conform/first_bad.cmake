# The first bad op of a model's run.
ifn_add_test(conform first_bad SOURCES command.c ../support/tiny_model.c)
ifn_slow_watched(conform/first_bad)
ifn_add_test(conform first_bad_call)
ifn_add_test(conform first_bad_put)
ifn_add_test(conform mirror SOURCES ../support/tiny_model.c)
ifn_add_test(conform first_bad_device ALONE SOURCES ../support/tiny_model.c)
add_dependencies(conform_first_bad_device_test fenced_plugin)
target_compile_definitions(conform_first_bad_device_test PRIVATE FENCED="$<TARGET_FILE:fenced_plugin>")
