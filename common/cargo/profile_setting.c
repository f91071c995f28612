#include "cargo/profile_setting.h"

#include <stdlib.h>
#include <string.h>

#include "cargo/manifest.h"

struct finder {
    struct arena *arena;
    const struct cargo_configuration *configuration;
    const struct manifest *manifest;
};

/* CARGO_PROFILE_DEV_SPLIT_DEBUGINFO */
static const char *variable_name(struct arena *arena, const char *profile, const char *key)
{
    char *name = arena_format(arena, "CARGO_PROFILE_%s_%s", profile, key);

    for (char *at = name; *at; at++)
        *at = (char)(*at == '-' ? '_' : *at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
    return name;
}

static struct cargo_profile_setting setting_at(struct arena *arena, const struct manifest *file,
                                               const struct toml_node *node)
{
    SCOPED(text_done) struct text place = {0};

    if (file->path)
        manifest_add_place(&place, file, node);
    else
        text_format(&place, "--config sets %s", node->key.data);
    return (struct cargo_profile_setting){node->text, arena_copy(arena, text_slice(&place))};
}

static bool find_in(const struct finder *finder, const char *profile, const char *key,
                    struct cargo_profile_setting *out)
{
    const char *const keys[] = {"profile", profile, key, NULL};
    struct cargo_setting setting = cargo_configuration_find(finder->configuration, keys);
    const char *name = variable_name(finder->arena, profile, key);
    const char *variable = getenv(name);
    const struct toml_node *own = NULL;

    if (variable && !(setting.value && setting.part->is_option)) {
        *out = (struct cargo_profile_setting){slice_of(variable),
                                              arena_format(finder->arena, "%s=%s", name, variable)};
        return true;
    }
    if (setting.value) {
        *out = setting_at(finder->arena, &(struct manifest){setting.part->path, setting.part->root},
                          setting.value);
        return true;
    }
    if (finder->manifest->root)
        own = manifest_find(finder->manifest, arena_format(finder->arena, "profile.%s.%s", profile, key));
    if (!own)
        return false;
    *out = setting_at(finder->arena, finder->manifest, own);
    return true;
}

/* NULL for a profile that inherits from none. */
static const char *parent_of(const struct finder *finder, const char *profile)
{
    struct cargo_profile_setting inherits;

    if (strcmp(profile, "test") == 0)
        return "dev";
    if (strcmp(profile, "bench") == 0)
        return "release";
    if (find_in(finder, profile, "inherits", &inherits))
        return arena_copy(finder->arena, inherits.value);
    return NULL;
}

static bool find(const struct finder *finder, const char *profile, const char *key,
                 struct cargo_profile_setting *out)
{
    enum { DEEPEST = 16 }; /* cargo refuses circles */

    for (int depth = 0; profile && depth < DEEPEST; depth++) {
        if (find_in(finder, profile, key, out))
            return true;
        profile = parent_of(finder, profile);
    }
    return false;
}

bool cargo_profile_setting_find(struct arena *arena, const struct options *options,
                                const struct cargo_built *built, const char *key,
                                struct cargo_profile_setting *out)
{
    struct cargo_configuration configuration = {0};
    struct manifest manifest = {0};
    struct finder finder = {arena, &configuration, &manifest};
    struct error ignored = {0};
    bool is_found = false;

    cargo_configuration_read(arena, options, &configuration);
    /* A manifest that cannot be read here only costs the place: cargo has built with it. */
    if (manifest_read(arena,
                      arena_format(arena, "%.*s/Cargo.toml", SLICE_ARGUMENTS(built->graph->workspace_root)),
                      &manifest, &ignored) < 0)
        manifest = (struct manifest){0};
    is_found = find(&finder, built->selection.profile, key, out);
    cargo_configuration_done(&configuration);
    return is_found;
}
