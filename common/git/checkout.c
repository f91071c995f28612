#include "git/checkout.h"

#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/scan.h"
#include "git/git_program.h"
#include "git/libgit2.h"

/* --- libgit2 --------------------------------------------------------------------------- */

static int fail(const struct libgit2 *git, const char *what, struct error *err)
{
    const git_error *last = git->last_error();

    return error_set(err, ERROR_IO, "%s: %s", what, last && last->message ? last->message : "libgit2 failed");
}

static int find_tree(const struct libgit2 *git, git_repository *handle, const char *commit, git_object **out,
                     struct error *err)
{
    git_oid id;
    git_object *object = NULL;
    int found = -1;

    if (git->oid_from_string(&id, commit) < 0 || git->lookup(&object, handle, &id, GIT_OBJECT_ANY) < 0)
        return fail(git, commit, err);
    found = git->peel(out, object, GIT_OBJECT_TREE);
    git->object_free(object);
    return found < 0 ? fail(git, commit, err) : 0;
}

/* What one checkout with libgit2 holds. */
struct work {
    const struct libgit2 *git;
    git_repository *handle;
    git_index *index;
    git_object *tree;
    git_object *previous;
};

static void work_done(struct work *work)
{
    work->git->object_free(work->tree);
    work->git->object_free(work->previous);
    work->git->index_free(work->index);
    work->git->repository_free(work->handle);
}

/* What cannot be read is made anew. */
static int open_index(const struct libgit2 *git, const char *path, git_index **out)
{
    if (git->index_open(out, path) == 0)
        return 0;
    unlink(path);
    return git->index_open(out, path);
}

/* A handle of its own whose working tree and index are ours: those of the user are out of its reach. */
static int work_open(const struct checkout *checkout, struct work *work, struct error *err)
{
    const struct libgit2 *git = work->git;

    if (git->open(&work->handle, checkout->repository->root, 0, NULL) < 0 ||
        open_index(git, checkout->index_path, &work->index) < 0 ||
        git->set_index(work->handle, work->index) < 0 ||
        git->set_workdir(work->handle, checkout->folder, 0) < 0)
        return fail(git, checkout->repository->root, err);
    if (find_tree(git, work->handle, checkout->commit, &work->tree, err) < 0)
        return -1;
    return checkout->previous ? find_tree(git, work->handle, checkout->previous, &work->previous, err) : 0;
}

static int checkout_with_library(const struct checkout *checkout, struct error *err)
{
    SCOPED(work_done) struct work work = {0};
    git_checkout_options options;

    if (libgit2_load(&work.git, err) < 0 || work_open(checkout, &work, err) < 0)
        return -1;
    work.git->checkout_options_init(&options, GIT_CHECKOUT_OPTIONS_VERSION);
    options.checkout_strategy = GIT_CHECKOUT_FORCE | GIT_CHECKOUT_NO_REFRESH;
    options.target_directory = checkout->folder;
    /* What is there; libgit2 would take HEAD for it. */
    options.baseline = (git_tree *)work.previous;
    options.baseline_index = work.previous ? NULL : work.index;
    if (work.git->checkout_tree(work.handle, work.tree, &options) < 0)
        return fail(work.git, checkout->folder, err);
    return 0;
}

/* --- The git program ------------------------------------------------------------------- */

/* Objects that a partial clone lacks go to a folder of ours: the clone stays as it is. */
static int run_program(const struct repository *repository, const char *const *arguments,
                       const char *index_path, struct text *output, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};

    if (repository->fetched && folder_make(repository->fetched, err) < 0)
        return -1;
    return git_program_run(
        &(struct git_command){.folder = repository->root,
                              .arguments = arguments,
                              .index_path = index_path,
                              .objects = repository->fetched,
                              .alternates = arena_format(&arena, "%s/objects", repository->common)},
        output, err);
}

/* An index of our own remembers the files' times, so that git leaves alone what did not change. */
static int checkout_with_program(const struct checkout *checkout, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(text_done) struct text output = {0};
    const char *const arguments[] = {arena_format(&arena, "--work-tree=%s", checkout->folder),
                                     "read-tree",
                                     "--reset",
                                     "-u",
                                     checkout->commit,
                                     NULL};

    return run_program(checkout->repository, arguments, checkout->index_path, &output, err);
}

int checkout_files(const struct checkout *checkout, struct error *err)
{
    return checkout->with_program ? checkout_with_program(checkout, err)
                                  : checkout_with_library(checkout, err);
}

/* --- What is in a commit --------------------------------------------------------------- */

struct listing {
    const struct libgit2 *git;
    checkout_entry_fn *each;
    void *context;
    struct error *err;
    struct text path;
};

static void listing_done(struct listing *listing)
{
    text_done(&listing->path);
}

static enum checkout_kind kind_of(unsigned mode)
{
    return mode == GIT_FILEMODE_COMMIT ? CHECKOUT_SUBMODULE
           : mode == GIT_FILEMODE_LINK ? CHECKOUT_LINK
                                       : CHECKOUT_FILE;
}

/* A git_treewalk_cb. */
static int list_entry(const char *folder, const git_tree_entry *entry, void *context)
{
    struct listing *listing = context;
    git_filemode_t mode = listing->git->entry_mode(entry);
    struct commit_name commit = {0};

    if (mode == GIT_FILEMODE_TREE)
        return 0;
    if (mode == GIT_FILEMODE_COMMIT)
        listing->git->oid_to_string(commit.text, sizeof(commit.text), listing->git->entry_id(entry));
    text_clear(&listing->path);
    text_format(&listing->path, "%s%s", folder, listing->git->entry_name(entry));
    return listing->each(listing->context, text_string(&listing->path), kind_of(mode), commit.text,
                         listing->err);
}

static int list_with_library(const struct repository *repository, const char *commit, struct listing *listing,
                             struct error *err)
{
    git_object *tree = NULL;
    int walked = 0;

    if (libgit2_load(&listing->git, err) < 0 ||
        find_tree(listing->git, repository->handle, commit, &tree, err) < 0)
        return -1;
    walked = listing->git->tree_walk((const git_tree *)tree, GIT_TREEWALK_PRE, list_entry, listing);
    listing->git->object_free(tree);
    if (walked < 0 && err->kind == ERROR_NONE)
        return fail(listing->git, commit, err);
    return walked < 0 ? -1 : 0;
}

/* "160000 commit HASH\tPATH". */
static int list_line(struct listing *listing, struct slice line, struct error *err)
{
    struct scan scan = scan_of(line);
    struct slice mode;
    struct slice type;
    struct slice id;
    struct commit_name commit = {0};
    bool is_submodule = false;
    bool is_entry = scan_until(&scan, ' ', &mode) && scan_until(&scan, ' ', &type) &&
                    scan_until(&scan, '\t', &id) && id.length < sizeof(commit.text);

    if (!is_entry)
        return error_set(err, ERROR_FORMAT, "git ls-tree: \"%.*s\"", SLICE_ARGUMENTS(line));
    is_submodule = slice_is(type, "commit");
    if (is_submodule)
        memcpy(commit.text, id.data, id.length);
    text_clear(&listing->path);
    text_add(&listing->path, scan.rest);
    return listing->each(listing->context, text_string(&listing->path),
                         is_submodule               ? CHECKOUT_SUBMODULE
                         : slice_is(mode, "120000") ? CHECKOUT_LINK
                                                    : CHECKOUT_FILE,
                         commit.text, err);
}

static int list_with_program(const struct repository *repository, const char *commit, struct listing *listing,
                             struct error *err)
{
    const char *const arguments[] = {"ls-tree", "-r", "-z", "--full-tree", commit, NULL};
    SCOPED(text_done) struct text output = {0};
    struct scan scan;
    struct slice line;

    if (run_program(repository, arguments, NULL, &output, err) < 0)
        return -1;
    scan = scan_of(text_slice(&output));
    while (scan_until(&scan, '\0', &line))
        if (list_line(listing, line, err) < 0)
            return -1;
    return 0;
}

int checkout_list(const struct repository *repository, const char *commit, checkout_entry_fn *each,
                  void *context, struct error *err)
{
    SCOPED(listing_done) struct listing listing = {.each = each, .context = context, .err = err};

    return repository->handle ? list_with_library(repository, commit, &listing, err)
                              : list_with_program(repository, commit, &listing, err);
}

static int find_attributes(void *context, const char *path, enum checkout_kind kind, const char *commit,
                           struct error *err)
{
    bool *found = context;
    struct slice whole = slice_of(path);

    (void)commit;
    (void)err;
    *found |= kind == CHECKOUT_FILE &&
              (slice_is(whole, ".gitattributes") || slice_ends_with(whole, SLICE("/.gitattributes")));
    return 0;
}

int checkout_needs_program(const struct repository *repository, const char *commit, bool *out,
                           struct error *err)
{
    bool found = !repository->handle;

    if (!found && checkout_list(repository, commit, find_attributes, &found, err) < 0)
        return -1;
    *out = found;
    return 0;
}
