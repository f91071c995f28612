/*
 * Command lines as tables: what a command takes is data, read by one parser and printed
 * by help, man page and completions. Names are matched whole; nothing is abbreviated.
 *
 * Accepted forms are those of cargo: --name VALUE, --name=VALUE, -n VALUE, -nVALUE, -n=VALUE,
 * flags together (-rv). A value that begins with "-" needs the "=". What follows "--" is the
 * program's and is never read; of a command that runs none it is words, not options.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"

enum option_arity {
    OPTION_FLAG,     /* no value; may be repeated (-vv) */
    OPTION_VALUE,    /* one value, given at most once */
    OPTION_MANY,     /* one value each time, any number of times */
    OPTION_OPTIONAL, /* a value if the next word does not begin with "-"; any number of times */
};

struct option_spec {
    const char *name; /* without the dashes */
    char letter;      /* 0 for none */
    enum option_arity arity;
    const char *value;          /* how help calls the value; NULL for flags */
    const char *help;           /* one sentence; NULL keeps it out of help */
    const char *const *choices; /* the values allowed, NULL-terminated; NULL: any; as of cli/choices.h */
    const char *stands_for;     /* spelling from habit: the name it means; NULL for itself */
};

/* Options that help shows under one heading. */
struct option_table {
    const char *heading;
    const struct option_spec *specs;
    size_t count;
};

/* An option that other tools have and these commands have not: what to do instead. */
struct option_answer {
    const char *name;    /* or "NAME=VALUE"; "NAME=" is of all values that the option refuses */
    char letter;         /* 0: none */
    const char *instead; /* one sentence */
};

struct command_example {
    const char *line; /* as typed */
    const char *why;
};

struct options;
/* The work of one command. Returns 0, or -1 with `err`; `exit_code`, 0 on entry, is the process's after 0. */
typedef int command_fn(const struct options *options, int *exit_code, struct error *err);

/* Sets the hint of `err` for a word that the command does not take. */
typedef void explain_word_fn(const char *word, struct error *err);

/* Picked by the first word: "exec" of `cargo cprof exec`. */
struct command_verb {
    const struct command *command;
    command_fn *run;
};

/* Everything that is known of a command; constant data. */
struct command {
    const char *name;                 /* as typed after "cargo": "bloatc" */
    const char *verb;                 /* the word after it that picks this one; NULL when none does */
    const struct command_verb *verbs; /* picked by the first word; they have none of their own */
    size_t verb_count;
    const char *summary;           /* one line */
    const char *description;       /* paragraphs, each one line, "\n" between */
    const char *exit_status;       /* the same, without the last full stop; NULL: the usual */
    const char *const *usages;     /* what may follow it, NULL-terminated */
    const char *positional;        /* how help calls a word that is no option; NULL: none allowed */
    const char *positional_help;   /* one sentence */
    explain_word_fn *explain_word; /* where `positional` is NULL; NULL: the hint is --help */
    bool takes_program; /* the first word that is no option and all after it are as if "--" stood before */
    bool runs_nothing;  /* what stands after "--" are words as those before, and no program's arguments */
    const struct option_table *const *tables;   /* NULL-terminated */
    const struct option_answer *const *answers; /* NULL, or NULL-terminated; lists end with a NULL name */
    const struct command_example *examples;
    size_t example_count;
};

struct option_use {
    const struct option_spec *spec; /* never one that stands for another */
    const char *value;              /* NULL for a flag, or an optional value not given */
    const char *typed_name;         /* may be that of one that stands for it */
};

/* One command line read. Strings are borrowed from argv. Zero-initialised is empty. */
struct options {
    const struct command *command;
    VEC(struct option_use) uses; /* in the order typed */
    VEC(const char *) positionals;
    const char *const *program_arguments; /* what stood after "--", NULL-terminated; NULL: no "--" */
};

/*
 * Reads `arguments` (without the program's name, NULL-terminated). Returns 0, or -1 with
 * ERROR_USAGE: an option the command does not have (the hint is its answer or names the nearest one), a value
 * that is missing, unwanted, given twice or none of the choices, a word too many. `out` is to be given to
 * options_done either way.
 */
MUST_CHECK int options_parse(const struct command *command, const char *const *arguments, struct options *out,
                             struct error *err);

void options_done(struct options *options);

/* Whether the option was given. `name` must be one of the command's. */
bool options_has(const struct options *options, const char *name);
/* The name by which it was given last, for messages; `name` when it was not. */
const char *options_typed_name(const struct options *options, const char *name);

/* How often it was given. */
size_t options_count(const struct options *options, const char *name);

/* The value given last, or NULL when there is none. */
const char *options_value(const struct options *options, const char *name);

/*
 * The value as a whole number of 0 or more; `otherwise` when the option was not given.
 * Returns 0, or -1 with ERROR_USAGE naming the option when the value is no such number.
 */
MUST_CHECK int options_number(const struct options *options, const char *name, uint64_t otherwise,
                              uint64_t *out, struct error *err);

/* The place of the value in the option's choices; `otherwise` when it was not given. */
size_t options_choice(const struct options *options, const char *name, size_t otherwise);

/* What stands behind the comma in a value like "a,…"; NULL when there is none, or no value. */
const char *options_choice_details(const struct options *options, const char *name);

/* Appends the options as typed again, " --release --filter 'a b'", but for those left out (NULL: none). */
void options_add_typed(struct text *text, const struct options *options,
                       bool (*is_left_out)(const char *name));

/* For "%s%s%s": the words that pick a command, after "cargo": "cprof exec". */
#define COMMAND_WORDS(command)                                                                               \
    (command)->name, (command)->verb ? " " : "", (command)->verb ? (command)->verb : ""

/* The spec with this name in the command's tables, or NULL. */
const struct option_spec *command_find_option(const struct command *command, const char *name);

#endif
