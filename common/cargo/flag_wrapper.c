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

/* The next value of "--NAME VALUE" or "--NAME=VALUE", past which the arguments go; NULL: no more. */
static const char *next_value(char *const **arguments, const char *name)
{
    size_t length = strlen(name);

    while (**arguments) {
        const char *argument = *(*arguments)++;

        if (strncmp(argument, name, length) != 0)
            continue;
        if (argument[length] == '=')
            return argument + length + 1;
        if (argument[length] == '\0' && **arguments)
            return *(*arguments)++;
    }
    return NULL;
}

/* The last value counts; NULL when there is none. */
static const char *value_of(char *const *arguments, const char *name)
{
    const char *found = NULL;

    for (const char *value = NULL; (value = next_value(&arguments, name)) != NULL;)
        found = value;
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

/* Whether a file is linked that people asked for: a library of Rust's own alone is not. */
static bool is_linked_last(char *const *arguments)
{
    const char *type = NULL;
    bool has_type = false;

    if (!getenv("CARGO_PRIMARY_PACKAGE"))
        return false;
    while ((type = next_value(&arguments, "--crate-type")) != NULL) {
        if (strcmp(type, "lib") != 0 && strcmp(type, "rlib") != 0)
            return true;
        has_type = true;
    }
    return !has_type;
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
