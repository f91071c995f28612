#include "cli/complete_fish.h"

#include "cli/choices.h"
#include "cli/completed.h"

static void add_fish_string(struct text *text, const char *string)
{
    text_add_byte(text, '\'');
    for (; *string; string++) {
        if (*string == '\'' || *string == '\\')
            text_add_byte(text, '\\');
        text_add_byte(text, *string);
    }
    text_add_byte(text, '\'');
}

/* Behind a program, whose arguments look like our options to fish, are files. */
static void add_fish_line(struct text *text, const char *condition, const struct command *command,
                          const struct option_spec *spec)
{
    text_format(text, "    complete %s -l %s", condition, spec->name);
    if (spec->letter)
        text_format(text, " -s %c", spec->letter);
    if (spec->arity == OPTION_OPTIONAL)
        text_add_string(text, " -x");
    else if (spec->arity == OPTION_VALUE || spec->arity == OPTION_MANY)
        text_add_string(
            text, spec->choices || (completed_is_unknown(spec) && !command->takes_program) ? " -x" : " -r");
    if (spec->choices) {
        text_add_string(text, choices_form_lists(spec) ? " -a '(__fish_append , " : " -a '");
        completed_add_choices(text, spec);
        text_add_string(text, choices_form_lists(spec) ? ")'" : "'");
    } else if (completed_kind(spec)) {
        text_format(text, " -a '(__cargo_%s_names \"%s\")'", command->name, completed_kind(spec));
    }
    text_add_string(text, " -d ");
    add_fish_string(text, spec->help);
    text_add_byte(text, '\n');
}

/* A function that tells the verb, which is the first word or none. */
static void add_fish_verb(struct text *text, const struct command *command)
{
    text_format(text,
                "function __cargo_%s_verb\n"
                "    set -l words (commandline -opc)\n"
                "    contains -- \"$words[2]\" ",
                command->name);
    completed_add_verbs(text, command, " ");
    text_add_string(text, "; and echo $words[2]; or echo none\nend\n");
}

/* What begins a line: of the command's words after its verb, or without one. */
static void add_fish_condition(struct text *text, const struct command *command, const struct command *whole)
{
    text_format(text, "-c cargo-%s", command->name);
    if (whole->verb_count > 0)
        text_format(text, " -n 'test (__cargo_%s_verb) = %s'", command->name,
                    command->verb ? command->verb : "none");
}

static void add_fish_command(struct text *text, const struct command *command, const struct command *whole)
{
    SCOPED(text_done) struct text condition = {0};

    add_fish_condition(&condition, command, whole);
    for (const struct option_table *const *table = command->tables; *table; table++)
        for (size_t i = 0; i < (*table)->count; i++)
            if ((*table)->specs[i].help)
                add_fish_line(text, text_string(&condition), command, &(*table)->specs[i]);
    for (size_t i = 0; i < command->verb_count; i++) {
        text_format(text, "    complete -c cargo-%s -n 'test (count (commandline -opc)) = 1' -a %s -d ",
                    command->name, command->verbs[i].command->verb);
        add_fish_string(text, command->verbs[i].command->summary);
        text_add_byte(text, '\n');
        add_fish_command(text, command->verbs[i].command, whole);
    }
}

/*
 * A function that tells which word picks a command of cargo's, behind rustup's and cargo's own options, and
 * one whether that is ours.
 */
static void add_fish_place(struct text *text, const char *name)
{
    text_format(
        text,
        "function __cargo_%s_at\n"
        "    set -l words (commandline -opc)\n"
        "    set -l at 2\n"
        "    while string match -qr -- '^[-+]' \"$words[$at]\"\n"
        "        contains -- $words[$at] --color --config --explain -C -Z; and set at (math $at + 1)\n"
        "        set at (math $at + 1)\n"
        "    end\n"
        "    echo $at\n"
        "end\n"
        "function __cargo_%s_is_meant\n"
        "    set -l words (commandline -opc)\n"
        "    set -l at (__cargo_%s_at)\n"
        "    test \"$words[$at]\" = %s\n"
        "end\n",
        name, name, name, name);
}

void complete_fish_add(struct text *text, const struct command *command)
{
    const char *name = command->name;

    text_format(text, "# Completion of \"cargo %s\" and \"cargo-%s\" for fish, in conf.d.\n", name, name);
    if (command->verb_count > 0)
        add_fish_verb(text, command);
    add_fish_place(text, name);
    text_format(text, "function __cargo_%s_names\n", name);
    text_add_string(text, COMPLETED_NAMES("$argv[1]") "end\n");
    text_format(text, "function __cargo_%s_options\n    functions -e __cargo_%s_options\n", name, name);
    add_fish_command(text, command, command);
    text_format(text,
                "end\n"
                "function __cargo_%s\n"
                "    functions -q __cargo_%s_options; and __cargo_%s_options\n"
                "    set -l words (commandline -opc)\n"
                "    set -l at 1\n"
                "    string match -q -- '*cargo-%s' $words[1]; or set at (__cargo_%s_at)\n"
                "    set -l before (string escape -- cargo-%s $words[(math $at + 1)..-1])\n"
                "    complete -C \"$before \"(commandline -ct)\n"
                "end\n",
                name, name, name, name, name, name);
    text_format(
        text, "complete -c cargo -n 'test (math (count (commandline -opc)) + 1) = (__cargo_%s_at)' -a %s -d ",
        name, name);
    add_fish_string(text, command->summary);
    text_format(text,
                "\ncomplete -c cargo -n __cargo_%s_is_meant -f -a '(__cargo_%s)'\n"
                "complete -c cargo-%s -n 'functions -q __cargo_%s_options' -f -a '(__cargo_%s)'\n",
                name, name, name, name, name);
}
