#include "compare/revision_checkout.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/text.h"
#include "compare/checkout_state.h"
#include "git/checkout.h"

enum { POINTER_BYTES_MAX = 1024, NAMES_SHOWN = 3, LOCK_BYTES_MAX = 64 * 1024 * 1024 };

/* One checkout in progress; a submodule has one of its own. */
struct progress {
    struct arena *arena;
    const struct repository *repository; /* that of the files being listed */
    const struct checkout_state *before;
    struct checkout_state *after;
    const char *tree;     /* of the whole checkout */
    const char *inside;   /* where below it the listed repository stands: "", "vendor/lib/" */
    unsigned depth;       /* of submodules */
    const char *index;    /* the git program's, for this repository */
    struct text pointers; /* names of the first LFS pointers */
    size_t pointer_count;
};

static int check_out_part(struct progress *progress, const char *path, const char *commit, struct error *err);

/* --- Submodules ------------------------------------------------------------------------ */

static void note(struct progress *progress, const char *sentence)
{
    *vec_add(&progress->after->notes) = sentence;
}

/* The git program's index of one submodule, beside that of the whole. */
static const char *index_of(struct arena *arena, const char *index, const char *path)
{
    char *name = arena_format(arena, "%s-%s", index, path);

    for (char *at = name + strlen(index); *at; at++)
        if (*at == '/')
            *at = '%';
    return name;
}

/* Where the git program keeps what it fetches for a partial clone, beside its index. */
static const char *fetched_of(struct arena *arena, const char *index)
{
    return arena_format(arena, "%s-objects", index);
}

/* A submodule whose files the user has: its own repository holds the commit. */
static int check_out_submodule(struct progress *progress, const struct repository *repository,
                               const char *path, const char *commit, struct error *err)
{
    struct arena *arena = progress->arena;
    struct progress inner = *progress;
    struct repository own = *repository;
    int done = 0;

    inner.index = index_of(arena, progress->index, path);
    own.fetched = fetched_of(arena, inner.index);
    inner.repository = &own;
    inner.inside = arena_format(arena, "%s/", path);
    inner.depth++;
    done = check_out_part(&inner, path, commit, err);
    progress->pointers = inner.pointers;
    progress->pointer_count = inner.pointer_count;
    return done;
}

static int take_submodule(struct progress *progress, const char *path, const char *commit, struct error *err)
{
    enum { DEPTH_MAX = 16 };
    const char *whole = arena_format(progress->arena, "%s%s", progress->inside, path);
    const char *there = arena_format(progress->arena, "%s/%s", progress->repository->root, path);
    struct repository repository = {0};
    struct commit_name found;
    struct error unknown = {0};
    int done = 0;

    /* Where the submodule is not initialised the folder is empty, and the repository found is the outer one.
     */
    if (progress->depth >= DEPTH_MAX || repository_open(there, &repository, &unknown) < 0 ||
        strcmp(repository.root, progress->repository->root) == 0)
        note(progress, arena_format(progress->arena,
                                    "the submodule %s is not initialised here and stays empty: git submodule "
                                    "update --init",
                                    whole));
    else if (repository_find_commit(&repository, commit, &found, &unknown) < 0)
        note(progress, arena_format(progress->arena,
                                    "the submodule %s lacks the commit %.12s and stays empty: fetch it there",
                                    whole, commit));
    else
        done = check_out_submodule(progress, &repository, whole,
                                   arena_copy(progress->arena, slice_of(commit)), err);
    repository_close(&repository);
    return done;
}

/* --- Git LFS --------------------------------------------------------------------------- */

/* Whether the file is a pointer as git-lfs writes it (its specification, "The Pointer"). */
static bool is_pointer(const char *path)
{
    static const char start[] = "version https://git-lfs.github.com/spec/";
    char bytes[sizeof(start) - 1];
    struct stat about;
    SCOPED(file_close) FILE *file = NULL;

    if (lstat(path, &about) < 0 || !S_ISREG(about.st_mode) || about.st_size > POINTER_BYTES_MAX)
        return false;
    file = fopen(path, "re");
    return file && fread(bytes, 1, sizeof(bytes), file) == sizeof(bytes) &&
           memcmp(bytes, start, sizeof(bytes)) == 0;
}

static void look_for_pointer(struct progress *progress, const char *path)
{
    if (!is_pointer(arena_format(progress->arena, "%s/%s%s", progress->tree, progress->inside, path)))
        return;
    if (progress->pointer_count++ < NAMES_SHOWN)
        text_format(&progress->pointers, "%s%s%s", progress->pointers.length ? ", " : "", progress->inside,
                    path);
}

static void note_pointers(struct progress *progress)
{
    if (progress->pointer_count > NAMES_SHOWN)
        text_format(&progress->pointers, " and %zu more", progress->pointer_count - NAMES_SHOWN);
    if (progress->pointer_count > 0)
        note(progress, arena_format(progress->arena, "Git LFS pointers stand in place of files: %s",
                                    text_string(&progress->pointers)));
}

/* --- One repository's part ------------------------------------------------------------- */

static int take_entry(void *context, const char *path, enum checkout_kind kind, const char *commit,
                      struct error *err)
{
    struct progress *progress = context;

    if (kind == CHECKOUT_SUBMODULE)
        return take_submodule(progress, path, commit, err);
    if (kind == CHECKOUT_FILE)
        look_for_pointer(progress, path);
    return 0;
}

/* The files of the commit, in the place that `path` names in the state. */
static int check_out_part(struct progress *progress, const char *path, const char *commit, struct error *err)
{
    static const struct checkout_state nothing = {0};
    const struct state_part *before = checkout_state_find(progress->before, path);
    struct checkout checkout = {
        .repository = progress->repository,
        .commit = commit,
        .folder = arena_format(progress->arena, "%s/%s", progress->tree, progress->inside),
        .index_path = progress->index,
    };

    if (checkout_needs_program(progress->repository, commit, &checkout.with_program, err) < 0)
        return -1;
    if (before && before->with_program == checkout.with_program)
        checkout.previous = before->commit;
    /* What nobody knows the content of is made anew. */
    if (!checkout.previous) {
        progress->before = &nothing;
        unlink(progress->index);
        if (folder_remove(checkout.folder, NULL, err) < 0)
            return -1;
    }
    if (folder_make(checkout.folder, err) < 0)
        return -1;
    if ((!checkout.previous || strcmp(checkout.previous, commit) != 0) && checkout_files(&checkout, err) < 0)
        return -1;
    *vec_add(&progress->after->parts) = (struct state_part){path, commit, checkout.with_program};
    return checkout_list(progress->repository, commit, take_entry, progress, err);
}

/* --- The lock file --------------------------------------------------------------------- */

static bool is_there(const char *path)
{
    struct stat about;

    return lstat(path, &about) == 0;
}

/* The folder that this one is in; empty for one right below the root. */
static struct slice parent_of(struct slice folder)
{
    size_t slash = slice_find_last_byte(folder, '/');

    return slice_range(folder, 0, slash < folder.length ? slash : 0);
}

/* Copies the user's Cargo.lock of this folder, unless the commit has one there. Whether either has one. */
static int copy_lock_of(struct arena *arena, const struct revision_request *request, const char *tree,
                        struct slice folder, struct checkout_state *state, struct error *err)
{
    const char *name =
        arena_format(arena, "%.*s%sCargo.lock", SLICE_ARGUMENTS(folder), folder.length ? "/" : "");
    const char *from = arena_format(arena, "%s/%s", request->repository->root, name);
    const char *to = arena_format(arena, "%s/%s", tree, name);
    SCOPED(text_done) struct text content = {0};

    if (is_there(to))
        return 1;
    if (!is_there(from))
        return 0;
    if (file_read(from, LOCK_BYTES_MAX, &content, err) < 0 || file_replace(to, text_slice(&content), err) < 0)
        return -1;
    *vec_add(&state->copied) = name;
    return 1;
}

/* That of the folder cargo runs in, or the next one above that has one. */
static int copy_lock(struct arena *arena, const struct revision_request *request, const char *tree,
                     struct checkout_state *state, struct error *err)
{
    struct slice folder = slice_of(request->subfolder);
    int found = copy_lock_of(arena, request, tree, folder, state, err);

    while (found == 0 && folder.length > 0) {
        folder = parent_of(folder);
        found = copy_lock_of(arena, request, tree, folder, state, err);
    }
    return found < 0 ? -1 : 0;
}

static void remove_copied(const struct checkout_state *state, struct arena *arena, const char *tree)
{
    for (size_t i = 0; i < state->copied.count; i++)
        unlink(arena_format(arena, "%s/%s", tree, state->copied.items[i]));
}

/* --- The whole ------------------------------------------------------------------------- */

static int check_out_all(struct arena *arena, const struct revision_request *request,
                         const struct revision_slot *slot, const struct checkout_state *before,
                         struct checkout_state *after, struct error *err)
{
    const char *tree = revision_slot_tree(arena, slot);
    struct repository repository = *request->repository;
    struct progress progress = {
        .arena = arena,
        .repository = &repository,
        .before = before,
        .after = after,
        .tree = tree,
        .inside = "",
        .index = arena_format(arena, "%s/index", slot->folder),
    };
    int done = 0;

    repository.fetched = fetched_of(arena, progress.index);
    unlink(revision_slot_state(arena, slot));
    remove_copied(before, arena, tree);
    done = check_out_part(&progress, ".", request->commit, err);
    note_pointers(&progress);
    text_done(&progress.pointers);
    return done;
}

static int finish(struct arena *arena, const struct revision_request *request,
                  const struct revision_slot *slot, struct checkout_state *state, struct error *err)
{
    const char *tree = revision_slot_tree(arena, slot);
    const char *folder = arena_format(arena, "%s/%s", tree, request->subfolder);

    if (!is_there(folder)) {
        error_hint(err, "compare with a revision that has the package in the same place");
        return error_set(err, ERROR_MISSING, "the folder %s is not in %s", request->subfolder, request->name);
    }
    remove_copied(state, arena, tree);
    state->copied.count = 0;
    state->name = request->name;
    return copy_lock(arena, request, tree, state, err) < 0 ||
                   checkout_state_write(state, revision_slot_state(arena, slot), err) < 0
               ? -1
               : 0;
}

int revision_check_out(struct arena *arena, const struct revision_request *request,
                       const struct revision_slot *slot, struct revision_notes *notes, struct error *err)
{
    SCOPED(checkout_state_done) struct checkout_state before = {0};
    SCOPED(checkout_state_done) struct checkout_state made = {0};
    struct checkout_state *state = &before;
    const char *there = NULL;

    checkout_state_read(arena, revision_slot_state(arena, slot), &before);
    there = checkout_state_commit(&before);
    /* What was missing may be there by now. */
    if (!there || strcmp(there, request->commit) != 0 || before.notes.count > 0) {
        if (check_out_all(arena, request, slot, &before, &made, err) < 0)
            return error_wrap(err, "checking out %s", request->name);
        state = &made;
    }
    for (size_t i = 0; i < state->notes.count; i++)
        *vec_add(&notes->items) = state->notes.items[i];
    return finish(arena, request, slot, state, err);
}
