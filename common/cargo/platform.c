#include "cargo/platform.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/scan.h"
#include "cargo/cfg.h"
#include "cargo/toolchain.h"
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

/* rustup's rustc fails, and says so, where a file names a toolchain that is not installed. */
static int explain_compiler(struct arena *arena, struct error *err)
{
    enum toolchain_choice choice = toolchain_choice();
    SCOPED(memory_free_at) char *here = getcwd(NULL, 0);
    const char *file = here ? toolchain_file_find(arena, here, "/") : NULL;

    if (err->kind == ERROR_CHILD && file && (choice == TOOLCHAIN_OF_FOLDER || choice == TOOLCHAIN_NOT_SET))
        error_hint(err, "%s names the toolchain; rustup toolchain list shows which are installed",
                   file_from_here(file));
    return -1;
}

/* The host is what cargo builds for when nothing else is said. */
static int find_host(struct arena *arena, struct cargo_platform *out, struct error *err)
{
    SCOPED(text_done) struct text answer = {0};
    const char *const argv[] = {out->rustc, "-vV", NULL};
    struct scan scan;
    struct slice line;

    if (ask(argv, &answer, err) < 0)
        return explain_compiler(arena, err);
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
const char *cargo_platform_named(struct arena *arena, const struct options *options,
                                 const struct cargo_configuration *configuration)
{
    const char *given = options_value(options, "target");
    struct slice triple = slice_of(given ? given : configured_target(arena, configuration));

    if (triple.length == 0 || slice_is(triple, "host-tuple"))
        return NULL;
    if (slice_ends_with(triple, SLICE(".json"))) {
        triple = slice_file_name(triple);
        triple = slice_range(triple, 0, triple.length - strlen(".json"));
    }
    return arena_copy(arena, triple);
}

int cargo_platform_libraries(struct arena *arena, const struct cargo_configuration *configuration,
                             const char *triple, const char **folder, struct error *err)
{
    SCOPED(text_done) struct text answer = {0};
    const char *const argv[] = {rustc_program(arena, configuration), "--print=target-libdir", "--target",
                                triple, NULL};

    if (ask(argv, &answer, err) < 0)
        return -1;
    *folder = arena_copy(arena, slice_trim(text_slice(&answer)));
    return 0;
}

int cargo_platform_host(struct arena *arena, const struct cargo_configuration *configuration,
                        const char **triple, struct error *err)
{
    struct cargo_platform host = {.rustc = rustc_program(arena, configuration)};

    if (find_host(arena, &host, err) < 0)
        return -1;
    *triple = host.triple;
    return 0;
}

int cargo_platform_find(struct arena *arena, const struct options *options,
                        const struct cargo_configuration *configuration, struct cargo_platform *out,
                        struct error *err)
{
    struct cargo_platform found = {.rustc = rustc_program(arena, configuration)};

    found.triple = cargo_platform_named(arena, options, configuration);
    if (!found.triple && find_host(arena, &found, err) < 0)
        return -1;
    *out = found;
    return 0;
}

const char *cargo_platform_variable(struct arena *arena, const struct cargo_platform *platform,
                                    const char *key)
{
    char *name = arena_format(arena, "CARGO_TARGET_%s_%s", platform->triple, key);

    for (char *at = name; *at; at++)
        *at = (char)(*at == '-' || *at == '.' ? '_' : *at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
    return getenv(name);
}

static bool has_word(const struct cargo_words *words, const char *word)
{
    for (size_t i = 0; i < words->items.count; i++)
        if (strcmp(words->items.items[i], word) == 0)
            return true;
    return false;
}

/* The conditions that set the key, and the place where each counts. */
static void collect_conditions(const struct cargo_configuration *configuration, const char *key,
                               struct cargo_words *out)
{
    for (size_t i = 0; i < configuration->parts.count; i++) {
        const struct toml_node *targets = toml_find(configuration->parts.items[i].root, SLICE("target"));
        const struct toml_node *at = targets && targets->kind == TOML_TABLE ? targets->first_child : NULL;

        for (; at; at = at->next)
            if (at->kind == TOML_TABLE && slice_starts_with(at->key, SLICE("cfg(")) &&
                toml_find(at, slice_of(key)) && !has_word(out, at->key.data))
                cargo_words_add(out, at->key.data);
    }
}

int cargo_platform_conditions(const struct cargo_platform *platform,
                              const struct cargo_configuration *configuration, const char *key,
                              struct cargo_words *out, struct error *err)
{
    SCOPED(cargo_words_done) struct cargo_words conditions = {0};
    SCOPED(text_done) struct text facts = {0};
    const char *const argv[] = {platform->rustc, "--print=cfg", "--target", platform->triple, NULL};

    collect_conditions(configuration, key, &conditions);
    if (conditions.items.count > 0 && ask(argv, &facts, err) < 0)
        return -1;
    for (size_t i = 0; i < conditions.items.count; i++)
        if (cargo_cfg_holds(slice_of(conditions.items.items[i]), text_slice(&facts)))
            cargo_words_add(out, conditions.items.items[i]);
    return 0;
}
