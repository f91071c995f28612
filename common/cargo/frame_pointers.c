#include "cargo/frame_pointers.h"

#include <stdlib.h>
#include <string.h>

#include "base/scan.h"
#include "cargo/configuration.h"

#define FLAG "-Cforce-frame-pointers=yes"
/* LLVM sets a frame up only where a function comes to need it, which may be behind the loop that takes its
 * time (ShrinkWrap.cpp): until then its caller would be missing. */
#define AT_THE_START "-Cllvm-args=-enable-shrink-wrap=false"
#define ENCODED "CARGO_ENCODED_RUSTFLAGS"

/* Whether the variable was there. */
static bool add_to_variable(const char *name, char between)
{
    const char *value = getenv(name);
    SCOPED(text_done) struct text text = {0};

    if (!value || (!*value && strcmp(name, ENCODED) != 0))
        return false;
    /* Another side of a comparison has added it. */
    if (strstr(value, FLAG))
        return true;
    text_add_string(&text, value);
    if (*value)
        text_add_byte(&text, between);
    text_add_string(&text, FLAG);
    text_add_byte(&text, between);
    text_add_string(&text, AT_THE_START);
    setenv(name, text_string(&text), 1);
    return true;
}

static void add_flag(struct text *list, struct slice flag)
{
    text_add_byte(list, '"');
    text_add_json(list, flag);
    text_add_string(list, "\", ");
}

static void add_words(struct text *list, struct slice words)
{
    struct scan scan = scan_of(words);
    struct slice word;

    while (scan_skip_any(&scan, " \t\r\n") && scan_word(&scan, &word))
        add_flag(list, word);
}

/* An array of flags, or a string of them. */
static void add_value(struct text *list, const struct toml_node *value)
{
    if (value->kind == TOML_STRING)
        add_words(list, value->text);
    for (const struct toml_node *flag = value->first_child; flag; flag = flag->next)
        if (flag->kind == TOML_STRING)
            add_flag(list, flag->text);
}

static const struct toml_node *rustflags_of(const struct toml_node *table)
{
    return table ? toml_find(table, SLICE("rustflags")) : NULL;
}

static bool has_target_flags(const struct cargo_configuration *configuration)
{
    for (size_t i = 0; i < configuration->parts.count; i++) {
        const struct toml_node *targets = toml_find(configuration->parts.items[i].root, SLICE("target"));

        for (const struct toml_node *at = targets ? targets->first_child : NULL; at; at = at->next)
            if (rustflags_of(at))
                return true;
    }
    return false;
}

/* cargo joins the flags of all parts, those that count less first. */
static void add_build_flags(struct text *list, const struct cargo_configuration *configuration)
{
    const char *variable = getenv("CARGO_BUILD_RUSTFLAGS");

    for (size_t i = configuration->parts.count; i > 0; i--) {
        const struct toml_node *root = configuration->parts.items[i - 1].root;
        const struct toml_node *value = rustflags_of(toml_find(root, SLICE("build")));

        if (value)
            add_value(list, value);
    }
    if (variable)
        add_words(list, slice_of(variable));
}

static void close_configuration(struct cargo_configuration *configuration)
{
    cargo_configuration_done(configuration);
}

int frame_pointers_ask(struct arena *arena, const struct options *options, const char **setting,
                       struct error *err)
{
    enum { SEPARATOR = 0x1f }; /* of the encoded form */
    SCOPED(close_configuration) struct cargo_configuration configuration = {0};
    SCOPED(text_done) struct text list = {0};

    *setting = NULL;
    if (add_to_variable(ENCODED, SEPARATOR) || add_to_variable("RUSTFLAGS", ' '))
        return 0;
    cargo_configuration_read(arena, options, &configuration);
    add_build_flags(&list, &configuration);
    if (has_target_flags(&configuration)) {
        if (list.length > 0) {
            error_hint(err, "say in RUSTFLAGS which flags are to be used");
            return error_set(err, ERROR_USAGE,
                             "building with frame pointers: rustflags stand in [build] and in [target] of "
                             "cargo's configuration");
        }
        text_clear(&list);
    }
    /* It holds for every target, and cargo joins it with those for one. */
    *setting = arena_format(arena, "target.'cfg(all())'.rustflags=[%s\"%s\", \"%s\"]", text_string(&list),
                            FLAG, AT_THE_START);
    return 0;
}
