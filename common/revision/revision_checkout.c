#include "revision/revision_checkout.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/remove.h"
#include "base/text.h"
#include "git/checkout.h"
#include "git/shared_clone.h"
#include "revision/checkout_state.h"
#include "revision/commit_lock.h"
#include "revision/surroundings.h"

enum { POINTER_BYTES_MAX = 1024, NAMES_SHOWN = 3, LOCK_BYTES_MAX = 64 * 1024 * 1024 };

/* One checkout in progress; a submodule has one of its own. */
struct progress {
    struct arena *arena;
    const struct repository *repository; /* that of the files being listed */
    const struct checkout_state *before;
    struct checkout_state *after;
    const char *tree;     /* of the whole checkout */
    const char *root;     /* of the whole in the user's working tree */
    const char *inside;   /* where below it the listed repository stands: "", "vendor/lib/" */
    unsigned depth;       /* of submodules */
    const char *git;      /* the git directory of the checkout for this repository */
    struct text pointers; /* names of the first LFS pointers */
    size_t pointer_count;
};

static int check_out_part(struct progress *progress, const char *path, const char *commit, struct error *err);

/* --- Submodules ------------------------------------------------------------------------ */

static void note(struct progress *progress, const char *sentence)
{
    *vec_add(&progress->after->notes) = sentence;
}

/* The git directory of one submodule, in that of what holds it. */
static const char *git_of(struct arena *arena, const char *git, const char *path)
{
    char *name = arena_format(arena, "%s/modules/%s", git, path);

    for (char *at = name + strlen(git) + strlen("/modules/"); *at; at++)
        if (*at == '/')
            *at = '%';
    return name;
}

/* A submodule whose files the user has: its own repository holds the commit. */
static int check_out_submodule(struct progress *progress, const struct repository *repository,
                               const char *path, const char *commit, struct error *err)
{
    struct arena *arena = progress->arena;
    struct progress inner = *progress;
    struct repository own = *repository;
    int done = 0;

    inner.git = git_of(arena, progress->git, path);
    own.fetched = shared_clone_objects(arena, inner.git);
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

/* --- Manifests ------------------------------------------------------------------------- */

/* What a manifest names is meant from its place in the working tree. */
static void look_for_outside(struct progress *progress, const char *name)
{
    SCOPED(arena_done) struct arena scratch = {0};
    const char *file = arena_format(&scratch, "%s/%s%s", progress->tree, progress->inside, name);
    const char *folder = outside_folder_of(
        &scratch, arena_format(&scratch, "%s/%s%s", progress->root, progress->inside, name));

    if (folder)
        outside_add_of(progress->arena, progress->root, file, folder, &progress->after->outside);
}

/* --- One repository's part ------------------------------------------------------------- */

static int take_entry(void *context, const char *path, enum checkout_kind kind, const char *commit,
                      struct error *err)
{
    struct progress *progress = context;

    if (kind == CHECKOUT_SUBMODULE)
        return take_submodule(progress, path, commit, err);
    if (kind == CHECKOUT_FILE) {
        if (commit_lock_is_one(slice_of(path)))
            *vec_add(&progress->after->locks) = arena_format(progress->arena, "%s%s", progress->inside, path);
        look_for_pointer(progress, path);
        look_for_outside(progress, path);
    }
    return 0;
}

static bool is_there(const char *path)
{
    struct stat about;

    return lstat(path, &about) == 0;
}

/* Where a part of the state stands; "." is the whole. */
static const char *part_folder(struct arena *arena, const char *tree, const char *path)
{
    return strcmp(path, ".") == 0 ? tree : arena_format(arena, "%s/%s", tree, path);
}

/* Makes the files of the commit those in the folder, anew where it is not known what is there. */
static int check_out_files(struct progress *progress, struct checkout *checkout,
                           const struct state_part *before, struct error *err)
{
    static const struct checkout_state nothing = {0};

    if (checkout_needs_program(checkout->repository, checkout->commit, &checkout->with_program, err) < 0 ||
        shared_clone_begin(progress->git, err) < 0)
        return -1;
    if (before && before->with_program == checkout->with_program && is_there(checkout->index_path))
        checkout->previous = before->commit;
    /* What nobody knows the content of is made anew. */
    if (!checkout->previous) {
        progress->before = &nothing;
        unlink(checkout->index_path);
        if (remove_all(checkout->folder, NULL, err) < 0)
            return -1;
    }
    if (folder_make(checkout->folder, err) < 0)
        return -1;
    return checkout->previous && strcmp(checkout->previous, checkout->commit) == 0
               ? 0
               : checkout_files(checkout, err);
}

/* The files of the commit, in the place that `path` names in the state. */
static int check_out_part(struct progress *progress, const char *path, const char *commit, struct error *err)
{
    struct arena *arena = progress->arena;
    struct checkout checkout = {
        .repository = progress->repository,
        .commit = commit,
        .folder = arena_format(arena, "%s/%s", progress->tree, progress->inside),
        .index_path = shared_clone_index(arena, progress->git),
    };
    const struct shared_clone clone = {progress->repository, progress->git,
                                       part_folder(arena, progress->tree, path), commit};

    if (check_out_files(progress, &checkout, checkout_state_find(progress->before, path), err) < 0)
        return -1;
    *vec_add(&progress->after->parts) = (struct state_part){path, commit, checkout.with_program};
    return checkout_list(progress->repository, commit, take_entry, progress, err) < 0
               ? -1
               : shared_clone_write(&clone, err);
}

/* --- The lock file --------------------------------------------------------------------- */

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
        folder = slice_folder(folder);
        found = copy_lock_of(arena, request, tree, folder, state, err);
    }
    return found < 0 ? -1 : 0;
}

/* Whether the commit has one there. */
static bool has_own_lock(const struct checkout_state *state, struct slice subfolder)
{
    for (size_t i = 0; state->copied.count == 0 && i < state->locks.count; i++)
        if (commit_lock_is_of(slice_of(state->locks.items[i]), subfolder))
            return true;
    return false;
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
        .root = repository.root,
        .inside = "",
        .git = revision_slot_git(arena, slot),
    };
    int done = 0;

    repository.fetched = shared_clone_objects(arena, progress.git);
    unlink(revision_slot_state(arena, slot));
    remove_copied(before, arena, tree);
    for (size_t i = 0; i < before->parts.count; i++)
        shared_clone_unlink(part_folder(arena, tree, before->parts.items[i].path));
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
    state->root = request->repository->root;
    return copy_lock(arena, request, tree, state, err) < 0 ||
                   checkout_state_write(state, revision_slot_state(arena, slot), err) < 0
               ? -1
               : 0;
}

/* Whether there is nothing to check out; what was missing may be there by now. */
static bool is_ready(struct arena *arena, const struct revision_request *request,
                     const struct revision_slot *slot, const struct checkout_state *state)
{
    const char *there = checkout_state_commit(state);

    return there && strcmp(there, request->commit) == 0 && state->notes.count == 0 && state->root &&
           strcmp(state->root, request->repository->root) == 0 &&
           is_there(shared_clone_index(arena, revision_slot_git(arena, slot)));
}

/* Folders, and files that are in none of these. */
static void add_names(struct text *names, const struct outside *outside)
{
    size_t count = 0;

    for (size_t i = 0; i < outside->items.count; i++) {
        const char *path = outside->items.items[i];

        if (!outside_is_within(outside, path) && count++ < NAMES_SHOWN)
            text_format(names, "%s%s", count > 1 ? ", " : "", path);
    }
    if (count > NAMES_SHOWN)
        text_format(names, " and %zu more", count - NAMES_SHOWN);
}

/* Puts what is outside of the repository around the tree: there is but one state of it, that of today. */
static int surround(struct arena *arena, const struct revision_request *request,
                    const struct revision_slot *slot, const struct checkout_state *state,
                    struct revision_notes *notes, struct error *err)
{
    const char *root = request->repository->root;
    SCOPED(outside_done) struct outside outside = {0};
    SCOPED(text_done) struct text names = {0};

    for (size_t i = 0; i < state->outside.items.count; i++)
        outside_add(&outside, state->outside.items.items[i]);
    outside_follow(arena, root, &outside);
    add_names(&names, &outside);
    if (names.length > 0)
        *vec_add(&notes->items) = arena_format(
            arena, "what is outside of the repository is taken as it is today: %s", text_string(&names));
    return surroundings_make(arena, slot, root, &outside, err);
}

/* What is known of the slot's tree, which stands in its usual place then. */
static int read_state(struct arena *arena, const struct revision_slot *slot, struct checkout_state *out,
                      struct error *err)
{
    if (surroundings_remove(arena, slot, err) < 0)
        return -1;
    if (is_there(revision_slot_tree(arena, slot)))
        checkout_state_read(arena, revision_slot_state(arena, slot), out);
    return 0;
}

int revision_check_out(struct arena *arena, const struct revision_request *request,
                       const struct revision_slot *slot, struct revision_notes *notes, struct error *err)
{
    SCOPED(checkout_state_done) struct checkout_state before = {0};
    SCOPED(checkout_state_done) struct checkout_state made = {0};
    struct checkout_state *state = &before;
    const struct shared_clone clone = {request->repository, revision_slot_git(arena, slot),
                                       revision_slot_tree(arena, slot), request->commit};
    bool is_made = false;

    if (read_state(arena, slot, &before, err) < 0)
        return error_wrap(err, "checking out %s", request->name);
    is_made = !is_ready(arena, request, slot, &before);
    /* References may have changed meanwhile. */
    if (is_made ? check_out_all(arena, request, slot, &before, &made, err) < 0
                : shared_clone_write(&clone, err) < 0)
        return error_wrap(err, "checking out %s", request->name);
    if (is_made)
        state = &made;
    for (size_t i = 0; i < state->notes.count; i++)
        *vec_add(&notes->items) = state->notes.items[i];
    if (finish(arena, request, slot, state, err) < 0)
        return -1;
    notes->has_own_lock = has_own_lock(state, slice_of(request->subfolder));
    return surround(arena, request, slot, state, notes, err);
}
