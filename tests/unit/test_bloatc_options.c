/* The option tables of cargo bloatc, all of them together. */
#include "cmocka_all.h"

#include <string.h>

#include "cli/options.h"
#include "command_line.h"

typedef void check_fn(const struct option_spec *spec, const struct option_spec *other);

static void for_each_pair(check_fn *check)
{
    const struct option_table *const *tables = bloatc_command.tables;

    for (size_t t = 0; tables[t]; t++)
        for (size_t i = 0; i < tables[t]->count; i++)
            for (size_t u = 0; tables[u]; u++)
                for (size_t j = 0; j < tables[u]->count; j++)
                    check(&tables[t]->specs[i], &tables[u]->specs[j]);
}

static void check_names_differ(const struct option_spec *spec, const struct option_spec *other)
{
    if (spec == other)
        return;
    if (strcmp(spec->name, other->name) == 0)
        fail_msg("--%s stands twice in the tables", spec->name);
    if (spec->letter && spec->letter == other->letter)
        fail_msg("--%s and --%s have the same letter", spec->name, other->name);
}

static void no_name_and_no_letter_is_used_twice(void **state)
{
    (void)state;
    for_each_pair(check_names_differ);
}

static void check_spec(const struct option_spec *spec, const struct option_spec *other)
{
    const struct option_spec *meant = NULL;

    if (spec != other)
        return;
    if ((spec->arity == OPTION_FLAG) != (spec->value == NULL))
        fail_msg("--%s: a flag has no value to name, all else has", spec->name);
    if (!spec->stands_for)
        return;
    meant = command_find_option(&bloatc_command, spec->stands_for);
    if (!meant || meant->stands_for || meant->arity != spec->arity)
        fail_msg("--%s stands for --%s, which is none or of another kind", spec->name, spec->stands_for);
}

static void every_spelling_from_habit_stands_for_an_option_of_the_same_kind(void **state)
{
    (void)state;
    for_each_pair(check_spec);
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
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (!command_find_option(&bloatc_command, names[i]))
            fail_msg("there is no --%s", names[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_name_and_no_letter_is_used_twice),
        cmocka_unit_test(every_spelling_from_habit_stands_for_an_option_of_the_same_kind),
        cmocka_unit_test(what_cargo_bloat_takes_is_taken),
    };

    return cmocka_run_group_tests_name("bloatc options", tests, NULL, NULL);
}
