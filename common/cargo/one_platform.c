#include "cargo/one_platform.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/intern.h"
#include "cargo/platform.h"

/* What is asked for, each once. */
struct wanted {
    struct arena arena;
    struct intern triples;
    struct cargo_configuration configuration;
    const char *file; /* of the configuration that names some; NULL: none does */
};

static void wanted_done(struct wanted *wanted)
{
    cargo_configuration_done(&wanted->configuration);
    intern_done(&wanted->triples);
    arena_done(&wanted->arena);
}

static void add_options(const struct options *options, struct wanted *wanted)
{
    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];

        if (use->value && strcmp(use->spec->name, "target") == 0)
            intern_add(&wanted->triples, slice_of(use->value));
    }
}

/* CARGO_BUILD_TARGET, which beside a list is one, with spaces between. */
static void add_variable(struct wanted *wanted)
{
    struct slice words = slice_of(getenv("CARGO_BUILD_TARGET"));

    while (words.length > 0) {
        size_t end = slice_find_byte(words, ' ');
        struct slice word = slice_trim(slice_range(words, 0, end));

        if (word.length > 0)
            intern_add(&wanted->triples, word);
        words = slice_range(words, end + 1, words.length);
    }
}

/* Lists of all places are joined; a string, or the variable where there is no list, is one target. */
static void add_configured(const struct options *options, struct wanted *wanted)
{
    static const char *const keys[] = {"build", "target", NULL};
    struct cargo_setting most;

    cargo_configuration_read(&wanted->arena, options, &wanted->configuration);
    most = cargo_configuration_find(&wanted->configuration, keys);
    if (!most.value || most.value->kind != TOML_ARRAY)
        return;
    for (size_t i = 0; i < wanted->configuration.parts.count; i++) {
        const struct cargo_configuration_part *part = &wanted->configuration.parts.items[i];
        const struct toml_node *list = toml_find_path(part->root, keys);
        const struct toml_node *item = list && list->kind == TOML_ARRAY ? list->first_child : NULL;

        for (; item; item = item->next) {
            intern_add(&wanted->triples, item->text);
            wanted->file = wanted->file ? wanted->file : part->path;
        }
    }
    add_variable(wanted);
}

/* What cargo takes them for, each once: "host-tuple" is another word for the host. */
static int resolve(struct wanted *wanted, struct intern *out, struct error *err)
{
    for (uint32_t id = 0; id < wanted->triples.entries.count; id++) {
        struct slice triple = intern_text(&wanted->triples, id);
        const char *host = NULL;

        if (wanted->triples.entries.count > 1 && slice_is(triple, "host-tuple")) {
            if (cargo_platform_host(&wanted->arena, &wanted->configuration, &host, err) < 0)
                return -1;
            triple = slice_of(host);
        }
        intern_add(out, triple);
    }
    return 0;
}

static int refuse(const struct wanted *wanted, const struct intern *triples, struct error *err)
{
    SCOPED(text_done) struct text names = {0};

    for (uint32_t id = 0; id < triples->entries.count; id++)
        text_format(&names, "%s%.*s", id > 0 ? ", " : "", SLICE_ARGUMENTS(intern_text(triples, id)));
    if (wanted->file)
        error_hint(err, "choose one with --target TRIPLE; build.target of %s names several",
                   file_from_here(wanted->file));
    else
        error_hint(err, "choose one with a single --target TRIPLE");
    return error_set(err, ERROR_USAGE, "cargo would build for several targets: %s", text_string(&names));
}

int cargo_one_platform_check(const struct options *options, struct error *err)
{
    SCOPED(wanted_done) struct wanted wanted = {0};
    SCOPED(intern_done) struct intern triples = {0};

    add_options(options, &wanted);
    if (wanted.triples.entries.count == 0)
        add_configured(options, &wanted);
    if (resolve(&wanted, &triples, err) < 0)
        return -1;
    return triples.entries.count > 1 ? refuse(&wanted, &triples, err) : 0;
}
