#include "cargo/manifest.h"

#include "base/file.h"

int manifest_parse(struct arena *arena, const char *path, struct slice content, struct manifest *out,
                   struct error *err)
{
    const struct toml_node *root = NULL;

    if (toml_parse(arena, content, &root, err) < 0)
        return error_wrap(err, "%s", path);
    *out = (struct manifest){arena_copy(arena, slice_of(path)), root};
    return 0;
}

int manifest_read(struct arena *arena, const char *path, struct manifest *out, struct error *err)
{
    SCOPED(text_done) struct text content = {0};

    if (file_read(path, TOML_LIMIT_BYTES, &content, err) < 0)
        return -1;
    return manifest_parse(arena, path, text_slice(&content), out, err);
}

const struct toml_node *manifest_find(const struct manifest *manifest, const char *name)
{
    const struct toml_node *node = manifest->root;
    struct slice rest = slice_of(name);

    while (node && rest.length > 0) {
        size_t dot = slice_find_byte(rest, '.');

        node = node->kind == TOML_TABLE ? toml_find(node, slice_range(rest, 0, dot)) : NULL;
        rest = slice_range(rest, dot + 1, rest.length);
    }
    return node;
}

void manifest_add_place(struct text *text, const struct manifest *manifest, const struct toml_node *setting)
{
    const char *quote = setting && setting->kind == TOML_STRING ? "\"" : "";

    if (!setting)
        return;
    text_add_terminal(text, slice_of(manifest->path));
    text_format(text, ":%u sets ", setting->line);
    text_add_terminal(text, setting->key);
    if (setting->kind == TOML_ARRAY || setting->kind == TOML_TABLE)
        return;
    text_format(text, " = %s", quote);
    text_add_terminal(text, setting->text);
    text_add_string(text, quote);
}

const struct toml_node *manifest_first_profile(const struct manifest *manifest)
{
    const struct toml_node *profiles = manifest_find(manifest, "profile");

    return profiles && profiles->kind == TOML_TABLE ? profiles->first_child : NULL;
}

/* A path stands under one of two names, in whatever table; `workspace = true` is none. */
static void add_paths_of(const struct toml_node *node, struct manifest_paths *paths)
{
    for (const struct toml_node *child = node->first_child; child; child = child->next) {
        if (child->kind == TOML_STRING && (slice_is(child->key, "path") || slice_is(child->key, "workspace")))
            *vec_add(&paths->items) = child->text;
        add_paths_of(child, paths);
    }
}

void manifest_add_paths(const struct manifest *manifest, struct manifest_paths *paths)
{
    add_paths_of(manifest->root, paths);
}

void manifest_paths_done(struct manifest_paths *paths)
{
    vec_done(&paths->items);
}
