/* The option tables of every command, all of a command's together. */
#include "cmocka_all.h"

#include <string.h>

#include "cli/options.h"

/* Every command's command_line.h declares its own; they cannot be included together. */
extern const struct command bloatc_command;
extern const struct command llvmlines_command;
extern const struct command cprof_command;

static const struct command *const commands[] = {&bloatc_command, &llvmlines_command, &cprof_command};

typedef void check_fn(const struct command *command, const struct option_spec *spec,
                      const struct option_spec *other);

static void for_each_pair_of(const struct command *command, check_fn *check)
{
    const struct option_table *const *tables = command->tables;

    for (size_t t = 0; tables[t]; t++)
        for (size_t i = 0; i < tables[t]->count; i++)
            for (size_t u = 0; tables[u]; u++)
                for (size_t j = 0; j < tables[u]->count; j++)
                    check(command, &tables[t]->specs[i], &tables[u]->specs[j]);
}

static void for_each_pair(check_fn *check)
{
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++) {
        for_each_pair_of(commands[i], check);
        for (size_t verb = 0; verb < commands[i]->verb_count; verb++)
            for_each_pair_of(commands[i]->verbs[verb].command, check);
    }
}

static void check_names_differ(const struct command *command, const struct option_spec *spec,
                               const struct option_spec *other)
{
    if (spec == other)
        return;
    if (strcmp(spec->name, other->name) == 0)
        fail_msg("cargo %s: --%s stands twice in the tables", command->name, spec->name);
    if (spec->letter && spec->letter == other->letter)
        fail_msg("cargo %s: --%s and --%s have the same letter", command->name, spec->name, other->name);
}

static void no_name_and_no_letter_is_used_twice(void **state)
{
    (void)state;
    for_each_pair(check_names_differ);
}

static void check_spec(const struct command *command, const struct option_spec *spec,
                       const struct option_spec *other)
{
    const struct option_spec *meant = NULL;

    if (spec != other)
        return;
    if ((spec->arity == OPTION_FLAG) != (spec->value == NULL))
        fail_msg("cargo %s --%s: a flag has no value to name, all else has", command->name, spec->name);
    if (!spec->stands_for)
        return;
    meant = command_find_option(command, spec->stands_for);
    if (!meant || meant->stands_for || meant->arity != spec->arity)
        fail_msg("cargo %s: --%s stands for --%s, which is none or of another kind", command->name,
                 spec->name, spec->stands_for);
}

static void every_spelling_from_habit_stands_for_an_option_of_the_same_kind(void **state)
{
    (void)state;
    for_each_pair(check_spec);
}

static void check_takes(const struct command *command, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!command_find_option(command, names[i]))
            fail_msg("cargo %s has no --%s", command->name, names[i]);
}

static void what_cargo_bloat_takes_is_taken(void **state)
{
    static const char *const names[] = {
        "lib",     "bin",    "example",          "test",           "package",
        "release", "jobs",   "features",         "all-features",   "no-default-features",
        "profile", "config", "target",           "target-dir",     "frozen",
        "locked",  "crates", "filter",           "split-std",      "symbols-section",
        "full-fn", "wide",   "no-relative-size", "message-format", "help",
        "version",
    };

    (void)state;
    check_takes(&bloatc_command, names, ARRAY_COUNT(names));
}

static void what_cargo_llvm_lines_takes_is_taken(void **state)
{
    static const char *const names[] = {
        "sort",
        "filter",
        "files",
        "quiet",
        "package",
        "lib",
        "bin",
        "example",
        "test",
        "bench",
        "features",
        "all-features",
        "jobs",
        "release",
        "profile",
        "target",
        "target-dir",
        "verbose",
        "no-default-features",
        "manifest-path",
        "frozen",
        "locked",
        "offline",
        "color",
        "help",
        "version",
    };

    (void)state;
    check_takes(&llvmlines_command, names, ARRAY_COUNT(names));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_name_and_no_letter_is_used_twice),
        cmocka_unit_test(every_spelling_from_habit_stands_for_an_option_of_the_same_kind),
        cmocka_unit_test(what_cargo_bloat_takes_is_taken),
        cmocka_unit_test(what_cargo_llvm_lines_takes_is_taken),
    };

    return cmocka_run_group_tests_name("command tables", tests, NULL, NULL);
}
