#include "revision/clean.h"

#include "base/units.h"
#include "cli/command.h"
#include "revision/revision_cache.h"

static const struct option_spec specs[] = {
    {"quiet", 'q', OPTION_FLAG, NULL, "Do not say what was removed", NULL, NULL},
};

static const struct option_table options_of_clean = {"Output", specs, ARRAY_COUNT(specs)};

const struct option_table *const clean_tables[] = {&options_of_clean, &command_common_options, NULL};

const char *const clean_usages[] = {"[OPTIONS]", NULL};

int clean_run(const struct options *options, int *exit_code, struct error *err)
{
    struct revision_clean clean = {0};
    SCOPED(text_done) struct text said = {0};

    *exit_code = 0;
    if (revision_cache_clean(&clean, err) < 0)
        return -1;
    text_format(&said, "%zu checkout%s of revisions, ", clean.removed, clean.removed == 1 ? "" : "s");
    units_add_bytes(&said, clean.bytes);
    if (clean.in_use > 0)
        text_format(&said, "; %zu in use by other runs", clean.in_use);
    if (!options_has(options, "quiet"))
        command_status(options, "Removed", text_string(&said));
    return 0;
}
