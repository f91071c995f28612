#include "cargo/output_check.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cargo/graph.h"

/* A revision is built elsewhere, and a file that is named is built already. */
static bool builds_here(const struct options *options)
{
    static const char *const elsewhere[] = {"rev", "files"};
    bool compares_revisions = command_find_option(options->command, "diff") && options_has(options, "diff") &&
                              strstr(options_value(options, "diff"), "..");

    for (size_t i = 0; i < ARRAY_COUNT(elsewhere); i++)
        if (command_find_option(options->command, elsewhere[i]) && options_has(options, elsewhere[i]))
            return false;
    return command_find_option(options->command, "target-dir") && options->positionals.count == 0 &&
           !compares_revisions;
}

/* An absolute path of a folder that need not be there; NULL when the one above is not, either. */
static const char *resolve(struct arena *arena, struct slice folder)
{
    struct slice name = slice_file_name(folder);
    size_t above = folder.length - name.length;
    char resolved[PATH_MAX];

    if (!realpath(above > 0 ? arena_copy(arena, slice_range(folder, 0, above)) : ".", resolved))
        return NULL;
    return arena_format(arena, "%s/%.*s", resolved, SLICE_ARGUMENTS(name));
}

/* Whether cargo makes the folder when it builds. */
static bool is_made_by_cargo(const struct options *options, struct slice folder)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(cargo_graph_done) struct cargo_graph graph = {0};
    struct error unknown = {0};
    const char *wanted = resolve(&arena, folder);
    const char *made = NULL;

    if (!wanted || !builds_here(options))
        return false;
    if (options_has(options, "target-dir"))
        made = resolve(&arena, slice_of(options_value(options, "target-dir")));
    else if (cargo_graph_load(options, &graph, &unknown) == 0)
        made = resolve(&arena, graph.target_directory);
    return made && strcmp(wanted, made) == 0;
}

int cargo_check_output(const struct options *options, const char *path, struct error *err)
{
    SCOPED(text_done) struct text missing = {0};

    if (file_lacks_folder(path, &missing) && is_made_by_cargo(options, text_slice(&missing)))
        return 0;
    return file_check_replaceable(path, err);
}

int cargo_check_outputs(const struct options *options, struct error *err)
{
    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];

        if (strcmp(use->spec->name, "output") == 0 && cargo_check_output(options, use->value, err) < 0)
            return -1;
    }
    return 0;
}
