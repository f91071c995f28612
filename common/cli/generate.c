/* The manual page and the shells' completions. */
#include <string.h>

#include "cli/help.h"

const char *const help_generated_names[] = {"man", "bash", "zsh", "fish", NULL};

/* Visits every option that help shows. */
typedef void spec_visitor(struct text *text, const struct command *command, const struct option_spec *spec);

static void for_each_shown(struct text *text, const struct command *command, spec_visitor *visit)
{
    for (const struct option_table *const *table = command->tables; *table; table++)
        for (size_t i = 0; i < (*table)->count; i++)
            if ((*table)->specs[i].help)
                visit(text, command, &(*table)->specs[i]);
}

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
    for (size_t i = 0; spec->choices && spec->choices[i]; i++)
        text_format(text, "%s%s%s", i ? ", " : " [", spec->choices[i], spec->choices[i + 1] ? "" : "]");
    text_add_byte(text, '\n');
}

static void add_roff_description(struct text *text, const char *description)
{
    text_add_string(text, ".SH DESCRIPTION\n");
    for (const char *at = description; *at; at++) {
        char single[2] = {*at, '\0'};

        if (*at == '\n')
            text_add_string(text, "\n.PP\n");
        else
            add_roff(text, single);
    }
    text_add_byte(text, '\n');
}

static void add_roff_positional(struct text *text, const struct command *command)
{
    if (!command->positional)
        return;
    text_format(text, ".SH ARGUMENTS\n.TP\n.B %s\n", command->positional);
    add_roff(text, command->positional_help);
    text_add_byte(text, '\n');
}

static void generate_man(struct text *text, const struct command *command)
{
    text_format(text, ".TH cargo-%s 1 \"\" \"cargo-%s %s\"\n.SH NAME\ncargo\\-%s \\- ", command->name,
                command->name, SUITE_VERSION, command->name);
    add_roff(text, command->summary);
    text_add_string(text, "\n.SH SYNOPSIS\n");
    for (size_t i = 0; command->usages[i]; i++) {
        text_format(text, "%s.B cargo %s\n", i ? ".br\n" : "", command->name);
        add_roff(text, command->usages[i]);
        text_add_byte(text, '\n');
    }
    add_roff_description(text, command->description);
    add_roff_positional(text, command);
    text_add_string(text, ".SH OPTIONS\n");
    for (const struct option_table *const *table = command->tables; *table; table++) {
        text_format(text, ".SS %s\n", (*table)->heading);
        for (size_t i = 0; i < (*table)->count; i++)
            if ((*table)->specs[i].help)
                add_roff_option(text, &(*table)->specs[i]);
    }
    text_add_string(text, ".SH EXAMPLES\n");
    for (size_t i = 0; i < command->example_count; i++) {
        text_add_string(text, ".TP\n.B ");
        add_roff(text, command->examples[i].line);
        text_add_byte(text, '\n');
        add_roff(text, command->examples[i].why);
        text_add_byte(text, '\n');
    }
    text_add_string(text, ".SH EXIT STATUS\n0 done; 1 failed; 2 wrong usage; 3 over a budget; cargo's own "
                          "status when cargo failed.\n");
}

static void add_bash_word(struct text *text, const struct command *command, const struct option_spec *spec)
{
    (void)command;
    text_format(text, " --%s", spec->name);
    if (spec->letter)
        text_format(text, " -%c", spec->letter);
}

static void add_bash_choices(struct text *text, const struct command *command, const struct option_spec *spec)
{
    (void)command;
    if (!spec->choices)
        return;
    text_format(text, "    --%s", spec->name);
    if (spec->letter)
        text_format(text, "|-%c", spec->letter);
    text_add_string(text, ") COMPREPLY=($(compgen -W \"");
    for (size_t i = 0; spec->choices[i]; i++)
        text_format(text, "%s%s", i ? " " : "", spec->choices[i]);
    text_add_string(text, "\" -- \"$current\")); return ;;\n");
}

static void generate_bash(struct text *text, const struct command *command)
{
    text_format(text, "# Completion of cargo-%s for bash; of \"cargo %s\" where cargo's own is loaded.\n",
                command->name, command->name);
    text_format(text, "_cargo_%s() {\n", command->name);
    /* readline makes three words of --format=json. */
    text_add_string(text, "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                          "  if [[ $current == = ]]; then current=\n"
                          "  elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
                          "  case $before in\n");
    for_each_shown(text, command, add_bash_choices);
    text_add_string(text, "  esac\n  if [[ $current == -* ]]; then\n    COMPREPLY=($(compgen -W \"");
    for_each_shown(text, command, add_bash_word);
    text_add_string(
        text,
        "\" -- \"$current\"))\n  else\n    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n  fi\n}\n");
    text_format(text, "complete -o filenames -F _cargo_%s cargo-%s\n", command->name, command->name);
    text_format(text,
                "if declare -F _cargo >/dev/null; then\n"
                "  _cargo_or_%s() {\n"
                "    local verb=${COMP_WORDS[1]}\n"
                "    [[ $verb == +* ]] && verb=${COMP_WORDS[2]}\n"
                "    if [[ $verb == %s ]]; then _cargo_%s; else _cargo \"$@\"; fi\n"
                "  }\n"
                "  complete -o filenames -F _cargo_or_%s cargo\nfi\n",
                command->name, command->name, command->name, command->name);
}

/* What a shell's single-quoted string and zsh's description can hold. */
static void add_shell_text(struct text *text, const char *string)
{
    for (; *string; string++) {
        if (*string == '\'')
            text_add_string(text, "'\\''");
        else if (*string == '[' || *string == ']' || *string == ':')
            text_format(text, "\\%c", *string);
        else
            text_add_byte(text, *string);
    }
}

static void add_zsh_spec(struct text *text, const char *dashes, const char *name,
                         const struct option_spec *spec)
{
    text_format(text, "  '*%s%s%s[", dashes, name,
                spec->arity == OPTION_FLAG || spec->arity == OPTION_OPTIONAL ? ""
                : dashes[1]                                                  ? "="
                                                                             : "+");
    add_shell_text(text, spec->help);
    text_add_byte(text, ']');
    if (spec->arity != OPTION_FLAG)
        text_format(text, "%s:%s:", spec->arity == OPTION_OPTIONAL ? ":" : "", spec->value);
    if (spec->choices) {
        text_add_byte(text, '(');
        for (size_t i = 0; spec->choices[i]; i++)
            text_format(text, "%s%s", i ? " " : "", spec->choices[i]);
        text_add_byte(text, ')');
    } else if (spec->arity != OPTION_FLAG) {
        text_add_string(text, "_files");
    }
    text_add_string(text, "' \\\n");
}

static void add_zsh_option(struct text *text, const struct command *command, const struct option_spec *spec)
{
    char letter[2] = {spec->letter, '\0'};

    (void)command;
    add_zsh_spec(text, "--", spec->name, spec);
    if (spec->letter)
        add_zsh_spec(text, "-", letter, spec);
}

static void generate_zsh(struct text *text, const struct command *command)
{
    text_format(text, "#compdef cargo-%s\n# Completion of \"cargo-%s\" and \"cargo %s\" for zsh.\n",
                command->name, command->name, command->name);
    text_format(text, "_cargo-%s() {\n  _arguments -s \\\n", command->name);
    for_each_shown(text, command, add_zsh_option);
    /* A file in $fpath is run for the first completion, one that is sourced before any. */
    text_format(text,
                "  '*:file:_files'\n}\n"
                "if [[ $funcstack[1] == _cargo-%s ]]; then _cargo-%s \"$@\"; "
                "else compdef _cargo-%s cargo-%s; fi\n",
                command->name, command->name, command->name, command->name);
}

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

static void add_fish_line(struct text *text, const char *condition, const struct option_spec *spec)
{
    text_format(text, "complete %s -l %s", condition, spec->name);
    if (spec->letter)
        text_format(text, " -s %c", spec->letter);
    if (spec->arity == OPTION_VALUE || spec->arity == OPTION_MANY)
        text_add_string(text, spec->choices ? " -x" : " -r");
    for (size_t i = 0; spec->choices && spec->choices[i]; i++)
        text_format(text, "%s%s%s", i ? " " : " -a '", spec->choices[i], spec->choices[i + 1] ? "" : "'");
    text_add_string(text, " -d ");
    add_fish_string(text, spec->help);
    text_add_byte(text, '\n');
}

static void add_fish_option(struct text *text, const struct command *command, const struct option_spec *spec)
{
    SCOPED(text_done) struct text condition = {0};

    text_format(&condition, "-c cargo -n '__fish_seen_subcommand_from %s'", command->name);
    add_fish_line(text, text_string(&condition), spec);
    text_clear(&condition);
    text_format(&condition, "-c cargo-%s", command->name);
    add_fish_line(text, text_string(&condition), spec);
}

static void generate_fish(struct text *text, const struct command *command)
{
    text_format(text, "complete -c cargo -n __fish_use_subcommand -a %s -d ", command->name);
    add_fish_string(text, command->summary);
    text_add_byte(text, '\n');
    for_each_shown(text, command, add_fish_option);
}

void help_generate(struct text *text, const struct command *command, enum help_generated what)
{
    static void (*const generators[])(struct text *, const struct command *) = {
        [GENERATE_MAN] = generate_man,
        [GENERATE_BASH] = generate_bash,
        [GENERATE_ZSH] = generate_zsh,
        [GENERATE_FISH] = generate_fish,
    };

    generators[what](text, command);
}
