#include "cli/complete_bash.h"

#include "cli/choices.h"
#include "cli/completed.h"

/* The text of cargo.bash, the same in the completions of every command. Defined in assets.S. */
extern const char cli_cargo_bash[];

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
    if (choices_form_lists(spec))
        text_add_string(
            text, ") local listed=${current%\"${current##*,}\"}\n      COMPREPLY=($(compgen -P \"$listed\"");
    else
        text_add_string(text, ") COMPREPLY=($(compgen");
    text_add_string(text, " -W \"");
    completed_add_choices(text, spec);
    text_format(text, "\" -- \"%s\")); return ;;\n",
                choices_form_lists(spec) ? "${current##*,}" : "$current");
}

/* The word behind OPTION_OPTIONAL may be the next option. */
static void add_bash_names(struct text *text, const struct command *command, const struct option_spec *spec)
{
    const char *kind = completed_kind(spec);

    (void)command;
    if (spec->arity != OPTION_OPTIONAL)
        return;
    text_format(text, "    --%s", spec->name);
    if (spec->letter)
        text_format(text, "|-%c", spec->letter);
    text_add_string(text, ") if [[ $current != -* ]]; then\n");
    if (kind)
        text_format(text, "      COMPREPLY=($(compgen -W \"$(_cargo_suite_names '%s')\" -- \"$current\"))\n",
                    kind);
    text_add_string(text,
                    "      compopt +o default +o bashdefault +o filenames 2>/dev/null; return; fi ;;\n");
}

static void add_bash_unknown(struct text *text, const struct command *command, const struct option_spec *spec)
{
    (void)command;
    if (!completed_is_unknown(spec))
        return;
    text_format(text, "|--%s", spec->name);
    if (spec->letter)
        text_format(text, "|-%c", spec->letter);
}

static void add_bash_valued(struct text *text, const struct command *command, const struct option_spec *spec)
{
    (void)command;
    if (spec->arity != OPTION_VALUE && spec->arity != OPTION_MANY)
        return;
    text_format(text, "|--%s", spec->name);
    if (spec->letter)
        text_format(text, "|-%c", spec->letter);
}

/* Of a program's arguments files are proposed: they stand behind "--" or behind the program. */
static void add_bash_arguments(struct text *text, const struct command *command)
{
    const char *begin = command->verb ? "first+1" : command->verb_count > 0 ? "first" : "1";

    if (command->runs_nothing)
        return;
    text_format(text,
                "  local word value=\n"
                "  for word in \"${COMP_WORDS[@]:%s:COMP_CWORD-(%s)}\"; do\n"
                "    if [[ $value ]]; then [[ $word == = ]] || value=; continue; fi\n"
                "    case $word in\n      =",
                begin, begin);
    completed_each(text, command, add_bash_valued);
    text_format(text,
                ") value=1; continue ;;\n"
                "%s"
                "    esac\n"
                "    mapfile -t COMPREPLY < <(compgen -f -- \"${COMP_WORDS[COMP_CWORD]}\"); return\n"
                "  done\n",
                command->takes_program ? "      --) ;;\n      -*) continue ;;\n"
                                       : "      --) ;;\n      *) continue ;;\n");
}

/* readline would propose files. */
static void add_bash_unknowns(struct text *text, const struct command *command)
{
    SCOPED(text_done) struct text names = {0};

    completed_each(&names, command, add_bash_unknown);
    if (names.length > 0)
        text_format(text, "    %s) compopt +o default +o bashdefault 2>/dev/null; return ;;\n",
                    text_string(&names) + 1);
}

/*
 * Goes on in the function of a verb once one was typed: a verb is the first word, behind "cargo-cprof" or,
 * with what rustup and cargo take, "cargo cprof".
 */
static void add_bash_verbs(struct text *text, const struct command *command)
{
    if (command->verb_count == 0)
        return;
    text_format(text,
                "  local at=0 verbs=\n"
                "  [[ ${COMP_WORDS[0]##*/} == cargo-%s ]] || _cargo_suite_find\n"
                "  local first=$((at + 1))\n"
                "  ((COMP_CWORD == first)) && verbs=\"",
                command->name);
    completed_add_verbs(text, command, " ");
    text_add_string(text, "\"\n  if ((COMP_CWORD > first)); then\n    case ${COMP_WORDS[first]} in ");
    completed_add_verbs(text, command, "|");
    text_format(text, ") \"_cargo_%s_${COMP_WORDS[first]}\"; return ;; esac\n  fi\n", command->name);
}

static void add_bash_function(struct text *text, const struct command *command)
{
    text_add_string(text, "_cargo_");
    completed_add_function(text, command);
    text_add_string(text, "() {\n");
    add_bash_verbs(text, command);
    add_bash_arguments(text, command);
    /* readline makes three words of --format=json. */
    text_add_string(text, "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                          "  if [[ $current == = ]]; then current=\n"
                          "  elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
                          "  case $before in\n");
    completed_each(text, command, add_bash_choices);
    completed_each(text, command, add_bash_names);
    add_bash_unknowns(text, command);
    text_add_string(text, "  esac\n  if [[ $current == -* ]]; then\n    COMPREPLY=($(compgen -W \"");
    completed_each(text, command, add_bash_word);
    text_add_string(text, "\" -- \"$current\"))\n  else\n    mapfile -t COMPREPLY < <(compgen -f ");
    if (command->verb_count > 0)
        text_add_string(text, "-W \"$verbs\" ");
    text_add_string(text, "-- \"$current\")\n  fi\n}\n");
}

void complete_bash_add(struct text *text, const struct command *command)
{
    text_format(text, "# Completion of \"cargo-%s\" and \"cargo %s\" for bash.\n", command->name,
                command->name);
    for (size_t i = 0; i < command->verb_count; i++)
        add_bash_function(text, command->verbs[i].command);
    add_bash_function(text, command);
    text_format(text, "complete -o filenames -F _cargo_%s cargo-%s\n", command->name, command->name);
    text_add_string(text, cli_cargo_bash);
}
