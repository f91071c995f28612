#include "cli/man_page.h"

#include "cli/choices.h"

/*
 * Text for man(7) in which every character is that of ASCII, so that it can be pasted, and no line is taken
 * for a request (groff_char(7)).
 */
static void add_roff(struct text *text, const char *string)
{
    static const char *const escapes[128] = {
        ['\\'] = "\\e", ['-'] = "\\-", ['\''] = "\\(aq", ['`'] = "\\(ga", ['^'] = "\\(ha", ['~'] = "\\(ti"};

    if (*string == '.')
        text_add_string(text, "\\&");
    for (; *string; string++) {
        unsigned char byte = (unsigned char)*string;

        if (byte < ARRAY_COUNT(escapes) && escapes[byte])
            text_add_string(text, escapes[byte]);
        else
            text_add_byte(text, *string);
    }
}

static void add_roff_option(struct text *text, const struct option_spec *spec)
{
    text_add_string(text, ".TP\n.B ");
    if (spec->letter)
        text_format(text, "\\-%c, ", spec->letter);
    text_add_string(text, "\\-\\-");
    add_roff(text, spec->name);
    if (spec->arity == OPTION_OPTIONAL)
        text_format(text, " [%s]", spec->value);
    else if (spec->arity != OPTION_FLAG)
        text_format(text, " %s", spec->value);
    text_add_byte(text, '\n');
    add_roff(text, spec->help);
    for (size_t i = 0; i < choices_count(spec) && !choices_take_others(spec); i++)
        text_format(text, "%s%s%s", i ? ", " : " [", spec->choices[i], spec->choices[i + 1] ? "" : "]");
    text_add_byte(text, '\n');
}

static void add_roff_paragraphs(struct text *text, const char *paragraphs)
{
    for (const char *at = paragraphs; *at; at++) {
        char single[2] = {*at, '\0'};

        if (*at == '\n')
            text_add_string(text, "\n.PP\n");
        else
            add_roff(text, single);
    }
}

static void add_roff_positional(struct text *text, const struct command *command)
{
    if (!command->positional)
        return;
    text_format(text, ".SH ARGUMENTS\n.TP\n.B %s\n", command->positional);
    add_roff(text, command->positional_help);
    text_add_byte(text, '\n');
}

/* Each has a page of its own. */
static void add_roff_verbs(struct text *text, const struct command *command)
{
    if (command->verb_count > 0)
        text_add_string(text, ".SH VERBS\n");
    for (size_t i = 0; i < command->verb_count; i++) {
        const struct command *verb = command->verbs[i].command;

        text_format(text, ".TP\n.BR cargo\\-%s\\-%s (1)\n", command->name, verb->verb);
        add_roff(text, verb->summary);
        text_add_byte(text, '\n');
    }
}

static void add_roff_exit_status(struct text *text, const struct command *command)
{
    text_add_string(text, ".SH EXIT STATUS\n");
    add_roff_paragraphs(text, command->exit_status ? command->exit_status : COMMAND_EXIT_STATUS);
    text_add_string(text, ".\n");
}

void man_page_add(struct text *text, const struct command *command)
{
    const char *verb = command->verb ? command->verb : "";
    const char *dash = command->verb ? "-" : "";

    text_format(text, ".TH cargo-%s%s%s 1 \"\" \"cargo-%s %s\"\n.SH NAME\ncargo\\-%s%s%s \\- ", command->name,
                dash, verb, command->name, SUITE_VERSION, command->name, command->verb ? "\\-" : "", verb);
    add_roff(text, command->summary);
    text_add_string(text, "\n.SH SYNOPSIS\n");
    for (size_t i = 0; command->usages[i]; i++) {
        text_format(text, "%s.B cargo %s%s%s\n", i ? ".br\n" : "", COMMAND_WORDS(command));
        add_roff(text, command->usages[i]);
        text_add_byte(text, '\n');
    }
    text_add_string(text, ".SH DESCRIPTION\n");
    add_roff_paragraphs(text, command->description);
    text_add_byte(text, '\n');
    add_roff_positional(text, command);
    add_roff_verbs(text, command);
    text_add_string(text, ".SH OPTIONS\n");
    for (const struct option_table *const *table = command->tables; *table; table++) {
        text_format(text, ".SS %s\n", (*table)->heading);
        for (size_t i = 0; i < (*table)->count; i++)
            if ((*table)->specs[i].help)
                add_roff_option(text, &(*table)->specs[i]);
    }
    if (command->example_count > 0)
        text_add_string(text, ".SH EXAMPLES\n");
    for (size_t i = 0; i < command->example_count; i++) {
        text_add_string(text, ".TP\n.B ");
        add_roff(text, command->examples[i].line);
        text_add_byte(text, '\n');
        add_roff(text, command->examples[i].why);
        text_add_byte(text, '\n');
    }
    add_roff_exit_status(text, command);
}
