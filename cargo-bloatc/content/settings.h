/* What is asked for: of which the command line is one way to tell (command_line.h). */
#ifndef CONTENT_SETTINGS_H
#define CONTENT_SETTINGS_H

#include "content/measure.h"
#include "report/outputs.h"

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

#endif
