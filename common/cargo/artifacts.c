#include "cargo/artifacts.h"

#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/text.h"

enum { LIMIT_BYTES = 16 * 1024 * 1024 };

void cargo_artifacts_done(struct cargo_artifacts *artifacts)
{
    vec_done(&artifacts->items);
    vec_done(&artifacts->script_runs);
    arena_done(&artifacts->arena);
}

static struct cargo_names copy_names(struct arena *arena, struct cargo_names names)
{
    struct slice *items = ARENA_ARRAY(arena, names.count, struct slice);

    for (size_t i = 0; i < names.count; i++)
        items[i] = arena_slice(arena, names.items[i]);
    return (struct cargo_names){items, names.count};
}

/* A path that messages may leave out. */
static struct slice path_of_member(struct arena *arena, const struct json_value *object, const char *name)
{
    struct error ignored = {0};
    struct slice path = {0};

    if (json_get_string(object, name, &path, &ignored) < 0)
        return (struct slice){0};
    return arena_slice(arena, path);
}

/* A number or a string, as text. */
static struct slice text_of_member(struct arena *arena, const struct json_value *object, const char *name)
{
    SCOPED(text_done) struct text text = {0};
    struct error ignored = {0};
    struct json_value value;
    struct slice string = {0};

    if (!json_find(object, name, &value))
        return SLICE("0");
    if (json_as_string(&value, &string, &ignored) == 0)
        return arena_slice(arena, string);
    json_add_value(&text, &value);
    return arena_slice(arena, text_slice(&text));
}

static int parse_profile(struct arena *arena, const struct json_value *message,
                         struct cargo_artifact *artifact, struct error *err)
{
    struct json_value profile;

    if (json_get_object(message, "profile", &profile, err) < 0 ||
        json_get_bool(&profile, "debug_assertions", &artifact->debug_assertions, err) < 0 ||
        json_get_bool(&profile, "test", &artifact->is_test, err) < 0)
        return -1;
    artifact->opt_level = text_of_member(arena, &profile, "opt_level");
    artifact->debuginfo = text_of_member(arena, &profile, "debuginfo");
    return 0;
}

static int parse_files(struct arena *arena, const struct json_value *message, struct cargo_artifact *artifact,
                       struct error *err)
{
    struct json_value files;
    struct json_value executable;

    if (json_get_array(message, "filenames", &files, err) < 0 ||
        cargo_names_parse(arena, &files, &artifact->filenames, err) < 0 ||
        json_get_bool(message, "fresh", &artifact->is_fresh, err) < 0)
        return -1;
    if (json_find(message, "executable", &executable))
        return json_as_string(&executable, &artifact->executable, err);
    return 0;
}

/* What std is made of has this feature where cargo builds it for std, as std's own manifest asks for it. */
static bool is_for_std(struct arena *arena, const struct json_value *message)
{
    struct error ignored = {0};
    struct json_value array;
    struct cargo_names features;

    if (json_get_array(message, "features", &array, &ignored) < 0 ||
        cargo_names_parse(arena, &array, &features, &ignored) < 0)
        return false;
    for (size_t i = 0; i < features.count; i++)
        if (slice_is(features.items[i], "rustc-dep-of-std"))
            return true;
    return false;
}

static int parse_artifact(struct arena *arena, const struct json_value *message, struct cargo_artifact *out,
                          struct error *err)
{
    struct cargo_artifact artifact = {0};
    struct json_value target;

    if (json_get_string(message, "package_id", &artifact.package_id, err) < 0 ||
        json_get_object(message, "target", &target, err) < 0 ||
        cargo_target_parse(arena, &target, &artifact.target, err) < 0 ||
        parse_profile(arena, message, &artifact, err) < 0 || parse_files(arena, message, &artifact, err) < 0)
        return -1;
    /* The message is gone after this. */
    artifact.package_id = arena_slice(arena, artifact.package_id);
    artifact.manifest_path = path_of_member(arena, message, "manifest_path");
    artifact.target.name = arena_slice(arena, artifact.target.name);
    artifact.target.required_features = copy_names(arena, artifact.target.required_features);
    artifact.executable = arena_slice(arena, artifact.executable);
    artifact.filenames = copy_names(arena, artifact.filenames);
    artifact.is_for_std = is_for_std(arena, message);
    *out = artifact;
    return 0;
}

/* What a message lacks is not known; no build fails for the want of it. */
static void add_script_run(struct cargo_artifacts *artifacts, const struct json_value *message)
{
    struct error ignored = {0};
    struct cargo_script_run run;

    if (json_get_string(message, "package_id", &run.package_id, &ignored) < 0 ||
        json_get_string(message, "out_dir", &run.folder, &ignored) < 0)
        return;
    run.package_id = arena_slice(&artifacts->arena, run.package_id);
    run.folder = arena_slice(&artifacts->arena, run.folder);
    *vec_add(&artifacts->script_runs) = run;
}

static int add_message(struct cargo_artifacts *artifacts, const struct json_value *message, struct error *err)
{
    struct error ignored = {0};
    struct cargo_artifact artifact;
    struct slice reason = {0};

    if (!json_is_object(message) || json_get_string(message, "reason", &reason, &ignored) < 0)
        return 0;
    if (slice_is(reason, "build-script-executed"))
        add_script_run(artifacts, message);
    if (!slice_is(reason, "compiler-artifact"))
        return 0;
    if (parse_artifact(&artifacts->arena, message, &artifact, err) < 0)
        return error_wrap(err, "reading a message of cargo build");
    *vec_add(&artifacts->items) = artifact;
    return 0;
}

int cargo_artifacts_add_line(struct cargo_artifacts *artifacts, struct slice line, struct error *err)
{
    struct json_document document = {0};
    struct error ignored = {0};
    struct json_value message;
    int result = 0;

    if (!slice_starts_with(line, SLICE("{")) || json_parse(line, LIMIT_BYTES, &document, &ignored) < 0)
        return 0;
    message = json_root(&document);
    result = add_message(artifacts, &message, err);
    json_document_done(&document);
    return result;
}

/* With --all-targets, or for its unit tests, a binary is built twice: by itself and with the test harness
 * around it. */
static bool is_chosen(const struct cargo_artifact *artifact, const struct cargo_choice *choice)
{
    enum cargo_kind kind = artifact->target.kind;

    return slice_equal(artifact->package_id, choice->package->id) && kind == choice->target->kind &&
           slice_equal(artifact->target.name, choice->target->name) &&
           (choice->harness ? artifact->is_test
                            : !artifact->is_test || kind == CARGO_TEST || kind == CARGO_BENCH);
}

/* Its file to look at; empty when it has none. */
static struct slice linked_file(const struct cargo_artifact *artifact)
{
    static const char *const endings[] = {".so", ".dylib", ".dll", ".wasm", ".a"};

    if (artifact->executable.length > 0)
        return artifact->executable;
    for (size_t at = 0; at < ARRAY_COUNT(endings); at++)
        for (size_t i = 0; i < artifact->filenames.count; i++)
            if (slice_ends_with(artifact->filenames.items[i], slice_of(endings[at])))
                return artifact->filenames.items[i];
    return (struct slice){0};
}

/* A program or library of the user's: what is made to run during the build does not count. */
static bool is_result(const struct cargo_artifact *artifact)
{
    return artifact->target.kind != CARGO_BUILD_SCRIPT && artifact->target.kind != CARGO_PROC_MACRO &&
           linked_file(artifact).length > 0;
}

/* "cargo bloatc FILE", ready for the shell, after what is there already; whose unit tests it is, which no
 * name tells, behind it. */
static void add_file_command(struct text *commands, const char *verb, const struct cargo_artifact *artifact)
{
    text_format(commands, "%scargo %s ", commands->length ? ", or " : "", verb);
    text_add_shell(commands, slice_of(file_from_here(linked_file(artifact).data)));
    if (artifact->is_test && (artifact->target.kind == CARGO_LIB || artifact->target.kind == CARGO_BIN))
        text_format(commands, " (tests of %s %s)", artifact->target.kind == CARGO_LIB ? "lib" : "bin",
                    artifact->target.name.data);
}

static int refuse_two(const char *verb, const struct cargo_artifact *first,
                      const struct cargo_artifact *second, struct error *err)
{
    SCOPED(text_done) struct text commands = {0};

    add_file_command(&commands, verb, first);
    add_file_command(&commands, verb, second);
    error_hint(err, "name one file: %s", text_string(&commands));
    return error_set(err, ERROR_USAGE, "cargo built %s more than once", first->target.name.data);
}

static bool is_test_result(const struct cargo_artifact *artifact)
{
    bool is_of_tests =
        artifact->is_test || artifact->target.kind == CARGO_TEST || artifact->target.kind == CARGO_BENCH;

    return is_of_tests && is_result(artifact);
}

typedef bool is_meant_fn(const struct cargo_artifact *artifact);

/* cargo may build what the choice could not foresee, the unit tests in a program's own source for one. */
static int refuse_unpicked(const char *verb, const struct cargo_artifacts *artifacts, is_meant_fn *is_meant,
                           struct error *err)
{
    enum { SHOWN = 3 };
    SCOPED(text_done) struct text commands = {0};
    size_t count = 0;

    for (size_t i = 0; i < artifacts->items.count; i++)
        if (is_meant(&artifacts->items.items[i]) && count++ < SHOWN)
            add_file_command(&commands, verb, &artifacts->items.items[i]);
    if (count == 0) {
        error_hint(err, "a library has its final code only in a program that uses it: select that one");
        return error_set(err, ERROR_MISSING, "cargo built no program for these options");
    }
    if (count > SHOWN)
        text_format(&commands, ", or one of %zu more", count - SHOWN);
    error_hint(err, "name one file: %s", text_string(&commands));
    return error_set(err, ERROR_USAGE, "the options do not tell which of the programs cargo built is meant");
}

/* The only executable of tests or benchmarks. */
static int pick_test(const char *verb, const struct cargo_artifacts *artifacts,
                     const struct cargo_artifact **out, struct error *err)
{
    const struct cargo_artifact *found = NULL;
    size_t count = 0;

    for (size_t i = 0; i < artifacts->items.count; i++)
        if (is_test_result(&artifacts->items.items[i])) {
            found = &artifacts->items.items[i];
            count++;
        }
    if (count != 1)
        return refuse_unpicked(verb, artifacts, is_test_result, err);
    *out = found;
    return 0;
}

/* The artifact of the target chosen. */
static int pick_chosen(const char *verb, const struct cargo_artifacts *artifacts,
                       const struct cargo_choice *choice, const struct cargo_artifact **out,
                       struct error *err)
{
    const struct cargo_artifact *found = NULL;

    for (size_t i = 0; choice->target && i < artifacts->items.count; i++) {
        const struct cargo_artifact *item = &artifacts->items.items[i];

        if (!is_chosen(item, choice) || linked_file(item).length == 0)
            continue;
        if (found)
            return refuse_two(verb, found, item, err);
        found = item;
    }
    if (!found)
        return refuse_unpicked(verb, artifacts, is_result, err);
    *out = found;
    return 0;
}

int cargo_artifacts_pick(const char *verb, const struct cargo_artifacts *artifacts,
                         const struct cargo_choice *choice, const struct cargo_artifact **artifact,
                         struct slice *path, struct error *err)
{
    const struct cargo_artifact *found = NULL;

    if ((choice->is_any_test ? pick_test(verb, artifacts, &found, err)
                             : pick_chosen(verb, artifacts, choice, &found, err)) < 0)
        return -1;
    *artifact = found;
    *path = linked_file(found);
    return 0;
}

/* "serde 1.0.2 (registry+https://…)"; a git repository's ends in "#REVISION)". A URL has no blank. */
static bool read_old_id(struct slice id, struct cargo_package_id *out)
{
    size_t name = slice_find_byte(id, ' ');
    struct slice rest = slice_range(id, name + 1, id.length);
    size_t version = slice_find(rest, SLICE(" ("));

    if (version == rest.length || !slice_ends_with(rest, SLICE(")")))
        return false;
    *out = (struct cargo_package_id){slice_range(id, 0, name), slice_range(rest, 0, version),
                                     slice_range(rest, version + strlen(" ("), rest.length - 1)};
    out->source = slice_range(out->source, 0, slice_find_last_byte(out->source, '#'));
    return true;
}

struct cargo_package_id cargo_package_id_read(struct slice id)
{
    struct cargo_package_id old;
    size_t fragment = slice_find_last_byte(id, '#');
    struct slice source = slice_range(id, 0, fragment);
    struct slice path = slice_range(source, 0, slice_find_byte(source, '?'));
    struct slice rest = slice_range(id, fragment + 1, id.length);
    size_t at = slice_find_byte(rest, '@');

    if (read_old_id(id, &old))
        return old;
    if (at < rest.length || (rest.length > 0 && !ascii_is_digit(rest.data[0])))
        return (struct cargo_package_id){slice_range(rest, 0, at), slice_range(rest, at + 1, rest.length),
                                         source};
    return (struct cargo_package_id){slice_file_name(path), rest, source};
}

const char *cargo_artifact_rlib(const struct cargo_artifact *artifact)
{
    for (size_t i = 0; i < artifact->filenames.count; i++)
        if (slice_ends_with(artifact->filenames.items[i], SLICE(".rlib")))
            return artifact->filenames.items[i].data;
    return NULL;
}
