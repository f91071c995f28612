#include "cmd_clean.h"

#include "compare/compare.h"

static const struct option_table *const tables[] = {&command_common_options, NULL};

static const char *const usages[] = {"", NULL};

const struct command cprof_clean_command = {
    .name = "cprof",
    .verb = "clean",
    .summary = "Removes the checkouts of revisions that are kept for --diff",
    .description =
        "Removes the checkouts of revisions, and what was built of them, that --diff and --rev keep "
        "outside of repositories; those that another run uses stay.",
    .usages = usages,
    .tables = tables,
};

int cmd_clean(const struct options *options, int *exit_code, struct error *err)
{
    *exit_code = 0;
    return compare_clean(options, err);
}
