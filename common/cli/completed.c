#include "cli/completed.h"

#include <string.h>

#include "cli/choices.h"

void completed_each(struct text *text, const struct command *command, completed_visitor *visit)
{
    for (const struct option_table *const *table = command->tables; *table; table++)
        for (size_t i = 0; i < (*table)->count; i++)
            if ((*table)->specs[i].help)
                visit(text, command, &(*table)->specs[i]);
}

void completed_add_choices(struct text *text, const struct option_spec *spec)
{
    for (size_t i = 0; i < choices_count(spec); i++) {
        text_add_string(text, i ? " " : "");
        text_add(text, choices_word(spec->choices[i]));
    }
}

/* The options whose values are names of what cargo builds, and of which kind that is, as _cargo_suite_names
 * of cargo.bash takes it. */
static const struct {
    const char *option;
    const char *kind;
} of_cargo[] = {
    {"bin", "bin"},
    {"example", "example"},
    {"test", "test"},
    {"bench", "bench"},
    {"unit-test", "bin|[a-z]*lib|proc-macro"},
    {"unit-bench", "bin|[a-z]*lib|proc-macro"},
    {"package", "version"},
};

const char *completed_kind(const struct option_spec *spec)
{
    for (size_t i = 0; spec->arity == OPTION_OPTIONAL && i < ARRAY_COUNT(of_cargo); i++)
        if (strcmp(of_cargo[i].option, spec->name) == 0)
            return of_cargo[i].kind;
    return NULL;
}

bool completed_is_unknown(const struct option_spec *spec)
{
    return (spec->arity == OPTION_VALUE || spec->arity == OPTION_MANY) && !spec->choices &&
           !choices_are_files(spec);
}

void completed_add_verbs(struct text *text, const struct command *command, const char *between)
{
    for (size_t i = 0; i < command->verb_count; i++)
        text_format(text, "%s%s", i ? between : "", command->verbs[i].command->verb);
}

void completed_add_function(struct text *text, const struct command *command)
{
    text_format(text, "%s%s%s", command->name, command->verb ? "_" : "", command->verb ? command->verb : "");
}
