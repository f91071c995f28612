#include "cli/complete_zsh.h"

#include "cli/choices.h"
#include "cli/completed.h"

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

static void add_zsh_spec(struct text *text, const struct command *command, const char *dashes,
                         const char *name, const struct option_spec *spec)
{
    text_format(text, "  '*%s%s%s[", dashes, name, spec->arity == OPTION_FLAG ? "" : dashes[1] ? "=" : "+");
    add_shell_text(text, spec->help);
    text_add_byte(text, ']');
    if (spec->arity != OPTION_FLAG)
        text_format(text, ":%s:", spec->value);
    if (spec->choices) {
        if (choices_form_lists(spec))
            text_format(text, "_values -s , %s ", spec->value);
        else
            text_add_byte(text, '(');
        completed_add_choices(text, spec);
        text_add_string(text, choices_form_lists(spec) ? "" : ")");
    } else if (completed_kind(spec)) {
        text_format(text, " _cargo-%s_names \"%s\"", command->name, completed_kind(spec));
    } else if (spec->arity != OPTION_FLAG) {
        text_add_string(text, completed_is_unknown(spec) || spec->arity == OPTION_OPTIONAL ? " " : "_files");
    }
    text_add_string(text, "' \\\n");
}

static void add_zsh_option(struct text *text, const struct command *command, const struct option_spec *spec)
{
    char letter[2] = {spec->letter, '\0'};

    add_zsh_spec(text, command, "--", spec->name, spec);
    if (spec->letter)
        add_zsh_spec(text, command, "-", letter, spec);
}

/* The first word alone is a verb, or else what stands there without one. */
static void add_zsh_verbs(struct text *text, const struct command *command)
{
    if (command->verb_count == 0)
        return;
    text_add_string(text, "  local -a first\n  if ((CURRENT == 2)); then\n    first=(");
    text_add_string(text, command->positional ? "'1:verb or file: _alternative \"verbs:verb:(" : "'1:verb:(");
    completed_add_verbs(text, command, " ");
    text_add_string(text, command->positional ? ")\" \"files:file:_files\"')\n" : ")')\n");
    text_add_string(text, "  else\n    case $words[2] in (");
    completed_add_verbs(text, command, "|");
    text_format(text, ") _cargo-%s_$words[2]; return ;; esac\n  fi\n", command->name);
}

static void add_zsh_function(struct text *text, const struct command *command)
{
    text_add_string(text, "_cargo-");
    completed_add_function(text, command);
    text_add_string(text, "() {\n");
    add_zsh_verbs(text, command);
    text_add_string(text, "  _arguments -s -S \\\n");
    completed_each(text, command, add_zsh_option);
    if (command->takes_program)
        text_add_string(text, "  '1:verb:' '(-)2:program:_files' '*::argument:_files'\n}\n");
    else
        text_add_string(text,
                        command->verb_count > 0 ? "  $first '*:file:_files'\n}\n" : "  '*:file:_files'\n}\n");
}

void complete_zsh_add(struct text *text, const struct command *command)
{
    text_format(text, "#compdef cargo-%s\n# Completion of \"cargo-%s\" and \"cargo %s\" for zsh.\n",
                command->name, command->name, command->name);
    text_format(text, "_cargo-%s_names() {\n  local -a names\n  names=(${(f)\"$(\n", command->name);
    text_add_string(text, COMPLETED_NAMES("$1"));
    text_add_string(text, "  )\"})\n  compadd -a names\n}\n");
    for (size_t i = 0; i < command->verb_count; i++)
        add_zsh_function(text, command->verbs[i].command);
    add_zsh_function(text, command);
    /* A file in $fpath is run for the first completion, one that is sourced before any. */
    text_format(text,
                "if [[ $funcstack[1] == _cargo-%s ]]; then _cargo-%s \"$@\"; "
                "else compdef _cargo-%s cargo-%s; fi\n",
                command->name, command->name, command->name, command->name);
}
