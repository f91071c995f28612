#include "cargo/graph.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cargo/artifacts.h"
#include "proc/run.h"

enum { LIMIT_BYTES = 64 * 1024 * 1024 };

void cargo_graph_done(struct cargo_graph *graph)
{
    json_document_done(&graph->document);
    arena_done(&graph->arena);
    *graph = (struct cargo_graph){0};
}

static int compare_features(const void *a, const void *b)
{
    const struct cargo_feature *left = a;
    const struct cargo_feature *right = b;

    return slice_compare(left->name, right->name);
}

static int parse_features(struct arena *arena, const struct json_value *value, struct cargo_package *package,
                          struct error *err)
{
    struct json_value table;
    struct json_value item;
    struct cargo_feature *features = NULL;
    size_t count = 0;

    if (json_get_object(value, "features", &table, err) < 0)
        return -1;
    features = ARENA_ARRAY(arena, json_count(&table), struct cargo_feature);
    for (bool more = json_first(&table, &item); more; more = json_next(&item)) {
        features[count].name = json_name(&item);
        if (cargo_names_parse(arena, &item, &features[count++].enables, err) < 0)
            return -1;
    }
    if (count > 1)
        qsort(features, count, sizeof(*features), compare_features);
    package->features = features;
    package->feature_count = count;
    return 0;
}

static int parse_targets(struct arena *arena, const struct json_value *value, struct cargo_package *package,
                         struct error *err)
{
    struct json_value list;
    struct json_value item;
    struct cargo_target *targets = NULL;
    size_t count = 0;

    if (json_get_array(value, "targets", &list, err) < 0)
        return -1;
    targets = ARENA_ARRAY(arena, json_count(&list), struct cargo_target);
    for (bool more = json_first(&list, &item); more; more = json_next(&item))
        if (cargo_target_parse(arena, &item, &targets[count++], err) < 0)
            return -1;
    package->targets = targets;
    package->target_count = count;
    return 0;
}

/* A value that is asked after its parent is gone; its paths begin with it. */
static struct json_value find_detached(const struct json_value *object, const char *name)
{
    struct json_value found = {0};

    if (json_find(object, name, &found))
        found.parent = NULL;
    return found;
}

static int parse_package(struct arena *arena, const struct json_value *value, struct cargo_package *package,
                         struct error *err)
{
    struct json_value ignored;

    if (json_get_string(value, "name", &package->name, err) < 0 ||
        json_get_string(value, "version", &package->version, err) < 0 ||
        json_get_string(value, "id", &package->id, err) < 0 ||
        json_get_string(value, "manifest_path", &package->manifest_path, err) < 0)
        return -1;
    if (json_find(value, "default_run", &ignored) &&
        json_get_string(value, "default_run", &package->default_run, err) < 0)
        return -1;
    package->metadata = find_detached(value, "metadata");
    return parse_targets(arena, value, package, err) < 0 || parse_features(arena, value, package, err) < 0
               ? -1
               : 0;
}

static int parse_packages(const struct json_value *root, struct cargo_graph *graph, struct error *err)
{
    struct json_value list;
    struct json_value item;
    struct cargo_package *packages = NULL;
    size_t count = 0;

    if (json_get_array(root, "packages", &list, err) < 0)
        return -1;
    packages = ARENA_ARRAY(&graph->arena, json_count(&list), struct cargo_package);
    for (bool more = json_first(&list, &item); more; more = json_next(&item))
        if (parse_package(&graph->arena, &item, &packages[count++], err) < 0)
            return -1;
    graph->packages = packages;
    graph->package_count = count;
    return 0;
}

static int parse_graph(struct cargo_graph *graph, struct error *err)
{
    struct json_value root = json_root(&graph->document);
    struct json_value members;
    struct json_value ignored;

    if (json_get_string(&root, "workspace_root", &graph->workspace_root, err) < 0 ||
        json_get_string(&root, "target_directory", &graph->target_directory, err) < 0 ||
        parse_packages(&root, graph, err) < 0)
        return -1;
    if (json_find(&root, "build_directory", &ignored) &&
        json_get_string(&root, "build_directory", &graph->build_directory, err) < 0)
        return -1;
    graph->metadata = find_detached(&root, "metadata");
    /* Since cargo 1.71; before it all members stand in. */
    if (!json_find(&root, "workspace_default_members", &members) &&
        json_get_array(&root, "workspace_members", &members, err) < 0)
        return -1;
    return cargo_names_parse(&graph->arena, &members, &graph->default_members, err);
}

int cargo_graph_parse(struct slice json, struct cargo_graph *out, struct error *err)
{
    struct cargo_graph graph = {0};

    if (json_parse(json, LIMIT_BYTES, &graph.document, err) < 0 || parse_graph(&graph, err) < 0) {
        cargo_graph_done(&graph);
        return error_wrap(err, "reading what cargo metadata says");
    }
    *out = graph;
    return 0;
}

/* Whether cargo finds a Cargo.toml here or in a folder above. */
static bool is_in_package(void)
{
    SCOPED(text_done) struct text path = {0};
    char *here = getcwd(NULL, 0);
    struct slice folder = slice_of(here);
    bool found = !here;

    while (!found && folder.length > 0) {
        text_clear(&path);
        text_add(&path, folder);
        text_add_string(&path, "/Cargo.toml");
        found = access(text_string(&path), F_OK) == 0;
        folder = slice_folder(folder);
    }
    free(here);
    return found || access("/Cargo.toml", F_OK) == 0;
}

static int explain_refusal(const struct options *options, struct process_status status, struct error *err)
{
    bool is_named =
        command_find_option(options->command, "manifest-path") && options_has(options, "manifest-path");

    if (!is_named && !is_in_package())
        error_hint(err, "go to a package's folder, or name one: --manifest-path PATH/Cargo.toml");
    return process_check("cargo metadata", status, err);
}

/* cargo then prints these flags in place of all that it was asked for. */
static int refuse_unstable_help(const struct options *options, struct error *err)
{
    for (size_t i = 0; i < options->uses.count; i++)
        if (strcmp(options->uses.items[i].spec->name, "unstable-flags") == 0 &&
            strcmp(options->uses.items[i].value, "help") == 0) {
            error_hint(err, "cargo lists its unstable flags: cargo -Z help");
            return error_set(err, ERROR_USAGE, "-Z help builds nothing");
        }
    return 0;
}

int cargo_graph_load(const struct options *options, struct cargo_graph *out, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(cargo_words_done) struct cargo_words words = {0};
    SCOPED(text_done) struct text output = {0};
    struct process_status status;

    if (refuse_unstable_help(options, err) < 0)
        return -1;
    cargo_words_add(&words, cargo_program());
    cargo_words_add(&words, "metadata");
    cargo_words_add(&words, "--no-deps");
    cargo_words_add(&words, "--format-version=1");
    /* Errors show all the same; warnings about the workspace come with the build, and once is enough. */
    cargo_words_add(&words, "--quiet");
    cargo_words_add_metadata(&arena, options, &words);
    cargo_words_add(&words, NULL);
    cargo_words_tell(options, &words);
    if (run_capture(&(struct spawn){.argv = words.items.items}, LIMIT_BYTES, &output, &status, err) < 0)
        return cargo_program_explain(err);
    if (status.exit_code)
        return explain_refusal(options, status, err);
    return cargo_graph_parse(text_slice(&output), out, err);
}

const struct cargo_package *cargo_graph_find(const struct cargo_graph *graph, struct slice id)
{
    for (size_t i = 0; i < graph->package_count; i++)
        if (slice_equal(graph->packages[i].id, id))
            return &graph->packages[i];
    return NULL;
}

/* A version may be cut after a number: 1 and 1.2 are good for 1.2.3. */
static bool is_version(struct slice version, struct slice wanted)
{
    struct slice rest = slice_range(version, wanted.length, version.length);

    return slice_starts_with(version, wanted) && (rest.length == 0 || rest.data[0] == '.');
}

/* "file:///ws/lib", of an ID "path+file:///ws/lib#name@0.1.0"; `rest` is what stands behind the '#'. */
static struct slice url_of(struct slice id, struct slice *rest)
{
    size_t end = slice_find_byte(id, '#');
    size_t kind = slice_find_byte(id, '+');
    bool has_kind = kind < slice_find(id, SLICE("://"));

    *rest = slice_range(id, end + 1, id.length);
    return slice_range(id, has_kind ? kind + 1 : 0, end);
}

/* The forms of "cargo help pkgid" that begin with a URL, without a kind: "#" may tell name, version or both.
 */
static bool is_at_url(const struct cargo_package *package, struct slice spec)
{
    struct slice rest;
    struct slice ignored;
    struct slice url = url_of(spec, &rest);
    struct slice own = url_of(cargo_package_id_read(package->id).source, &ignored);
    size_t at = slice_find_byte(rest, '@');

    if (!slice_has(spec, SLICE("://")) || !slice_equal(url, own))
        return false;
    if (at < rest.length)
        return slice_equal(slice_range(rest, 0, at), package->name) &&
               is_version(package->version, slice_range(rest, at + 1, rest.length));
    return rest.length == 0 || slice_equal(rest, package->name) || is_version(package->version, rest);
}

bool cargo_package_is(const struct cargo_package *package, const char *spec)
{
    struct slice whole = slice_of(spec);
    size_t colon = slice_find_byte(whole, ':');
    struct slice name = slice_range(whole, 0, colon < whole.length ? colon : slice_find_byte(whole, '@'));

    if (slice_equal(package->id, whole) || is_at_url(package, whole) ||
        fnmatch(spec, package->name.data, 0) == 0)
        return true;
    /* The older form is name:1.2.3. */
    return name.length < whole.length && slice_equal(package->name, name) &&
           is_version(package->version, slice_range(whole, name.length + 1, whole.length));
}

static bool is_any_of(const struct cargo_package *package, const char *const *specs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (cargo_package_is(package, specs[i]))
            return true;
    return false;
}

bool cargo_package_is_selected(const struct cargo_graph *graph, const struct cargo_package *package,
                               const struct cargo_selection *selection)
{
    if (is_any_of(package, selection->excluded.items, selection->excluded.count))
        return false;
    if (selection->workspace)
        return true;
    if (selection->packages.count > 0)
        return is_any_of(package, selection->packages.items, selection->packages.count);
    for (size_t i = 0; i < graph->default_members.count; i++)
        if (slice_equal(graph->default_members.items[i], package->id))
            return true;
    return false;
}
