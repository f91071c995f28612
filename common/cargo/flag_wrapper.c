#include "cargo/flag_wrapper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cargo/user_wrapper.h"
#include "proc/ourselves.h"

/* Behind all other arguments, so that these are what counts. */
static const char *const exact_arguments[] = {"-Csymbol-mangling-version=v0", "-Cdebuginfo=line-tables-only",
                                              "-Cstrip=none", NULL};
/* What there is to warn of was said when the file was built that ships. */
static const char *const relink_arguments[] = {"-Cstrip=none", "--cap-lints=allow", NULL};
static const char *const no_arguments[] = {NULL};

bool flag_wrapper_is_wanted(void)
{
    return getenv(FLAG_WRAPPER_VARIABLE) != NULL;
}

/* The value of "--NAME VALUE" or "--NAME=VALUE" among the arguments; the last counts. NULL when there is
 * none. */
static const char *value_of(char *const *arguments, const char *name)
{
    size_t length = strlen(name);
    const char *found = NULL;

    for (; *arguments; arguments++) {
        if (strncmp(*arguments, name, length) != 0)
            continue;
        if ((*arguments)[length] == '=')
            found = *arguments + length + 1;
        else if ((*arguments)[length] == '\0' && arguments[1])
            found = arguments[1];
    }
    return found;
}

/* Questions that cargo and build scripts ask the compiler, build scripts and procedural macros stay as they
 * are. */
static bool is_of_program(char *const *arguments)
{
    const char *crate = value_of(arguments, "--crate-name");
    const char *type = value_of(arguments, "--crate-type");

    return crate && strcmp(crate, "___") != 0 && strncmp(crate, "build_script_", 13) != 0 &&
           !(type && strcmp(type, "proc-macro") == 0);
}

/* Whether a file is linked that people asked for: a library of Rust's own is not. */
static bool is_linked_last(char *const *arguments)
{
    const char *type = value_of(arguments, "--crate-type");

    return getenv("CARGO_PRIMARY_PACKAGE") &&
           !(type && (strcmp(type, "lib") == 0 || strcmp(type, "rlib") == 0));
}

static const char *const *added_arguments(char *const *arguments)
{
    const char *mode = getenv(FLAG_WRAPPER_VARIABLE);

    if (!mode || !is_of_program(arguments))
        return no_arguments;
    if (strcmp(mode, FLAG_WRAPPER_EXACT) == 0)
        return exact_arguments;
    return is_linked_last(arguments) ? relink_arguments : no_arguments;
}

int flag_wrapper_run(int argc, char **argv)
{
    SCOPED(arena_done) struct arena arena = {0};
    const char *chain = getenv(FLAG_WRAPPER_CHAIN_VARIABLE);
    const char *const *added = NULL;
    char **command = ARENA_ARRAY(&arena, (size_t)argc + ARRAY_COUNT(exact_arguments) + 1, char *);
    size_t count = 0;

    if (argc < 2) {
        fprintf(stderr, "%s: error: no compiler was named\n", program_invocation_short_name);
        return EXIT_CODE_FAILED;
    }
    added = added_arguments(argv + 1);
    if (chain && *chain)
        command[count++] = arena_copy(&arena, slice_of(chain));
    for (int i = 1; i < argc; i++)
        command[count++] = argv[i];
    for (; *added; added++)
        command[count++] = arena_copy(&arena, slice_of(*added));
    execvp(command[0], command);
    fprintf(stderr, "%s: error: start %s: %s\n", program_invocation_short_name, command[0], strerror(errno));
    return EXIT_CODE_FAILED;
}

int flag_wrapper_set_variables(struct arena *arena, const struct options *options, const char *mode,
                               const char **variables, struct error *err)
{
    const char *ourselves = NULL;
    const char *chain = user_wrapper_find(arena, options);
    size_t count = 0;

    if (ourselves_find(arena, &ourselves, err) < 0)
        return -1;
    variables[count++] = arena_format(arena, "RUSTC_WRAPPER=%s", ourselves);
    variables[count++] = arena_format(arena, FLAG_WRAPPER_VARIABLE "=%s", mode);
    variables[count++] = arena_format(arena, FLAG_WRAPPER_CHAIN_VARIABLE "=%s", chain ? chain : "");
    variables[count] = NULL;
    return 0;
}
