/* What `cargo bloatc` takes on its command line, and what follows from it. */
#ifndef CARGO_BLOATC_COMMAND_LINE_H
#define CARGO_BLOATC_COMMAND_LINE_H

#include "cli/options.h"
#include "measure.h"
#include "report/outputs.h"

extern const struct command bloatc_command;

/* What a row stands for, in the order of the choices of --by. */
enum bloatc_by { BY_FUNCTION, BY_GENERIC, BY_CRATE, BY_MODULE, BY_FILE, BY_LINE, BY_SECTION, BY_DATA };

/* How the result is to be shown; strings are borrowed from the options. */
struct bloatc_settings {
    enum bloatc_by by;
    enum attribution attribute;
    bool with_data;    /* the whole file: what functions and crates need beside their code too */
    bool show_known;   /* a column that says how crates are known */
    bool split_std;    /* core, alloc and the others as crates of their own */
    bool full_names;   /* with the hashes that tell instances apart */
    bool hide_shares;  /* no columns of percentages */
    bool sort_by_name; /* else by size */
    bool is_quiet;
    const char *debug_path; /* NULL: looked for */
    const char *instances;  /* the generic whose instances are wanted; NULL: none */
    const char *filter;     /* a crate or a regular expression; NULL: all */
    const char *section;    /* the section whose functions are measured */
    struct outputs outputs;
};

/*
 * Returns 0, or -1 with ERROR_USAGE when a value is not what its option takes, options contradict each other,
 * or an output's name does not tell its format.
 */
MUST_CHECK int bloatc_settings_read(const struct options *options, struct bloatc_settings *out,
                                    struct error *err);

#endif
