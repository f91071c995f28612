/* The verb `clean` of every command: removes the checkouts of revisions that comparisons have left. */
#ifndef REVISION_CLEAN_H
#define REVISION_CLEAN_H

#include "cli/options.h"

extern const struct option_table *const clean_tables[];
extern const char *const clean_usages[];

/* The initialiser of a struct command: the verb as `command` has it, "bloatc". */
#define CLEAN_COMMAND(command)                                                                               \
    {                                                                                                        \
        .name = (command), .verb = "clean",                                                                  \
        .summary = "Removes the checkouts of revisions that are kept for --diff",                            \
        .description = "Removes the checkouts of revisions, of all repositories, and what was built of "     \
                       "them, that --diff and --rev keep outside of repositories; those that another run "   \
                       "uses stay.",                                                                         \
        .usages = clean_usages, .tables = clean_tables, .runs_nothing = true,                                \
    }

/* Removes the checkouts that no run holds, and says how many. Returns 0, or -1 with ERROR_IO. */
MUST_CHECK int clean_run(const struct options *options, int *exit_code, struct error *err);

#endif
