/* The shells' completions. */
#include <string.h>

#include "cli/choices.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/man_page.h"

/* The text of cargo.bash, the same in the completions of every command. Defined in assets.S. */
extern const char cli_cargo_bash[];

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

static void add_bash_word(struct text *text, const struct command *command, const struct option_spec *spec)
{
    (void)command;
    text_format(text, " --%s", spec->name);
    if (spec->letter)
        text_format(text, " -%c", spec->letter);
}

/* "function module": what shells propose, as it is typed. */
static void add_choices(struct text *text, const struct option_spec *spec)
{
    for (size_t i = 0; i < choices_count(spec); i++) {
        text_add_string(text, i ? " " : "");
        text_add(text, choices_word(spec->choices[i]));
    }
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
    add_choices(text, spec);
    text_format(text, "\" -- \"%s\")); return ;;\n",
                choices_form_lists(spec) ? "${current##*,}" : "$current");
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

/* NULL where no such name is a value. */
static const char *kind_of_names(const struct option_spec *spec)
{
    for (size_t i = 0; spec->arity == OPTION_OPTIONAL && i < ARRAY_COUNT(of_cargo); i++)
        if (strcmp(of_cargo[i].option, spec->name) == 0)
            return of_cargo[i].kind;
    return NULL;
}

/* The same as _cargo_suite_names, of the kind that `argument` holds, for zsh and fish. */
#define NAMES_OF_CARGO(argument)                                                                             \
    "    env RUSTUP_AUTO_INSTALL=0 cargo metadata --no-deps --offline --format-version 1 2>/dev/null |\n"    \
    "        sed 's/{\"\\(kind\\|name\\)\":/\\n&/g' |\n"                                                     \
    "        sed -nE 's/^\\{\"kind\":\\[\"('\"" argument                                                     \
    "\"')\"[^]]*\\],\"crate_types\":\\[[^]]*\\],\"name\":\"([[:alnum:]_.-]+)\".*/\\2/p; "                    \
    "s/^\\{\"name\":\"([[:alnum:]_.-]+)\",\"('\"" argument "\"')\":.*/\\1/p'\n"

/* The word behind OPTION_OPTIONAL may be the next option. */
static void add_bash_names(struct text *text, const struct command *command, const struct option_spec *spec)
{
    const char *kind = kind_of_names(spec);

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

/* What people make up or know has nothing to propose: files would be wrong. */
static bool takes_unknown(const struct option_spec *spec)
{
    return (spec->arity == OPTION_VALUE || spec->arity == OPTION_MANY) && !spec->choices &&
           !choices_are_files(spec);
}

static void add_bash_unknown(struct text *text, const struct command *command, const struct option_spec *spec)
{
    (void)command;
    if (!takes_unknown(spec))
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
    for_each_shown(text, command, add_bash_valued);
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

    for_each_shown(&names, command, add_bash_unknown);
    if (names.length > 0)
        text_format(text, "    %s) compopt +o default +o bashdefault 2>/dev/null; return ;;\n",
                    text_string(&names) + 1);
}

/* "exec record", with `between` between. */
static void add_verbs(struct text *text, const struct command *command, const char *between)
{
    for (size_t i = 0; i < command->verb_count; i++)
        text_format(text, "%s%s", i ? between : "", command->verbs[i].command->verb);
}

/* "cprof", "cprof_exec": what the shells' functions are called after. */
static void add_function_name(struct text *text, const struct command *command)
{
    text_format(text, "%s%s%s", command->name, command->verb ? "_" : "", command->verb ? command->verb : "");
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
    add_verbs(text, command, " ");
    text_add_string(text, "\"\n  if ((COMP_CWORD > first)); then\n    case ${COMP_WORDS[first]} in ");
    add_verbs(text, command, "|");
    text_format(text, ") \"_cargo_%s_${COMP_WORDS[first]}\"; return ;; esac\n  fi\n", command->name);
}

static void add_bash_function(struct text *text, const struct command *command)
{
    text_add_string(text, "_cargo_");
    add_function_name(text, command);
    text_add_string(text, "() {\n");
    add_bash_verbs(text, command);
    add_bash_arguments(text, command);
    /* readline makes three words of --format=json. */
    text_add_string(text, "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                          "  if [[ $current == = ]]; then current=\n"
                          "  elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
                          "  case $before in\n");
    for_each_shown(text, command, add_bash_choices);
    for_each_shown(text, command, add_bash_names);
    add_bash_unknowns(text, command);
    text_add_string(text, "  esac\n  if [[ $current == -* ]]; then\n    COMPREPLY=($(compgen -W \"");
    for_each_shown(text, command, add_bash_word);
    text_add_string(text, "\" -- \"$current\"))\n  else\n    mapfile -t COMPREPLY < <(compgen -f ");
    if (command->verb_count > 0)
        text_add_string(text, "-W \"$verbs\" ");
    text_add_string(text, "-- \"$current\")\n  fi\n}\n");
}

static void generate_bash(struct text *text, const struct command *command)
{
    text_format(text, "# Completion of \"cargo-%s\" and \"cargo %s\" for bash.\n", command->name,
                command->name);
    for (size_t i = 0; i < command->verb_count; i++)
        add_bash_function(text, command->verbs[i].command);
    add_bash_function(text, command);
    text_format(text, "complete -o filenames -F _cargo_%s cargo-%s\n", command->name, command->name);
    text_add_string(text, cli_cargo_bash);
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
        add_choices(text, spec);
        text_add_string(text, choices_form_lists(spec) ? "" : ")");
    } else if (kind_of_names(spec)) {
        text_format(text, " _cargo-%s_names \"%s\"", command->name, kind_of_names(spec));
    } else if (spec->arity != OPTION_FLAG) {
        text_add_string(text, takes_unknown(spec) || spec->arity == OPTION_OPTIONAL ? " " : "_files");
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
    add_verbs(text, command, " ");
    text_add_string(text, command->positional ? ")\" \"files:file:_files\"')\n" : ")')\n");
    text_add_string(text, "  else\n    case $words[2] in (");
    add_verbs(text, command, "|");
    text_format(text, ") _cargo-%s_$words[2]; return ;; esac\n  fi\n", command->name);
}

static void add_zsh_function(struct text *text, const struct command *command)
{
    text_add_string(text, "_cargo-");
    add_function_name(text, command);
    text_add_string(text, "() {\n");
    add_zsh_verbs(text, command);
    text_add_string(text, "  _arguments -s -S \\\n");
    for_each_shown(text, command, add_zsh_option);
    if (command->takes_program)
        text_add_string(text, "  '1:verb:' '(-)2:program:_files' '*::argument:_files'\n}\n");
    else
        text_add_string(text,
                        command->verb_count > 0 ? "  $first '*:file:_files'\n}\n" : "  '*:file:_files'\n}\n");
}

static void generate_zsh(struct text *text, const struct command *command)
{
    text_format(text, "#compdef cargo-%s\n# Completion of \"cargo-%s\" and \"cargo %s\" for zsh.\n",
                command->name, command->name, command->name);
    text_format(text, "_cargo-%s_names() {\n  local -a names\n  names=(${(f)\"$(\n", command->name);
    text_add_string(text, NAMES_OF_CARGO("$1"));
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
        text_add_string(text,
                        spec->choices || (takes_unknown(spec) && !command->takes_program) ? " -x" : " -r");
    if (spec->choices) {
        text_add_string(text, choices_form_lists(spec) ? " -a '(__fish_append , " : " -a '");
        add_choices(text, spec);
        text_add_string(text, choices_form_lists(spec) ? ")'" : "'");
    } else if (kind_of_names(spec)) {
        text_format(text, " -a '(__cargo_%s_names \"%s\")'", command->name, kind_of_names(spec));
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
    add_verbs(text, command, " ");
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

/*
 * For conf.d, which fish reads at its start: for `cargo NAME` it looks for completions of cargo alone.
 * Hundreds of lines would make each start slower, so that they stand in a function, and are read when they
 * are needed.
 */
static void generate_fish(struct text *text, const struct command *command)
{
    const char *name = command->name;

    text_format(text, "# Completion of \"cargo %s\" and \"cargo-%s\" for fish, in conf.d.\n", name, name);
    if (command->verb_count > 0)
        add_fish_verb(text, command);
    add_fish_place(text, name);
    text_format(text, "function __cargo_%s_names\n", name);
    text_add_string(text, NAMES_OF_CARGO("$argv[1]") "end\n");
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

void help_generate(struct text *text, const struct command *command, enum help_generated what)
{
    static void (*const generators[])(struct text *, const struct command *) = {
        [GENERATE_MAN] = man_page_add,
        [GENERATE_BASH] = generate_bash,
        [GENERATE_ZSH] = generate_zsh,
        [GENERATE_FISH] = generate_fish,
    };

    generators[what](text, command);
}
