/* What cargo prints, from hostile bytes: as the answer of `cargo metadata`, and as messages of a build. */
#include <stdint.h>

#include "base/scan.h"
#include "cargo/args.h"
#include "cargo/artifacts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void choose(const struct cargo_graph *graph, const struct cargo_selection *selection)
{
    struct cargo_choice choice;
    struct error err = {0};

    if (cargo_choose("bloatc", graph, selection, &choice, &err) == 0 && choice.target)
        cargo_graph_find(graph, choice.package->id);
}

static void read_metadata(struct slice content)
{
    struct cargo_graph graph = {0};
    const struct command command = {.name = "bloatc", .tables = cargo_option_tables};
    struct options options = {.command = &command};
    struct cargo_selection selection = {.profile = "dev", .options = &options};
    struct error err = {0};

    if (cargo_graph_parse(content, &graph, &err) < 0)
        return;
    choose(&graph, &selection);
    *vec_add(&selection.features) = "fast";
    selection.workspace = true;
    choose(&graph, &selection);
    selection.all_targets = true;
    choose(&graph, &selection);
    cargo_selection_done(&selection);
    cargo_graph_done(&graph);
}

static void read_messages(struct slice content)
{
    struct cargo_artifacts artifacts = {0};
    struct scan scan = scan_of(content);
    struct slice line;
    struct error err = {0};

    while (scan_line(&scan, &line))
        if (cargo_artifacts_add_line(&artifacts, line, &err) < 0)
            break;
    if (artifacts.items.count > 0) {
        const struct cargo_artifact *last = &artifacts.items.items[artifacts.items.count - 1];
        struct cargo_package package = {.id = last->package_id};
        struct cargo_choice choice = {&package, &last->target, CARGO_NO_HARNESS, false};
        const struct cargo_artifact *picked = NULL;
        struct slice path;

        if (cargo_artifacts_pick("bloatc", &artifacts, &choice, &picked, &path, &err) == 0 &&
            path.length == 0)
            __builtin_trap();
    }
    cargo_artifacts_done(&artifacts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice content = {(const char *)data, size};

    read_metadata(content);
    read_messages(content);
    return 0;
}
