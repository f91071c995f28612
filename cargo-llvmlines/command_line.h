/* What `cargo llvmlines` takes on its command line, and what follows from it. */
#ifndef CARGO_LLVMLINES_COMMAND_LINE_H
#define CARGO_LLVMLINES_COMMAND_LINE_H

#include "base/vec.h"
#include "cli/options.h"
#include "groups.h"
#include "report/outputs.h"

extern const struct command llvmlines_command;

enum llvmlines_order { ORDER_BY_LINES, ORDER_BY_COPIES, ORDER_BY_NAME, ORDER_BY_SIZE };

/* In the order of the values of --count. */
enum llvmlines_count { COUNT_LINES, COUNT_INSTRUCTIONS };

/* How the result is to be shown; strings are borrowed from the options. */
struct llvmlines_settings {
    enum llvmlines_order order;
    enum grouping by;
    bool is_split;
    bool counts_instructions; /* lines are without the "]" of switches */
    bool is_compat;           /* the table of cargo-llvm-lines on standard output */
    bool with_dependencies;   /* of the selected units, down to the last crate */
    bool is_list;             /* instances, callers or dups instead of groups */
    bool needs_units;         /* more is asked for than lines and copies of groups */
    bool wants_advice;        /* below the table */
    bool keep_ir;
    bool is_quiet;
    const char *instances; /* the generic whose copies are to be listed; NULL: none */
    const char *callers;   /* the generic whose causes are; NULL: none */
    bool dups;             /* what several crates have alike */
    bool wants_sizes;      /* of the code that is left after optimisation */
    const char *binary;    /* the file that has it; NULL: what cargo builds */
    const char *filter;    /* a regular expression; NULL: all */
    struct outputs outputs;
    VEC(const char *) files; /* IR to count instead of what cargo builds; "-" is standard input */
};

/*
 * Returns 0, or -1 with ERROR_USAGE when a value is not what its option takes, an output's name does
 * not tell its format, or cargo's options stand beside files. `out` is to be given to llvmlines_settings_done
 * either way.
 */
MUST_CHECK int llvmlines_settings_read(const struct options *options, struct llvmlines_settings *out,
                                       struct error *err);

/*
 * With `options` of one side of a comparison: 0, or -1 with ERROR_USAGE where that is files and options of
 * cargo's are given, which then are of no side.
 */
MUST_CHECK int llvmlines_settings_check_side(const struct llvmlines_settings *settings,
                                             const struct options *options, struct error *err);

void llvmlines_settings_done(struct llvmlines_settings *settings);

#endif
