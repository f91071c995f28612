#include "revision/named_revision.h"

#include <string.h>

static int open_repository(struct arena *arena, const struct options *options, struct repository *repository,
                           struct error *err)
{
    const char *manifest = options_value(options, "manifest-path");
    struct slice folder = slice_of(manifest);
    size_t slash = slice_find_last_byte(folder, '/');

    if (repository->root)
        return 0;
    if (!manifest || slash == folder.length)
        return repository_open(".", repository, err);
    return repository_open(arena_copy(arena, slice_range(folder, 0, slash + 1)), repository, err);
}

int named_revision_find(struct arena *arena, const struct options *options, struct repository *repository,
                        const char *name, struct revision *out, struct error *err)
{
    struct commit_name commit;

    if (open_repository(arena, options, repository, err) < 0 ||
        repository_find_commit(repository, name, &commit, err) < 0)
        return -1;
    *out = (struct revision){.repository = repository, .commit = commit, .name = name};
    return 0;
}

int named_revision_merge_base(struct arena *arena, const struct range *range, const struct revision *head,
                              struct revision *base, struct error *err)
{
    struct commit_name commit;

    if (repository_merge_base(base->repository, &base->commit, &head->commit, &commit, err) < 0)
        return -1;
    base->commit = commit;
    base->name = arena_format(arena, "merge base of %s and %s", range->left, range->right);
    return 0;
}

const char *named_revision_label(struct arena *arena, const struct revision *revision)
{
    const char *name = revision->name;

    /* A hash needs no other beside it. */
    return strncmp(name, revision->commit.text, strlen(name)) == 0
               ? name
               : arena_format(arena, "%s (%.7s)", name, revision->commit.text);
}
