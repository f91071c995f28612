/* What is asked for: of which the command line is one way to tell (command_line.h). */
#ifndef MEASURE_SETTINGS_H
#define MEASURE_SETTINGS_H

#include "base/vec.h"
#include "groups/groups.h"
#include "report/outputs.h"

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

#endif
