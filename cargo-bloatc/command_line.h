/* What `cargo bloatc` takes on its command line, and what follows from it. */
#ifndef CARGO_BLOATC_COMMAND_LINE_H
#define CARGO_BLOATC_COMMAND_LINE_H

#include "cli/options.h"
#include "report/render.h"

extern const struct command bloatc_command;

/* The tables of its options that say what cargo builds; NULL-terminated. */
extern const struct option_table *const bloatc_cargo_tables[];

/* How the result is to be shown; strings are borrowed from the options. */
struct bloatc_settings {
    bool by_crate;
    bool split_std;    /* core, alloc and the others as crates of their own */
    bool full_names;   /* with the hashes that tell instances apart */
    bool wide;         /* cut no names */
    bool hide_shares;  /* no columns of percentages */
    bool sort_by_name; /* else by size */
    bool is_quiet;
    bool has_limit;      /* the number of rows was given */
    size_t limit;        /* rows to show; 0: all */
    const char *filter;  /* a crate or a regular expression; NULL: all */
    const char *section; /* the section whose functions are measured */
    enum render_format format;
};

/*
 * Returns 0, or -1 with ERROR_USAGE when a value is not what its option takes, or an output's name does
 * not tell its format.
 */
MUST_CHECK int bloatc_settings_read(const struct options *options, struct bloatc_settings *out,
                                    struct error *err);

/* How many rows that format shows; 0: all. What programs read is whole unless -n was given. */
size_t bloatc_row_limit(const struct bloatc_settings *settings, enum render_format format);

#endif
