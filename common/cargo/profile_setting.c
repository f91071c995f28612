#include "cargo/profile_setting.h"

#include <stdlib.h>
#include <string.h>

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

static bool find_in(const struct cargo_profile *files, const char *profile, const char *key,
                    struct cargo_profile_setting *out)
{
    const char *const keys[] = {"profile", profile, key, NULL};
    struct cargo_setting setting = cargo_configuration_find(&files->configuration, keys);
    const char *name = variable_name(files->arena, profile, key);
    const char *variable = getenv(name);
    const struct toml_node *own = NULL;

    if (variable && !(setting.value && setting.part->is_option)) {
        *out = (struct cargo_profile_setting){slice_of(variable),
                                              arena_format(files->arena, "%s=%s", name, variable)};
        return true;
    }
    if (setting.value) {
        *out = setting_at(files->arena, &(struct manifest){setting.part->path, setting.part->root},
                          setting.value);
        return true;
    }
    if (files->manifest.root)
        own = manifest_find(&files->manifest, arena_format(files->arena, "profile.%s.%s", profile, key));
    if (!own)
        return false;
    *out = setting_at(files->arena, &files->manifest, own);
    return true;
}

/* NULL for a profile that inherits from none. */
static const char *parent_of(const struct cargo_profile *files, const char *profile)
{
    struct cargo_profile_setting inherits;

    if (strcmp(profile, "test") == 0)
        return "dev";
    if (strcmp(profile, "bench") == 0)
        return "release";
    if (find_in(files, profile, "inherits", &inherits))
        return arena_copy(files->arena, inherits.value);
    return NULL;
}

void cargo_profile_read(struct arena *arena, const struct options *options, const struct cargo_graph *graph,
                        const char *name, struct cargo_profile *out)
{
    const char *path = arena_format(arena, "%.*s/Cargo.toml", SLICE_ARGUMENTS(graph->workspace_root));
    struct error ignored = {0};

    *out = (struct cargo_profile){.arena = arena, .name = name};
    cargo_configuration_read(arena, options, &out->configuration);
    if (manifest_read(arena, path, &out->manifest, &ignored) < 0)
        out->manifest = (struct manifest){0};
}

void cargo_profile_done(struct cargo_profile *profile)
{
    cargo_configuration_done(&profile->configuration);
}

bool cargo_profile_find(const struct cargo_profile *profile, const char *key,
                        struct cargo_profile_setting *out)
{
    enum { DEEPEST = 16 }; /* cargo refuses circles */
    const char *name = profile->name;

    for (int depth = 0; name && depth < DEEPEST; depth++) {
        if (find_in(profile, name, key, out))
            return true;
        name = parent_of(profile, name);
    }
    return false;
}

bool cargo_profile_setting_find(struct arena *arena, const struct options *options,
                                const struct cargo_built *built, const char *key,
                                struct cargo_profile_setting *out)
{
    SCOPED(cargo_profile_done) struct cargo_profile profile = {0};

    cargo_profile_read(arena, options, built->graph, built->selection.profile, &profile);
    return cargo_profile_find(&profile, key, out);
}
