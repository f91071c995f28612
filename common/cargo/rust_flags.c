#include "cargo/rust_flags.h"

#include <stdlib.h>

/* What one platform is told. */
struct finder {
    struct arena arena;
    const struct cargo_configuration *configuration;
    const struct cargo_platform *platform;
    struct text *out;
};

static void finder_done(struct finder *finder)
{
    arena_done(&finder->arena);
}

static void add_word(struct text *out, const char *prefix, struct slice word)
{
    if (word.length > 0)
        text_format(out, "%s%s%.*s", out->length > 0 ? " " : "", prefix, SLICE_ARGUMENTS(word));
}

static void add_split(struct text *out, struct slice words, char separator)
{
    while (words.length > 0) {
        size_t end = slice_find_byte(words, separator);

        add_word(out, "", slice_trim(slice_range(words, 0, end)));
        words = slice_range(words, end + 1, words.length);
    }
}

/* A string counts alone; lists are joined, what counts more behind the rest. */
static void add_setting(const struct finder *finder, const char *const *keys)
{
    const struct cargo_configuration *configuration = finder->configuration;
    struct cargo_setting most = cargo_configuration_find(configuration, keys);

    if (most.value && most.value->kind == TOML_STRING)
        add_split(finder->out, most.value->text, ' ');
    for (size_t i = configuration->parts.count; most.value && most.value->kind == TOML_ARRAY && i > 0; i--) {
        const struct toml_node *list = toml_find_path(configuration->parts.items[i - 1].root, keys);
        const struct toml_node *item = list && list->kind == TOML_ARRAY ? list->first_child : NULL;

        for (; item; item = item->next)
            add_word(finder->out, "", item->text);
    }
}

static void add_variable(const struct finder *finder, const char *value)
{
    if (value)
        add_split(finder->out, slice_of(value), ' ');
}

static int add_of_target(struct finder *finder, struct error *err)
{
    SCOPED(cargo_words_done) struct cargo_words conditions = {0};
    const char *keys[] = {"target", finder->platform->triple, "rustflags", NULL};

    if (cargo_platform_conditions(finder->platform, finder->configuration, keys[2], &conditions, err) < 0)
        return -1;
    add_setting(finder, keys);
    add_variable(finder, cargo_platform_variable(&finder->arena, finder->platform, "RUSTFLAGS"));
    for (size_t i = 0; i < conditions.items.count; i++) {
        keys[1] = conditions.items.items[i];
        add_setting(finder, keys);
    }
    return 0;
}

/* The first place that has any counts alone. */
static int add_flags(struct finder *finder, struct error *err)
{
    static const char *const keys[] = {"build", "rustflags", NULL};
    const char *encoded = getenv("CARGO_ENCODED_RUSTFLAGS");
    const char *variable = getenv("RUSTFLAGS");

    if (encoded || variable) {
        add_split(finder->out, slice_of(encoded ? encoded : variable), encoded ? '\x1f' : ' ');
        return 0;
    }
    if (add_of_target(finder, err) < 0)
        return -1;
    if (finder->out->length > 0)
        return 0;
    add_setting(finder, keys);
    add_variable(finder, getenv("CARGO_BUILD_RUSTFLAGS"));
    return 0;
}

static int add_linker(struct finder *finder, struct error *err)
{
    SCOPED(cargo_words_done) struct cargo_words conditions = {0};
    const char *keys[] = {"target", finder->platform->triple, "linker", NULL};
    struct cargo_setting setting = cargo_configuration_find(finder->configuration, keys);
    const char *variable = cargo_platform_variable(&finder->arena, finder->platform, "LINKER");

    if (cargo_platform_conditions(finder->platform, finder->configuration, keys[2], &conditions, err) < 0)
        return -1;
    if (!setting.value && conditions.items.count > 0) {
        keys[1] = conditions.items.items[0];
        setting = cargo_configuration_find(finder->configuration, keys);
    }
    if (variable && !(setting.value && setting.part->is_option))
        add_word(finder->out, "-Clinker=", slice_of(variable));
    else if (setting.value)
        add_word(finder->out, "-Clinker=", setting.value->text);
    return 0;
}

int cargo_rust_flags_add(const struct cargo_configuration *configuration,
                         const struct cargo_platform *platform, struct text *out, struct error *err)
{
    SCOPED(text_done) struct text flags = {0};
    SCOPED(finder_done)
    struct finder finder = {.configuration = configuration, .platform = platform, .out = &flags};

    if (add_flags(&finder, err) < 0 || add_linker(&finder, err) < 0)
        return -1;
    text_add(out, text_slice(&flags));
    return 0;
}
