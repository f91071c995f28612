#include "cargo/args.h"

#include <stdlib.h>
#include <string.h>

#include "cli/command.h"

static const struct option_spec package_specs[] = {
    {"package", 'p', OPTION_OPTIONAL, "SPEC", "Package to build (see cargo help pkgid)", NULL, NULL},
    {"workspace", 0, OPTION_FLAG, NULL, "Build all packages in the workspace", NULL, NULL},
    {"all", 0, OPTION_FLAG, NULL, NULL, NULL, "workspace"},
    {"exclude", 0, OPTION_MANY, "SPEC", "Leave this package out, with --workspace", NULL, NULL},
};

static const struct option_spec target_specs[] = {
    {"lib", 0, OPTION_FLAG, NULL, "Only the package's library", NULL, NULL},
    {"bin", 0, OPTION_OPTIONAL, "NAME", "Only this binary", NULL, NULL},
    {"bins", 0, OPTION_FLAG, NULL, "All binaries", NULL, NULL},
    {"example", 0, OPTION_OPTIONAL, "NAME", "Only this example", NULL, NULL},
    {"examples", 0, OPTION_FLAG, NULL, "All examples", NULL, NULL},
    {"test", 0, OPTION_OPTIONAL, "NAME", "Only this integration test", NULL, NULL},
    {"tests", 0, OPTION_FLAG, NULL, "All targets that have test = true", NULL, NULL},
    {"bench", 0, OPTION_OPTIONAL, "NAME", "Only this benchmark", NULL, NULL},
    {"benches", 0, OPTION_FLAG, NULL, "All targets that have bench = true", NULL, NULL},
    {"all-targets", 0, OPTION_FLAG, NULL, "All of these", NULL, NULL},
};

static const struct option_spec unit_specs[] = {
    {"unit-test", 0, OPTION_OPTIONAL, "NAME", "The unit tests of a library or binary", NULL, NULL},
    {"unit-bench", 0, OPTION_OPTIONAL, "NAME", "The unit benchmarks of a library or binary", NULL, NULL},
};

static const struct option_spec feature_specs[] = {
    {"features", 'F', OPTION_MANY, "FEATURES", "Features to activate, separated by spaces or commas", NULL,
     NULL},
    {"all-features", 0, OPTION_FLAG, NULL, "Activate all features", NULL, NULL},
    {"no-default-features", 0, OPTION_FLAG, NULL, "Do not activate the default feature", NULL, NULL},
};

static const struct option_spec compilation_specs[] = {
    {"release", 'r', OPTION_FLAG, NULL, "Build in release mode, with optimisations", NULL, NULL},
    {"profile", 0, OPTION_VALUE, "NAME", "Build with this profile", NULL, NULL},
    {"jobs", 'j', OPTION_VALUE, "NUM", "Number of parallel jobs", NULL, NULL},
    {"keep-going", 0, OPTION_FLAG, NULL, "Do not stop at the first package that fails", NULL, NULL},
    {"ignore-rust-version", 0, OPTION_FLAG, NULL, "Build packages that ask for a newer rustc", NULL, NULL},
    {"target", 0, OPTION_OPTIONAL, "TRIPLE", "Build for this target", NULL, NULL},
    {"target-dir", 0, OPTION_VALUE, "FOLDER", "Where cargo puts what it builds", NULL, NULL},
};

static const struct option_spec manifest_specs[] = {
    {"manifest-path", 0, OPTION_VALUE, "PATH", "Path to Cargo.toml", NULL, NULL},
    {"locked", 0, OPTION_FLAG, NULL, "Cargo.lock must not change", NULL, NULL},
    {"offline", 0, OPTION_FLAG, NULL, "Do not use the network", NULL, NULL},
    {"frozen", 0, OPTION_FLAG, NULL, "Both --locked and --offline", NULL, NULL},
};

static const struct option_spec general_specs[] = {
    {"verbose", 'v', OPTION_FLAG, NULL,
     "Say what cargo is asked and what it runs; -vv also what build scripts print", NULL, NULL},
    {"quiet", 'q', OPTION_FLAG, NULL,
     "Print no messages of cargo's, and none on standard error of what was found and written", NULL, NULL},
    {"config", 0, OPTION_MANY, "KEY=VALUE|PATH", "Override a setting of cargo's configuration", NULL, NULL},
    {"unstable-flags", 'Z', OPTION_MANY, "FLAG", "Unstable flags of cargo", NULL, NULL},
};

const struct option_table cargo_package_options = {"Package selection", package_specs,
                                                   ARRAY_COUNT(package_specs)};
const struct option_table cargo_target_options = {"Target selection", target_specs,
                                                  ARRAY_COUNT(target_specs)};
const struct option_table cargo_unit_options = {"Unit tests", unit_specs, ARRAY_COUNT(unit_specs)};
const struct option_table cargo_feature_options = {"Feature selection", feature_specs,
                                                   ARRAY_COUNT(feature_specs)};
const struct option_table cargo_compilation_options = {"Compilation", compilation_specs,
                                                       ARRAY_COUNT(compilation_specs)};
const struct option_table cargo_manifest_options = {"Manifest", manifest_specs, ARRAY_COUNT(manifest_specs)};
const struct option_table cargo_general_options = {"Cargo", general_specs, ARRAY_COUNT(general_specs)};

const struct option_table *const cargo_option_tables[] = {CARGO_OPTION_TABLES, NULL};

static bool table_has(const struct option_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->specs[i].name, name) == 0)
            return true;
    return false;
}

static bool is_for_build(const char *name)
{
    for (size_t i = 0; cargo_option_tables[i]; i++)
        if (table_has(cargo_option_tables[i], name))
            return true;
    return strcmp(name, "color") == 0;
}

static bool is_for_metadata(const char *name)
{
    return table_has(&cargo_manifest_options, name) || strcmp(name, "config") == 0 ||
           strcmp(name, "unstable-flags") == 0 || strcmp(name, "color") == 0;
}

bool cargo_option_selects_packages(const char *name)
{
    return table_has(&cargo_package_options, name);
}

bool cargo_option_selects_targets(const char *name)
{
    return table_has(&cargo_target_options, name) || table_has(&cargo_unit_options, name);
}

void cargo_words_done(struct cargo_words *words)
{
    vec_done(&words->items);
}

void cargo_words_add(struct cargo_words *words, const char *word)
{
    *vec_add(&words->items) = word;
}

const char *const *cargo_words_keep(struct arena *arena, const struct cargo_words *words)
{
    const char **kept = ARENA_ARRAY(arena, words->items.count + 1, const char *);

    for (size_t i = 0; i < words->items.count; i++)
        kept[i] = words->items.items[i];
    return kept;
}

/* As cargo takes it; it has no long name for -Z. */
static const char *spelling(struct arena *arena, const char *name)
{
    return strcmp(name, "unstable-flags") == 0 ? "-Z" : arena_format(arena, "--%s", name);
}

static void add_uses(struct arena *arena, const struct options *options, bool (*is_wanted)(const char *name),
                     struct cargo_words *words)
{
    for (size_t i = 0; i < options->uses.count; i++) {
        const char *name = options->uses.items[i].spec->name;
        const char *value = options->uses.items[i].value;
        const char *spelled = spelling(arena, name);

        if (is_wanted(name))
            cargo_words_add(words, value ? arena_format(arena, "%s=%s", spelled, value) : spelled);
    }
}

void cargo_words_add_build(struct arena *arena, const struct options *options, struct cargo_words *words)
{
    add_uses(arena, options, is_for_build, words);
}

static bool is_setting(const char *name)
{
    return is_for_build(name) && !cargo_option_selects_packages(name) && !cargo_option_selects_targets(name);
}

void cargo_words_add_settings(struct arena *arena, const struct options *options, struct cargo_words *words)
{
    add_uses(arena, options, is_setting, words);
}

void cargo_words_add_packages(struct arena *arena, const struct options *options, struct cargo_words *words)
{
    add_uses(arena, options, cargo_option_selects_packages, words);
}

void cargo_words_add_metadata(struct arena *arena, const struct options *options, struct cargo_words *words)
{
    add_uses(arena, options, is_for_metadata, words);
}

void cargo_words_tell(const struct options *options, const struct cargo_words *words)
{
    SCOPED(text_done) struct text line = {0};

    if (!options_has(options, "verbose"))
        return;
    text_add_byte(&line, '`');
    for (size_t i = 0; i < words->items.count && words->items.items[i]; i++) {
        if (i > 0)
            text_add_byte(&line, ' ');
        text_add_shell(&line, slice_of(words->items.items[i]));
    }
    text_add_byte(&line, '`');
    command_status(options, "Running", text_string(&line));
}

const char *cargo_program(void)
{
    const char *program = getenv("CARGO");

    return program && *program ? program : "cargo";
}

int cargo_program_explain(struct error *err)
{
    /* sudo has a PATH of its own, also with -E ("secure_path", sudoers(5)), and without it another HOME. */
    bool is_sudo = getenv("SUDO_UID") != NULL;

    if (err->kind == ERROR_MISSING && is_sudo)
        error_hint(err, "sudo has a PATH of its own: sudo -E env \"PATH=$PATH\" cargo ...");
    else if (err->kind == ERROR_MISSING)
        error_hint(err, "install Rust from https://rustup.rs, or put cargo in PATH");
    else if (err->kind == ERROR_DENIED && is_sudo)
        error_hint(err, "builds run as who called sudo, who may not start root's cargo; with your own: "
                        "sudo -E env \"PATH=$PATH\" cargo ...");
    return -1;
}

static void read_features(struct arena *arena, const char *value, struct cargo_selection *out)
{
    struct slice rest = slice_of(value);

    while (rest.length > 0) {
        size_t end = strcspn(rest.data, " ,\t");

        if (end > 0)
            *vec_add(&out->features) = arena_copy(arena, slice_range(rest, 0, end));
        rest = slice_range(rest, end + 1, rest.length);
    }
}

/* The options that say which kind of target. */
static const struct {
    const char *name;
    enum cargo_kind kind;
    bool has_value;
} wish_options[] = {
    {"lib", CARGO_LIB, false},          {"bin", CARGO_BIN, true},     {"bins", CARGO_BIN, false},
    {"example", CARGO_EXAMPLE, true},   {"test", CARGO_TEST, true},   {"tests", CARGO_TEST, false},
    {"examples", CARGO_EXAMPLE, false}, {"bench", CARGO_BENCH, true}, {"benches", CARGO_BENCH, false},
};

static bool read_wish(const struct option_use *use, struct cargo_selection *out)
{
    for (size_t i = 0; i < ARRAY_COUNT(wish_options); i++) {
        if (strcmp(use->spec->name, wish_options[i].name) != 0)
            continue;
        if (wish_options[i].has_value && !use->value)
            out->asks_for_names = true;
        *vec_add(&out->wishes) = (struct cargo_wish){wish_options[i].kind, use->value};
        return true;
    }
    return false;
}

static bool read_unit(const struct option_use *use, struct cargo_selection *out)
{
    if (!table_has(&cargo_unit_options, use->spec->name))
        return false;
    out->harness = strcmp(use->spec->name, "unit-test") == 0 ? CARGO_TEST_HARNESS : CARGO_BENCH_HARNESS;
    out->unit = use->value;
    return true;
}

static bool read_package(const struct option_use *use, struct cargo_selection *out)
{
    const char *name = use->spec->name;

    if (strcmp(name, "package") == 0 && use->value)
        *vec_add(&out->packages) = use->value;
    else if (strcmp(name, "package") == 0)
        out->asks_for_names = true;
    else if (strcmp(name, "exclude") == 0)
        *vec_add(&out->excluded) = use->value;
    else if (strcmp(name, "workspace") == 0)
        out->workspace = true;
    else
        return false;
    return true;
}

static void read_setting(struct arena *arena, const struct option_use *use, struct cargo_selection *out)
{
    const char *name = use->spec->name;

    if (strcmp(name, "features") == 0)
        read_features(arena, use->value, out);
    else if (strcmp(name, "all-features") == 0)
        out->all_features = true;
    else if (strcmp(name, "no-default-features") == 0)
        out->no_default_features = true;
    else if (strcmp(name, "all-targets") == 0)
        out->all_targets = true;
    else if (strcmp(name, "release") == 0)
        out->profile = "release";
    else if (strcmp(name, "profile") == 0)
        out->profile = use->value;
    else if (strcmp(name, "manifest-path") == 0)
        out->manifest_path = use->value;
}

void cargo_selection_read(struct arena *arena, const struct options *options, struct cargo_selection *out)
{
    *out = (struct cargo_selection){.profile = "dev", .options = options};
    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];

        if (!read_wish(use, out) && !read_unit(use, out) && !read_package(use, out))
            read_setting(arena, use, out);
    }
}

void cargo_selection_done(struct cargo_selection *selection)
{
    vec_done(&selection->packages);
    vec_done(&selection->excluded);
    vec_done(&selection->wishes);
    vec_done(&selection->features);
}

bool cargo_option_tells_what_to_build(const struct option_spec *spec)
{
    static const char *const others[] = {"quiet", "verbose", "color"};

    return !slice_is_any(slice_of(spec->name), others, ARRAY_COUNT(others)) &&
           (is_for_build(spec->name) || cargo_option_selects_targets(spec->name));
}

const struct option_spec *cargo_first_option(const struct options *options)
{
    for (size_t i = 0; i < options->uses.count; i++)
        if (cargo_option_tells_what_to_build(options->uses.items[i].spec))
            return options->uses.items[i].spec;
    return NULL;
}
