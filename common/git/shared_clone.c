#include "git/shared_clone.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "git/git_program.h"
#include "git/libgit2.h"

enum { FILE_BYTES_MAX = 512 * 1024 * 1024, SHA256_DIGITS = 64 };

const char *shared_clone_index(struct arena *arena, const char *folder)
{
    return arena_format(arena, "%s/index", folder);
}

const char *shared_clone_objects(struct arena *arena, const char *folder)
{
    return arena_format(arena, "%s/objects", folder);
}

/* Leaves alone what is so already: build scripts may be run anew because a file of git's is newer. */
static int write_file(const char *folder, const char *name, struct slice content, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(text_done) struct text there = {0};
    struct error unread = {0};
    const char *path = arena_format(&arena, "%s/%s", folder, name);

    if (access(path, F_OK) == 0 && file_read(path, FILE_BYTES_MAX, &there, &unread) == 0 &&
        slice_equal(text_slice(&there), content))
        return 0;
    return file_replace_cached(path, content, err);
}

/* --- References ------------------------------------------------------------------------ */

struct references {
    const struct libgit2 *git;
    git_repository *handle;
    struct text *text;
};

/* A git_reference_foreach_name_cb. One that leads nowhere is left out. */
static int add_reference(const char *name, void *context)
{
    const struct references *references = context;
    struct commit_name id;
    git_oid oid;

    if (references->git->reference_id(&oid, references->handle, name) == 0) {
        references->git->oid_to_string(id.text, sizeof(id.text), &oid);
        text_format(references->text, "%s %s\n", id.text, name);
    }
    return 0;
}

/* As lines of packed-refs: "HASH refs/tags/v1". */
static int add_references(const struct repository *repository, struct text *text, struct error *err)
{
    const char *const arguments[] = {"for-each-ref", "--format=%(objectname) %(refname)", NULL};
    struct references references = {.handle = repository->handle, .text = text};

    if (!repository->handle)
        return git_program_run(&(struct git_command){.folder = repository->root, .arguments = arguments},
                               text, err);
    if (libgit2_load(&references.git, err) < 0)
        return -1;
    if (references.git->each_reference(repository->handle, add_reference, &references) < 0)
        return error_set(err, ERROR_IO, "the references of %s cannot be read", repository->root);
    return 0;
}

/* --- The configuration ----------------------------------------------------------------- */

/* "section.name=value", as git takes it on the command line. */
static void add_setting(struct text *text, const char *setting)
{
    struct slice whole = slice_of(setting);
    size_t equals = slice_find_byte(whole, '=');
    size_t dot = slice_find_byte(whole, '.');

    text_format(text, "[%.*s]\n\t%.*s = %s\n", SLICE_ARGUMENTS(slice_range(whole, 0, dot)),
                SLICE_ARGUMENTS(slice_range(whole, dot + 1, equals)), setting + equals + 1);
}

static void add_path(struct text *text, const char *section, const char *name, const char *path)
{
    text_format(text, "[%s]\n\t%s = \"", section, name);
    for (; *path; path++) {
        if (*path == '"' || *path == '\\')
            text_add_byte(text, '\\');
        text_add_byte(text, *path);
    }
    text_add_string(text, "\"\n");
}

/* What comes later counts more than what the user's configuration says. */
static void make_configuration(const struct shared_clone *clone, struct arena *arena, struct text *text)
{
    /* An index that libgit2 can read. */
    static const char *const index_settings[] = {"core.splitIndex=false", "index.skipHash=false"};
    bool is_sha256 = strlen(clone->commit) == SHA256_DIGITS;

    add_path(text, "include", "path", arena_format(arena, "%s/config", clone->repository->common));
    add_setting(text, is_sha256 ? "core.repositoryFormatVersion=1" : "core.repositoryFormatVersion=0");
    if (is_sha256)
        add_setting(text, "extensions.objectFormat=sha256");
    add_setting(text, "core.bare=false");
    add_path(text, "core", "worktree", clone->tree);
    for (size_t i = 0; git_quiet_settings[i]; i++)
        add_setting(text, git_quiet_settings[i]);
    for (size_t i = 0; i < ARRAY_COUNT(index_settings); i++)
        add_setting(text, index_settings[i]);
}

/* --- The whole ------------------------------------------------------------------------- */

/* Where the history of a shallow clone ends; else there is no such file. */
static int copy_shallow(const struct shared_clone *clone, struct arena *arena, struct error *err)
{
    SCOPED(text_done) struct text content = {0};
    const char *theirs = arena_format(arena, "%s/shallow", clone->repository->common);

    if (access(theirs, F_OK) < 0) {
        unlink(arena_format(arena, "%s/shallow", clone->folder));
        return 0;
    }
    return file_read(theirs, FILE_BYTES_MAX, &content, err) < 0
               ? -1
               : write_file(clone->folder, "shallow", text_slice(&content), err);
}

int shared_clone_begin(const char *folder, struct error *err)
{
    static const char *const parts[] = {"objects/info", "refs", "info"};
    SCOPED(arena_done) struct arena arena = {0};

    for (size_t i = 0; i < ARRAY_COUNT(parts); i++)
        if (folder_make(arena_format(&arena, "%s/%s", folder, parts[i]), err) < 0)
            return -1;
    /* Of a git that was killed: nobody else is here. */
    unlink(arena_format(&arena, "%s/index.lock", folder));
    return 0;
}

int shared_clone_write(const struct shared_clone *clone, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(text_done) struct text configuration = {0};
    SCOPED(text_done) struct text references = {0};
    const struct {
        const char *name;
        const char *content;
    } files[] = {
        {"HEAD", arena_format(&arena, "%s\n", clone->commit)},
        {"objects/info/alternates", arena_format(&arena, "%s/objects\n", clone->repository->common)},
        /* One that the commit has not is put there from the working tree. */
        {"info/exclude", "Cargo.lock\n"},
    };

    make_configuration(clone, &arena, &configuration);
    if (shared_clone_begin(clone->folder, err) < 0 ||
        add_references(clone->repository, &references, err) < 0 ||
        write_file(clone->folder, "config", text_slice(&configuration), err) < 0 ||
        write_file(clone->folder, "packed-refs", text_slice(&references), err) < 0 ||
        copy_shallow(clone, &arena, err) < 0)
        return -1;
    for (size_t i = 0; i < ARRAY_COUNT(files); i++)
        if (write_file(clone->folder, files[i].name, slice_of(files[i].content), err) < 0)
            return -1;
    return write_file(clone->tree, ".git", slice_of(arena_format(&arena, "gitdir: %s\n", clone->folder)),
                      err);
}

void shared_clone_unlink(const char *tree)
{
    SCOPED(arena_done) struct arena arena = {0};

    unlink(arena_format(&arena, "%s/.git", tree));
}
