#include "cargo/runner.h"

#include "base/scan.h"

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

static int find_conditional(struct arena *arena, const struct cargo_configuration *configuration,
                            struct cargo_runner *out, struct error *err)
{
    SCOPED(cargo_words_done) struct cargo_words conditions = {0};
    const char *keys[] = {"target", NULL, "runner", NULL};
    struct cargo_setting setting;

    if (cargo_platform_conditions(&out->platform, configuration, keys[2], &conditions, err) < 0)
        return -1;
    if (conditions.items.count > 1)
        return error_set(err, ERROR_USAGE, "the configuration sets a runner both for %s and for %s",
                         conditions.items.items[0], conditions.items.items[1]);
    if (conditions.items.count == 0)
        return 0;
    keys[1] = conditions.items.items[0];
    setting = cargo_configuration_find(configuration, keys);
    add_setting(arena, &setting, &out->words);
    return 0;
}

static int find(struct arena *arena, const struct options *options,
                const struct cargo_configuration *configuration, struct cargo_runner *out, struct error *err)
{
    const char *keys[] = {"target", NULL, "runner", NULL};
    struct cargo_setting setting;
    const char *variable = NULL;

    if (cargo_platform_find(arena, options, configuration, &out->platform, err) < 0)
        return -1;
    keys[1] = out->platform.triple;
    setting = cargo_configuration_find(configuration, keys);
    variable = cargo_platform_variable(arena, &out->platform, "RUNNER");
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
    /* A compiler that fails does so whatever it is asked for. */
    return result < 0 && err->kind != ERROR_CHILD
               ? error_wrap(err, "finding the runner of cargo's configuration")
               : result;
}

void cargo_runner_done(struct cargo_runner *runner)
{
    cargo_words_done(&runner->words);
}
