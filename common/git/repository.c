#include "git/repository.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/text.h"
#include "git/git_program.h"
#include "git/libgit2.h"

/* Without links and a "/" at the end; as it is when it cannot be told. */
static const char *real_path(struct arena *arena, struct slice path)
{
    char resolved[PATH_MAX];
    const char *text = arena_copy(arena, slice_trim(path));

    return realpath(text, resolved) ? arena_copy(arena, slice_of(resolved)) : text;
}

void repository_close(struct repository *repository)
{
    const struct libgit2 *git = NULL;
    struct error ignored = {0};

    if (repository->handle && libgit2_load(&git, &ignored) == 0)
        git->repository_free(repository->handle);
    arena_done(&repository->arena);
    *repository = (struct repository){0};
}

/* The folder that `folder` is in, or is, with a ".git" in it; NULL when there is none up to the root. */
static const char *find_top(struct arena *arena, const char *folder)
{
    const char *path = real_path(arena, slice_of(folder));
    size_t length = strlen(path);

    while (length > 0) {
        struct slice upper = {path, length};

        if (access(arena_format(arena, "%.*s/.git", SLICE_ARGUMENTS(upper)), F_OK) == 0)
            return arena_copy(arena, upper);
        length = slice_find_last_byte(upper, '/');
        if (length == upper.length)
            break;
    }
    return NULL;
}

/* Whether objects may be missing here because a server has promised them (gitformat-pack(5), partial clones).
 */
static bool is_partial(struct arena *arena, const char *common)
{
    SCOPED(folder_close) DIR *packs = opendir(arena_format(arena, "%s/objects/pack", common));
    const struct dirent *entry = NULL;
    bool found = false;

    while (packs && !found && (entry = readdir(packs)) != NULL)
        found = slice_ends_with(slice_of(entry->d_name), SLICE(".promisor"));
    return found;
}

/* --- libgit2 --------------------------------------------------------------------------- */

/* Whether it opened and can serve; a failure has other ways to go on. */
static bool open_with_library(const char *folder, struct repository *out)
{
    const struct libgit2 *git = NULL;
    struct error ignored = {0};
    git_repository *handle = NULL;

    if (libgit2_load(&git, &ignored) < 0 || git->open(&handle, folder, 0, NULL) < 0)
        return false;
    /* It asks no server for what a partial clone lacks. */
    if (!git->workdir(handle) || is_partial(&out->arena, git->common_dir(handle))) {
        git->repository_free(handle);
        return false;
    }
    out->handle = handle;
    out->root = real_path(&out->arena, slice_of(git->workdir(handle)));
    out->common = real_path(&out->arena, slice_of(git->common_dir(handle)));
    return true;
}

static bool find_with_library(const struct repository *repository, const char *revision,
                              struct commit_name *out)
{
    const struct libgit2 *git = NULL;
    struct error ignored = {0};
    git_object *object = NULL;
    git_object *commit = NULL;

    if (libgit2_load(&git, &ignored) < 0 || git->revparse(&object, repository->handle, revision) < 0)
        return false;
    if (git->peel(&commit, object, GIT_OBJECT_COMMIT) == 0)
        git->oid_to_string(out->text, sizeof(out->text), git->object_id(commit));
    git->object_free(object);
    git->object_free(commit);
    return commit != NULL;
}

static bool merge_base_with_library(const struct repository *repository, const struct commit_name *one,
                                    const struct commit_name *two, struct commit_name *out)
{
    const struct libgit2 *git = NULL;
    struct error ignored = {0};
    git_oid base;
    git_oid ids[2];

    if (libgit2_load(&git, &ignored) < 0 || git->oid_from_string(&ids[0], one->text) < 0 ||
        git->oid_from_string(&ids[1], two->text) < 0 ||
        git->merge_base(&base, repository->handle, &ids[0], &ids[1]) < 0)
        return false;
    git->oid_to_string(out->text, sizeof(out->text), &base);
    return true;
}

/* --- The git program ------------------------------------------------------------------- */

/* The first line of what git prints. Quiet: a failure is an answer. */
static int ask(const char *folder, const char *const *arguments, struct text *line, struct error *err)
{
    struct slice answer;

    if (git_program_run(&(struct git_command){.folder = folder, .arguments = arguments, .is_quiet = true},
                        line, err) < 0)
        return -1;
    answer = text_slice(line);
    line->length = slice_find_byte(answer, '\n');
    return 0;
}

static int open_with_program(const char *folder, struct repository *out, struct error *err)
{
    const char *const root[] = {"rev-parse", "--show-toplevel", NULL};
    const char *const common[] = {"rev-parse", "--path-format=absolute", "--git-common-dir", NULL};
    SCOPED(text_done) struct text line = {0};

    if (ask(folder, root, &line, err) < 0)
        return -1;
    out->root = real_path(&out->arena, text_slice(&line));
    text_clear(&line);
    if (ask(folder, common, &line, err) < 0)
        return -1;
    out->common = real_path(&out->arena, text_slice(&line));
    return 0;
}

static int take_commit(struct slice line, struct commit_name *out, struct error *err)
{
    if (line.length == 0 || line.length >= sizeof(out->text))
        return error_set(err, ERROR_FORMAT, "git names no commit: \"%.*s\"", SLICE_ARGUMENTS(line));
    memcpy(out->text, line.data, line.length);
    out->text[line.length] = '\0';
    return 0;
}

/* --- Either ---------------------------------------------------------------------------- */

/* Why neither way leads into the repository, from what kept the git program out. */
static int refuse(const char *top, const struct error *cause, struct error *err)
{
    const struct libgit2 *git = NULL;
    SCOPED(text_done) struct text word = {0};
    struct error ignored = {0};
    struct stat about;

    text_add_shell(&word, slice_of(top));
    if (cause->kind == ERROR_MISSING) {
        if (libgit2_load(&git, &ignored) == 0)
            error_hint(err, "install it with: apt-get install git");
        else
            error_hint(err, "install it, or libgit2 with: apt-get install libgit2-%s", LIBGIT2_SOVERSION);
        return error_set(err, ERROR_IO, "the repository %s needs the git program, which is not here", top);
    }
    if (stat(top, &about) == 0 && about.st_uid != geteuid()) {
        error_hint(err, "if you trust it: git config --global --add safe.directory %s", text_string(&word));
        return error_set(err, ERROR_DENIED, "the repository %s belongs to another user, so git refuses it",
                         top);
    }
    error_hint(err, "this tells why: git -C %s status", text_string(&word));
    return error_set(err, ERROR_CHILD, "git refuses the repository %s", top);
}

int repository_open(const char *folder, struct repository *out, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct error cause = {0};
    const char *top = NULL;

    if (open_with_library(folder, out))
        return 0;
    /* libgit2 1.5 has one answer for no repository and for one of another user's. */
    top = find_top(&arena, folder);
    if (!top)
        return error_set(err, ERROR_MISSING, "%s is in no git repository",
                         strcmp(folder, ".") == 0 ? "this folder" : folder);
    return open_with_program(folder, out, &cause) < 0 ? refuse(top, &cause, err) : 0;
}

/* "@" by itself, also in "@~3", is HEAD (gitrevisions(7)), which libgit2 1.5 knows of "@" alone. */
static const char *without_at(struct arena *arena, const char *revision)
{
    if (revision[0] != '@' || (revision[1] != '~' && revision[1] != '^'))
        return revision;
    return arena_format(arena, "HEAD%s", revision + 1);
}

static bool find_commit(const struct repository *repository, const char *revision, struct commit_name *out)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(text_done) struct text line = {0};
    struct error ignored = {0};
    const char *arguments[] = {
        "rev-parse", "--verify", "--quiet", "--end-of-options", arena_format(&arena, "%s^{commit}", revision),
        NULL};

    if (repository->handle)
        return find_with_library(repository, without_at(&arena, revision), out);
    return revision[0] != '\0' && ask(repository->root, arguments, &line, &ignored) == 0 &&
           take_commit(text_slice(&line), out, &ignored) == 0;
}

/* "origin/main" for "main": the first by name of the remotes that have it, in the arena; NULL for none. */
static const char *find_of_remote(struct arena *arena, const struct repository *repository,
                                  const char *revision)
{
    SCOPED(folder_close)
    DIR *remotes = opendir(arena_format(arena, "%s/refs/remotes", repository->common));
    const char *found = NULL;

    for (const struct dirent *entry = NULL; remotes && (entry = readdir(remotes)) != NULL;) {
        const char *name = arena_format(arena, "%s/%s", entry->d_name, revision);
        struct commit_name ignored;

        if (entry->d_name[0] != '.' && (!found || strcmp(name, found) < 0) &&
            find_commit(repository, name, &ignored))
            found = name;
    }
    return found;
}

static bool is_shallow(const struct repository *repository)
{
    SCOPED(arena_done) struct arena arena = {0};

    return access(arena_format(&arena, "%s/shallow", repository->common), F_OK) == 0;
}

static void hint_shallow(struct error *err)
{
    error_hint(err, "the clone is shallow: git fetch --unshallow, or fetch-depth: 0 in the workflow");
}

enum { MOST_BRANCHES = 5 }; /* that a hint names */

struct branches {
    struct text names; /* with ", " between */
    size_t count;
};

static int add_branch(const char *reference, void *context)
{
    struct branches *branches = context;
    struct slice name = slice_of(reference);

    if (!slice_starts_with(name, SLICE("refs/heads/")) || ++branches->count > MOST_BRANCHES)
        return 0;
    text_add_string(&branches->names, branches->count > 1 ? ", " : "");
    text_add(&branches->names, slice_range(name, SLICE("refs/heads/").length, name.length));
    return 0;
}

static void find_branches(const struct repository *repository, struct branches *out)
{
    static const char *const arguments[] = {"for-each-ref", "--format=%(refname)", "refs/heads", NULL};
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(text_done) struct text lines = {0};
    const struct libgit2 *git = NULL;
    struct error ignored = {0};
    struct slice rest;

    if (repository->handle && libgit2_load(&git, &ignored) == 0) {
        git->each_reference(repository->handle, add_branch, out);
        return;
    }
    if (git_program_run(
            &(struct git_command){.folder = repository->root, .arguments = arguments, .is_quiet = true},
            &lines, &ignored) < 0)
        return;
    for (rest = text_slice(&lines); rest.length > 0;) {
        size_t end = slice_find_byte(rest, '\n');

        add_branch(arena_copy(&arena, slice_range(rest, 0, end)), out);
        rest = slice_range(rest, end + 1, rest.length);
    }
}

static void hint_branches(const struct repository *repository, const char *revision, struct error *err)
{
    struct branches branches = {0};
    struct commit_name ignored;

    if (!find_commit(repository, "HEAD", &ignored)) {
        error_hint(err, "there is no commit yet: `git commit` makes one, HEAD");
        return;
    }
    /* A branch is no answer where a commit before one, or one of a number, is missing. */
    if (strcspn(revision, "~^@:") == strlen(revision))
        find_branches(repository, &branches);
    if (branches.names.length > 0)
        error_hint(err, "branches here: %s%s; the last commit is HEAD", text_string(&branches.names),
                   branches.count > MOST_BRANCHES ? ", ..." : "");
    text_done(&branches.names);
}

int repository_find_commit(const struct repository *repository, const char *revision, struct commit_name *out,
                           struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    const char *of_remote = NULL;

    if (find_commit(repository, revision, out))
        return 0;
    of_remote = find_of_remote(&arena, repository, revision);
    if (of_remote)
        error_hint(err, "a remote's branch is here: %s", of_remote);
    else if (is_shallow(repository))
        hint_shallow(err);
    else
        hint_branches(repository, revision, err);
    return error_set(err, ERROR_MISSING, "\"%s\" is no revision of %s", revision, repository->root);
}

int repository_merge_base(const struct repository *repository, const struct commit_name *one,
                          const struct commit_name *two, struct commit_name *out, struct error *err)
{
    SCOPED(text_done) struct text line = {0};
    const char *const arguments[] = {"merge-base", one->text, two->text, NULL};

    if (repository->handle && merge_base_with_library(repository, one, two, out))
        return 0;
    /* libgit2 stops at the end of a shallow clone where git may still find one. */
    if (ask(repository->root, arguments, &line, err) == 0)
        return take_commit(text_slice(&line), out, err);
    if (is_shallow(repository))
        hint_shallow(err);
    return error_set(err, ERROR_MISSING, "%.12s and %.12s have no merge base here", one->text, two->text);
}
