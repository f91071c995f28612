#include "cargo/runner.h"

#include <stdlib.h>
#include <string.h>

#include "base/scan.h"
#include "cargo/cfg.h"
#include "proc/run.h"

enum { ANSWER_MAX_BYTES = 1024 * 1024 };

static int ask(const char *const *argv, struct text *answer, struct error *err)
{
    struct process_status status;

    if (run_capture(&(struct spawn){.argv = argv}, ANSWER_MAX_BYTES, answer, &status, err) < 0)
        return -1;
    return process_check(argv[0], status, err);
}

/* The compiler that cargo asks, too. */
static const char *rustc_program(struct arena *arena, const struct cargo_configuration *configuration)
{
    static const char *const keys[] = {"build", "rustc", NULL};
    struct cargo_setting setting = cargo_configuration_find(configuration, keys);
    const char *variable = getenv("RUSTC");

    if (!variable || !*variable)
        variable = setting.value && setting.part->is_option ? NULL : getenv("CARGO_BUILD_RUSTC");
    if (variable && *variable)
        return variable;
    if (setting.value && setting.value->kind == TOML_STRING)
        return cargo_setting_program(arena, setting.value->text, setting.part->folder);
    return "rustc";
}

/* The host is what cargo builds for when nothing else is said. */
static int find_host(struct arena *arena, const struct cargo_configuration *configuration,
                     struct cargo_runner *out, struct error *err)
{
    SCOPED(text_done) struct text answer = {0};
    const char *const argv[] = {rustc_program(arena, configuration), "-vV", NULL};
    struct scan scan;
    struct slice line;

    if (ask(argv, &answer, err) < 0)
        return -1;
    scan = scan_of(text_slice(&answer));
    /* The first line is what --version says. */
    if (scan_line(&scan, &line))
        out->compiler = arena_copy(arena, line);
    while (scan_line(&scan, &line))
        if (slice_starts_with(line, SLICE("host: "))) {
            out->triple = arena_copy(arena, slice_range(line, strlen("host: "), line.length));
            return 0;
        }
    return error_set(err, ERROR_FORMAT, "%s -vV does not tell its host", argv[0]);
}

/* build.target: one triple; of several, cargo runs none. */
static const char *configured_target(struct arena *arena, const struct cargo_configuration *configuration)
{
    static const char *const keys[] = {"build", "target", NULL};
    struct cargo_setting setting = cargo_configuration_find(configuration, keys);
    const struct toml_node *value = setting.value;
    const char *variable = getenv("CARGO_BUILD_TARGET");

    if (variable && *variable && !(value && setting.part->is_option))
        return variable;
    if (value && value->kind == TOML_ARRAY)
        value = value->first_child;
    return value && value->kind == TOML_STRING ? arena_copy(arena, value->text) : NULL;
}

/* "host-tuple" is another word for the host. A specification in a file is called as the file is. */
static int find_triple(struct arena *arena, const struct options *options,
                       const struct cargo_configuration *configuration, struct cargo_runner *out,
                       struct error *err)
{
    const char *given = options_value(options, "target");
    struct slice triple = slice_of(given ? given : configured_target(arena, configuration));

    if (triple.length == 0 || slice_is(triple, "host-tuple"))
        return find_host(arena, configuration, out, err);
    if (slice_ends_with(triple, SLICE(".json"))) {
        size_t slash = slice_find_last_byte(triple, '/');

        triple = slice_range(triple, slash < triple.length ? slash + 1 : 0, triple.length - strlen(".json"));
    }
    out->triple = arena_copy(arena, triple);
    return 0;
}

/* CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER */
static const char *variable_of(struct arena *arena, const char *triple)
{
    char *name = arena_format(arena, "CARGO_TARGET_%s_RUNNER", triple);

    for (char *at = name; *at; at++)
        *at = (char)(*at == '-' || *at == '.' ? '_' : *at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
    return getenv(name);
}

/* Words with spaces between, the first of which is a program. */
static void add_words(struct arena *arena, struct slice text, const char *folder, struct cargo_words *out)
{
    struct scan scan = scan_of(text);
    struct slice word;

    while (scan_skip_any(&scan, " \t\r\n") && scan_word(&scan, &word))
        cargo_words_add(out, out->items.count > 0 ? arena_copy(arena, word)
                                                  : cargo_setting_program(arena, word, folder));
}

static void add_setting(struct arena *arena, const struct cargo_setting *setting, struct cargo_words *out)
{
    const struct toml_node *item = setting->value->kind == TOML_ARRAY ? setting->value->first_child : NULL;

    if (setting->value->kind == TOML_STRING)
        add_words(arena, setting->value->text, setting->part->folder, out);
    for (; item; item = item->next)
        if (item->kind == TOML_STRING)
            cargo_words_add(out, out->items.count > 0
                                     ? arena_copy(arena, item->text)
                                     : cargo_setting_program(arena, item->text, setting->part->folder));
}

/* The conditions that set a runner, and the place where each counts. */
struct conditions {
    VEC(const char *) keys;
};

static void conditions_done(struct conditions *conditions)
{
    vec_done(&conditions->keys);
}

static bool has_key(const struct conditions *conditions, const char *key)
{
    for (size_t i = 0; i < conditions->keys.count; i++)
        if (strcmp(conditions->keys.items[i], key) == 0)
            return true;
    return false;
}

static void collect_conditions(const struct cargo_configuration *configuration, struct conditions *out)
{
    for (size_t i = 0; i < configuration->parts.count; i++) {
        const struct toml_node *targets = toml_find(configuration->parts.items[i].root, SLICE("target"));
        const struct toml_node *at = targets && targets->kind == TOML_TABLE ? targets->first_child : NULL;

        for (; at; at = at->next)
            if (at->kind == TOML_TABLE && slice_starts_with(at->key, SLICE("cfg(")) &&
                toml_find(at, SLICE("runner")) && !has_key(out, at->key.data))
                *vec_add(&out->keys) = at->key.data;
    }
}

static int ask_facts(const char *rustc, const char *triple, struct text *facts, struct error *err)
{
    const char *const argv[] = {rustc, "--print=cfg", "--target", triple, NULL};

    return ask(argv, facts, err);
}

static int find_conditional(struct arena *arena, const struct cargo_configuration *configuration,
                            struct cargo_runner *out, struct error *err)
{
    SCOPED(conditions_done) struct conditions conditions = {0};
    SCOPED(text_done) struct text facts = {0};
    const char *holding = NULL;

    collect_conditions(configuration, &conditions);
    if (conditions.keys.count > 0 &&
        ask_facts(rustc_program(arena, configuration), out->triple, &facts, err) < 0)
        return -1;
    for (size_t i = 0; i < conditions.keys.count; i++) {
        const char *const keys[] = {"target", conditions.keys.items[i], "runner", NULL};
        struct cargo_setting setting = cargo_configuration_find(configuration, keys);

        if (!cargo_cfg_holds(slice_of(keys[1]), text_slice(&facts)))
            continue;
        if (holding)
            return error_set(err, ERROR_USAGE, "the configuration sets a runner both for %s and for %s",
                             holding, keys[1]);
        holding = keys[1];
        add_setting(arena, &setting, &out->words);
    }
    return 0;
}

static int find(struct arena *arena, const struct options *options,
                const struct cargo_configuration *configuration, struct cargo_runner *out, struct error *err)
{
    const char *keys[] = {"target", NULL, "runner", NULL};
    struct cargo_setting setting;
    const char *variable = NULL;

    if (find_triple(arena, options, configuration, out, err) < 0)
        return -1;
    keys[1] = out->triple;
    setting = cargo_configuration_find(configuration, keys);
    variable = variable_of(arena, out->triple);
    out->triple_value = setting.value;
    if (variable && !(setting.value && setting.part->is_option))
        add_words(arena, slice_of(variable), NULL, &out->words);
    else if (setting.value)
        add_setting(arena, &setting, &out->words);
    else
        return find_conditional(arena, configuration, out, err);
    return 0;
}

int cargo_runner_find(struct arena *arena, const struct options *options, struct cargo_runner *out,
                      struct error *err)
{
    struct cargo_configuration configuration = {0};
    int result = 0;

    *out = (struct cargo_runner){0};
    cargo_configuration_read(arena, options, &configuration);
    result = find(arena, options, &configuration, out, err);
    cargo_configuration_done(&configuration);
    return result < 0 ? error_wrap(err, "finding the runner of cargo's configuration") : 0;
}

void cargo_runner_done(struct cargo_runner *runner)
{
    cargo_words_done(&runner->words);
}
