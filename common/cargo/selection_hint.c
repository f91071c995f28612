#include "cargo/selection_hint.h"

#include "cargo/choose.h"
#include "cargo/manifest.h"
#include "cli/suggest.h"

/* cargo says that a profile is not defined, and no more; for other names it offers similar ones. */
static void hint_profile(const struct cargo_graph *graph, struct slice profile, struct error *err)
{
    static const char *const built_in[] = {"dev", "release", "test", "bench"};
    SCOPED(arena_done) struct arena arena = {0};
    struct suggestion best = suggestion_for(profile);
    struct manifest manifest;
    struct error ignored = {0};
    const char *path = arena_format(&arena, "%.*s/Cargo.toml", SLICE_ARGUMENTS(graph->workspace_root));

    for (size_t i = 0; i < ARRAY_COUNT(built_in); i++)
        suggestion_consider(&best, slice_of(built_in[i]));
    if (manifest_read(&arena, path, &manifest, &ignored) == 0)
        for (const struct toml_node *at = manifest_first_profile(&manifest); at; at = at->next)
            suggestion_consider(&best, at->key);
    if (best.nearest.length == 0 || slice_equal(best.nearest, best.wanted))
        return;
    error_hint(err, "did you mean --profile %.*s?", SLICE_ARGUMENTS(best.nearest));
}

/* Which another revision may have under another name; the program's own name tells it, too. */
static bool hint_package(const struct options *options, const struct cargo_graph *graph,
                         const struct cargo_selection *selection, struct error *err)
{
    const char *package = options_value(options, "package");

    for (size_t i = 0; package && i < graph->package_count; i++)
        if (cargo_package_is_selected(graph, &graph->packages[i], selection))
            return false;
    if (!package || cargo_selection_names_targets(selection))
        return false;
    error_hint(err, "the workspace has no package %s: without -p, --bin NAME tells which program is meant",
               package);
    return true;
}

void selection_hint_add(const struct options *options, const struct cargo_graph *graph,
                        const struct cargo_selection *selection, struct error *err)
{
    if (!hint_package(options, graph, selection, err))
        hint_profile(graph, slice_of(selection->profile), err);
}
