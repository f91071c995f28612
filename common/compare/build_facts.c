#include "compare/build_facts.h"

#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/hash.h"
#include "cargo/profile_setting.h"
#include "cargo/rust_flags.h"
#include "proc/run.h"

enum { LOCK_BYTES_MAX = 64 * 1024 * 1024, VERSION_BYTES_MAX = 4096 };

static void add(struct rows *rows, const char *key, struct slice text)
{
    rows_add_label(rows, key, arena_slice(&rows->arena, text));
}

/* As a Cargo.toml has it, wherever it was set: 1, true, "thin". */
static void add_value(struct text *text, struct slice value)
{
    size_t digits = 0;

    while (digits < value.length && ascii_is_digit(value.data[digits]))
        digits++;
    if (digits == value.length || slice_is(value, "true") || slice_is(value, "false"))
        text_add(text, value);
    else
        text_format(text, "\"%.*s\"", SLICE_ARGUMENTS(value));
}

/* opt-level, package."itoa@1.0.0".opt-level */
static void add_keys(struct text *text, const char *const *keys)
{
    for (size_t i = 0; keys[i]; i++) {
        const char *quote = toml_is_bare_key(slice_of(keys[i])) ? "" : "\"";

        text_format(text, "%s%s%s%s", i > 0 ? "." : "", quote, keys[i], quote);
    }
}

/* "lto = true, opt-level = \"s\"", in an order of our own: of the profile itself, or of a table below it. */
static void add_settings_in(const struct cargo_profile *profile, const char *const *table, struct text *out)
{
    static const char *const names[] = {"inherits",        "opt-level",  "lto",
                                        "codegen-units",   "panic",      "debug",
                                        "split-debuginfo", "strip",      "debug-assertions",
                                        "overflow-checks", "incremental"};
    const char *keys[CARGO_PROFILE_KEYS_MAX + 1] = {NULL};
    size_t depth = 0;

    for (; table[depth]; depth++)
        keys[depth] = table[depth];
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        struct cargo_profile_setting setting;

        keys[depth] = names[i];
        if (!cargo_profile_find(profile, keys, &setting) || setting.value.length == 0)
            continue;
        text_add_string(out, out->length > 0 ? ", " : "");
        add_keys(out, keys);
        text_add_string(out, " = ");
        add_value(out, setting.value);
    }
}

/* For all, for build scripts and procedural macros, then for single packages. */
static void add_settings(const struct cargo_profile *profile, struct rows *rows)
{
    SCOPED(cargo_words_done) struct cargo_words packages = {0};
    SCOPED(text_done) struct text settings = {0};

    add_settings_in(profile, (const char *const[]){NULL}, &settings);
    add_settings_in(profile, (const char *const[]){"build-override", NULL}, &settings);
    cargo_profile_packages(profile, &packages);
    for (size_t i = 0; i < packages.items.count; i++)
        add_settings_in(profile, (const char *const[]){"package", packages.items.items[i], NULL}, &settings);
    add(rows, "settings", settings.length > 0 ? text_slice(&settings) : SLICE("none"));
}

static void add_features(const struct cargo_selection *selection, struct rows *rows)
{
    SCOPED(text_done) struct text text = {0};

    if (selection->all_features)
        text_add_string(&text, "all");
    else
        text_add_string(&text, selection->no_default_features ? "" : "default");
    for (size_t i = 0; i < selection->features.count; i++)
        text_format(&text, "%s%s", text.length > 0 ? ", " : "", selection->features.items[i]);
    add(rows, "features", text.length > 0 ? text_slice(&text) : SLICE("none"));
}

/* What --target told made nobody ask the compiler. */
static void add_compiler(const struct cargo_platform *platform, struct rows *rows)
{
    const char *const words[] = {platform->rustc, "--version", NULL};
    SCOPED(text_done) struct text version = {0};
    struct process_status status = {0};
    struct error unknown = {0};

    if (platform->compiler)
        add(rows, "rustc", slice_of(platform->compiler));
    else if (run_capture(&(struct spawn){.argv = words, .input = SPAWN_NULL, .error = SPAWN_NULL},
                         VERSION_BYTES_MAX, &version, &status, &unknown) == 0 &&
             status.exit_code == 0)
        add(rows, "rustc", slice_trim(text_slice(&version)));
}

static void add_flags(const struct cargo_configuration *configuration, const struct cargo_platform *platform,
                      struct rows *rows)
{
    SCOPED(text_done) struct text flags = {0};
    struct error unknown = {0};

    if (cargo_rust_flags_add(configuration, platform, &flags, &unknown) == 0)
        add(rows, "flags", flags.length > 0 ? text_slice(&flags) : SLICE("none"));
}

static void add_lock(const struct cargo_graph *graph, struct rows *rows)
{
    SCOPED(text_done) struct text content = {0};
    SCOPED(text_done) struct text path = {0};
    SCOPED(text_done) struct text shown = {0};
    struct error unread = {0};

    text_format(&path, "%.*s/Cargo.lock", SLICE_ARGUMENTS(graph->workspace_root));
    if (file_read(text_string(&path), LOCK_BYTES_MAX, &content, &unread) < 0)
        return;
    text_format(&shown, "%016llx", (unsigned long long)hash_fnv1a_64(text_slice(&content)));
    add(rows, "lock", text_slice(&shown));
}

static bool selects_nothing(const char *name)
{
    return !cargo_option_selects_packages(name) && !cargo_option_selects_targets(name);
}

static void add_selection(const struct options *options, struct rows *rows)
{
    SCOPED(text_done) struct text typed = {0};

    options_add_typed(&typed, options, selects_nothing);
    add(rows, "selection", typed.length > 0 ? slice_trim(text_slice(&typed)) : SLICE("none"));
}

void build_facts_add(const struct options *options, const struct cargo_graph *graph,
                     const struct cargo_platform *platform, struct rows *rows)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(cargo_profile_done) struct cargo_profile profile = {0};
    struct cargo_selection selection;
    struct cargo_platform asked = {0};
    struct error unknown = {0};

    cargo_selection_read(&arena, options, &selection);
    cargo_profile_read(&arena, options, graph, selection.profile, &profile);
    /* As cargo has it where we are: a toolchain file may stand in the folder. */
    if (!platform && cargo_platform_find(&arena, options, &profile.configuration, &asked, &unknown) == 0)
        platform = &asked;
    rows->labels_key = "build";
    add_selection(options, rows);
    add(rows, "profile", slice_of(selection.profile));
    add_settings(&profile, rows);
    add_features(&selection, rows);
    if (platform) {
        add(rows, "target", slice_of(platform->triple));
        add_flags(&profile.configuration, platform, rows);
        add_compiler(platform, rows);
    }
    add_lock(graph, rows);
    cargo_selection_done(&selection);
}

static const struct rows_label *find_label(const struct rows *rows, const char *key)
{
    for (size_t i = 0; i < rows->label_count; i++)
        if (strcmp(rows->labels[i].key, key) == 0)
            return &rows->labels[i];
    return NULL;
}

bool build_facts_are_known(const struct rows *rows)
{
    return find_label(rows, "profile") != NULL;
}

void build_facts_add_made_for(const struct made_for *made_for, struct rows *rows)
{
    rows->labels_key = "made-for";
    if (made_for->machine.length > 0)
        add(rows, "machine", made_for->machine);
    if (made_for->c_library.length > 0)
        add(rows, "c-library", made_for->c_library);
    if (made_for->system.length > 0)
        add(rows, "system", made_for->system);
}

void build_facts_compare(const struct rows *before, const struct rows *after, bool lock_is_code,
                         struct text *out)
{
    static const struct {
        const char *key;
        const char *sentence;
    } facts[] = {{"selection", "the selection differs"},
                 {"profile", "the profile differs"},
                 {"settings", "the profile's settings differ"},
                 {"features", "the features differ"},
                 {"target", "the target differs"},
                 {"flags", "the flags for rustc differ"},
                 {"rustc", "the compiler differs"},
                 {"lock", "Cargo.lock differs"}};

    for (size_t i = 0; i < ARRAY_COUNT(facts); i++) {
        const struct rows_label *was = find_label(before, facts[i].key);
        const struct rows_label *is = find_label(after, facts[i].key);

        bool is_lock = strcmp(facts[i].key, "lock") == 0;

        if (!was || !is || slice_equal(was->text, is->text) || (is_lock && lock_is_code))
            continue;
        text_format(out, "%s%s", out->length > 0 ? "; " : "", facts[i].sentence);
        /* A hash tells people nothing. */
        if (!is_lock)
            text_format(out, ": %.*s, now %.*s", SLICE_ARGUMENTS(was->text), SLICE_ARGUMENTS(is->text));
    }
}

static struct slice label_text(const struct rows *rows, const char *key)
{
    const struct rows_label *label = find_label(rows, key);

    return label ? label->text : (struct slice){0};
}

/* Of what cargo built the triple tells it. */
static struct made_for made_for_of(const struct rows *rows)
{
    struct made_for made_for = {label_text(rows, "machine"), label_text(rows, "c-library"),
                                label_text(rows, "system")};

    if (find_label(rows, "target"))
        (void)made_for_read_triple(label_text(rows, "target"), &made_for);
    return made_for;
}

void build_facts_compare_made_for(const struct rows *before, const struct rows *after, struct text *out)
{
    struct made_for was = made_for_of(before);
    struct made_for is = made_for_of(after);

    if ((find_label(before, "target") && find_label(after, "target")) || !made_for_differ(&was, &is))
        return;
    made_for_add(out, &was);
    text_add_string(out, ", now ");
    made_for_add(out, &is);
}
