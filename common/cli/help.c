#include "cli/help.h"

#include <string.h>

#include "cli/choices.h"
#include "cli/complete_bash.h"
#include "cli/complete_fish.h"
#include "cli/complete_zsh.h"
#include "cli/man_page.h"

const char *const help_generated_names[] = {"man", "bash", "zsh", "fish", NULL};

enum { HELP_INDENT = 2, HELP_COLUMN = 30, USUAL_WIDTH = 100 };

/* Words of `paragraph` in lines of `width`, the first of which has `used` columns taken already. */
static void add_wrapped(struct text *text, struct slice paragraph, size_t indent, size_t width)
{
    size_t column = indent;
    bool is_first = true;

    while (paragraph.length > 0) {
        size_t end = slice_find_byte(paragraph, ' ');
        struct slice word = slice_range(paragraph, 0, end);

        if (!is_first && column + 1 + text_columns(word) > width) {
            text_add_byte(text, '\n');
            text_add_repeated(text, ' ', indent);
            column = indent;
        } else if (!is_first) {
            text_add_byte(text, ' ');
            column++;
        }
        text_add(text, word);
        column += text_columns(word);
        is_first = false;
        paragraph = slice_range(paragraph, end + 1, paragraph.length);
    }
    text_add_byte(text, '\n');
}

/* "-n, --top <NUM>" */
static void add_spelling(struct text *text, const struct option_spec *spec)
{
    if (spec->letter)
        text_format(text, "-%c, ", spec->letter);
    else
        text_add_string(text, "    ");
    text_format(text, "--%s", spec->name);
    if (spec->arity == OPTION_OPTIONAL)
        text_format(text, " [<%s>]", spec->value);
    else if (spec->arity != OPTION_FLAG)
        text_format(text, " <%s>", spec->value);
}

/* What an option does, its possible values behind it. */
static void add_meaning(struct text *text, const struct option_spec *spec)
{
    text_add_string(text, spec->help);
    if (choices_take_others(spec))
        return;
    text_add_string(text, " [");
    for (size_t i = 0; spec->choices[i]; i++)
        text_format(text, "%s%s", i ? ", " : "", spec->choices[i]);
    text_add_byte(text, ']');
}

/* A left column, and from HELP_COLUMN on what it means. */
static void add_entry(struct text *text, struct slice left, struct slice meaning, size_t width)
{
    text_add_repeated(text, ' ', HELP_INDENT);
    text_add(text, left);
    if (HELP_INDENT + left.length + 2 > HELP_COLUMN) {
        text_add_byte(text, '\n');
        text_add_repeated(text, ' ', HELP_COLUMN);
    } else {
        text_add_repeated(text, ' ', HELP_COLUMN - HELP_INDENT - left.length);
    }
    add_wrapped(text, meaning, HELP_COLUMN, width);
}

static void add_table(struct text *text, const struct option_table *table, size_t width)
{
    SCOPED(text_done) struct text left = {0};
    SCOPED(text_done) struct text meaning = {0};

    text_format(text, "\n%s:\n", table->heading);
    for (size_t i = 0; i < table->count; i++) {
        if (!table->specs[i].help)
            continue;
        text_clear(&left);
        text_clear(&meaning);
        add_spelling(&left, &table->specs[i]);
        add_meaning(&meaning, &table->specs[i]);
        add_entry(text, text_slice(&left), text_slice(&meaning), width);
    }
}

static void add_paragraphs(struct text *text, const char *description, size_t width)
{
    struct slice rest = slice_of(description);

    while (rest.length > 0) {
        size_t end = slice_find_byte(rest, '\n');

        text_add_byte(text, '\n');
        add_wrapped(text, slice_range(rest, 0, end), 0, width);
        rest = slice_range(rest, end + 1, rest.length);
    }
}

void help_add(struct text *text, const struct command *command, size_t columns)
{
    size_t width = columns == 0 || columns > USUAL_WIDTH ? USUAL_WIDTH : columns < 60 ? 60 : columns;

    text_format(text, "%s\n\nUsage:\n", command->summary);
    for (size_t i = 0; command->usages[i]; i++)
        text_format(text, "  cargo %s%s%s%s%s\n", COMMAND_WORDS(command), command->usages[i][0] ? " " : "",
                    command->usages[i]);
    add_paragraphs(text, command->description, width);
    if (command->positional) {
        text_add_string(text, "\nArguments:\n");
        add_entry(text, slice_of(command->positional), slice_of(command->positional_help), width);
    }
    if (command->verb_count > 0)
        text_format(text, "\nVerbs, as the first word (see: cargo %s VERB --help):\n", command->name);
    for (size_t i = 0; i < command->verb_count; i++)
        add_entry(text, slice_of(command->verbs[i].command->verb),
                  slice_of(command->verbs[i].command->summary), width);
    for (const struct option_table *const *table = command->tables; *table; table++)
        add_table(text, *table, width);
    if (command->example_count > 0)
        text_add_string(text, "\nExamples:\n");
    for (size_t i = 0; i < command->example_count; i++)
        text_format(text, "  %s\n      %s\n", command->examples[i].line, command->examples[i].why);
}

void help_generate(struct text *text, const struct command *command, enum help_generated what)
{
    static void (*const generators[])(struct text *, const struct command *) = {
        [GENERATE_MAN] = man_page_add,
        [GENERATE_BASH] = complete_bash_add,
        [GENERATE_ZSH] = complete_zsh_add,
        [GENERATE_FISH] = complete_fish_add,
    };

    generators[what](text, command);
}
