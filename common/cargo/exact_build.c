#include "cargo/exact_build.h"

#include "cargo/flag_wrapper.h"

int exact_build(const struct cargo_request *request, struct cargo_built *out, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct cargo_request exact = *request;
    const char *variables[FLAG_WRAPPER_VARIABLES];

    if (flag_wrapper_set_variables(&arena, request->options, FLAG_WRAPPER_EXACT, variables, err) < 0)
        return -1;
    exact.own_directory = EXACT_BUILD_DIRECTORY;
    exact.environment = variables;
    return cargo_build(&exact, out, err);
}
