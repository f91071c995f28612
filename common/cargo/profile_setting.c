#include "cargo/profile_setting.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 16 }; /* of profiles that inherit; cargo refuses circles */

/* The keys of a setting, from the root of a file: "profile", NAME, then those below the profile. */
struct path {
    const char *keys[2 + CARGO_PROFILE_KEYS_MAX + 1];
};

static struct path path_of(const char *profile, const char *const *keys)
{
    struct path path = {{"profile", profile}};

    for (size_t i = 0; i < CARGO_PROFILE_KEYS_MAX && keys[i]; i++)
        path.keys[2 + i] = keys[i];
    return path;
}

/* What names a package stands in the variable as it is. */
static bool is_package(const struct path *path, size_t key)
{
    return key == 3 && strcmp(path->keys[2], "package") == 0;
}

/* CARGO_PROFILE_DEV_SPLIT_DEBUGINFO, CARGO_PROFILE_DEV_PACKAGE_my-crate_OPT_LEVEL */
static const char *variable_name(struct arena *arena, const struct path *path)
{
    SCOPED(text_done) struct text name = {0};

    text_add_string(&name, "CARGO");
    for (size_t i = 0; path->keys[i]; i++) {
        text_add_byte(&name, '_');
        for (const char *at = path->keys[i]; *at; at++)
            text_add_byte(&name, is_package(path, i)        ? *at
                                 : *at == '-'               ? '_'
                                 : *at >= 'a' && *at <= 'z' ? (char)(*at - 'a' + 'A')
                                                            : *at);
    }
    return arena_copy(arena, text_slice(&name));
}

/* Of a package cargo asks for variables only where its configuration has something, too. */
static bool may_have_variable(const struct cargo_profile *files, const struct path *path)
{
    struct path package = *path;

    if (!is_package(path, 3))
        return true;
    package.keys[4] = NULL;
    return cargo_configuration_find(&files->configuration, package.keys).value != NULL;
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

static bool find_in(const struct cargo_profile *files, const char *profile, const char *const *keys,
                    struct cargo_profile_setting *out)
{
    struct path path = path_of(profile, keys);
    struct cargo_setting setting = cargo_configuration_find(&files->configuration, path.keys);
    const char *name = variable_name(files->arena, &path);
    const char *variable = may_have_variable(files, &path) ? getenv(name) : NULL;
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
    own = toml_find_path(files->manifest.root, path.keys);
    if (!own)
        return false;
    *out = setting_at(files->arena, &files->manifest, own);
    return true;
}

/* NULL for a profile that inherits from none. */
static const char *parent_of(const struct cargo_profile *files, const char *profile)
{
    static const char *const keys[] = {"inherits", NULL};
    struct cargo_profile_setting inherits;

    if (strcmp(profile, "test") == 0)
        return "dev";
    if (strcmp(profile, "bench") == 0)
        return "release";
    if (find_in(files, profile, keys, &inherits))
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

bool cargo_profile_find(const struct cargo_profile *profile, const char *const *keys,
                        struct cargo_profile_setting *out)
{
    const char *name = profile->name;

    for (int depth = 0; name && depth < DEEPEST; depth++) {
        if (find_in(profile, name, keys, out))
            return true;
        name = parent_of(profile, name);
    }
    return false;
}

static void add_packages_of(const struct toml_node *root, const char *profile, struct cargo_words *out)
{
    const char *const keys[] = {"profile", profile, "package", NULL};
    const struct toml_node *packages = toml_find_path(root, keys);
    const struct toml_node *package = packages && packages->kind == TOML_TABLE ? packages->first_child : NULL;

    for (; package; package = package->next)
        cargo_words_add(out, package->key.data);
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void cargo_profile_packages(const struct cargo_profile *profile, struct cargo_words *out)
{
    SCOPED(cargo_words_done) struct cargo_words all = {0};
    const char *name = profile->name;

    for (int depth = 0; name && depth < DEEPEST; depth++) {
        add_packages_of(profile->manifest.root, name, &all);
        for (size_t i = 0; i < profile->configuration.parts.count; i++)
            add_packages_of(profile->configuration.parts.items[i].root, name, &all);
        name = parent_of(profile, name);
    }
    vec_sort(&all.items, compare_words);
    for (size_t i = 0; i < all.items.count; i++)
        if (i == 0 || strcmp(all.items.items[i - 1], all.items.items[i]) != 0)
            cargo_words_add(out, all.items.items[i]);
}

bool cargo_profile_setting_find(struct arena *arena, const struct options *options,
                                const struct cargo_built *built, const char *key,
                                struct cargo_profile_setting *out)
{
    SCOPED(cargo_profile_done) struct cargo_profile profile = {0};
    const char *const keys[] = {key, NULL};

    cargo_profile_read(arena, options, built->graph, built->selection.profile, &profile);
    return cargo_profile_find(&profile, keys, out);
}
