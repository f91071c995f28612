#include "revision/revision.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "cargo/build_directory.h"
#include "cargo/toolchain.h"
#include "git/git_program.h"
#include "revision/commit_lock.h"

bool revision_locks_are_code(const struct revision *before, const struct revision *after)
{
    return before->has_own_lock && after->has_own_lock;
}

void revision_done(struct revision *revision)
{
    revision_leave(revision);
    options_done(&revision->options);
    revision_slot_release(&revision->slot);
}

/* --- Where cargo runs ------------------------------------------------------------------ */

/* The path without links, or NULL when there is nothing. */
static const char *real_path(struct arena *arena, const char *path)
{
    char resolved[PATH_MAX];

    return realpath(path, resolved) ? arena_copy(arena, slice_of(resolved)) : NULL;
}

static const char *folder_of(struct arena *arena, const char *path)
{
    struct slice whole = slice_of(path);
    size_t slash = slice_find_last_byte(whole, '/');

    if (slash == whole.length)
        return ".";
    return slash == 0 ? "/" : arena_copy(arena, slice_range(whole, 0, slash));
}

/* Where below the root cargo runs: where we are, else where the manifest is. */
static const char *find_subfolder(struct arena *arena, const struct options *options, const char *root)
{
    const char *manifest = options_value(options, "manifest-path");
    const char *here = path_below(root, real_path(arena, "."));

    if (!here && manifest)
        here = path_below(root, real_path(arena, folder_of(arena, manifest)));
    return here ? here : "";
}

void revision_take_working_tree(const struct repository *repository, const struct options *options,
                                struct revision *out)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct commit_name head;
    struct error unread = {0};

    out->has_own_lock = repository_find_commit(repository, "HEAD", &head, &unread) == 0 &&
                        commit_lock_is_there(repository, head.text,
                                             slice_of(find_subfolder(&arena, options, repository->root)));
}

/* --- Options --------------------------------------------------------------------------- */

static void add_use(const struct options *options, const char *name, const char *value, struct options *out)
{
    *vec_add(&out->uses) = (struct option_use){command_find_option(options->command, name), value, name};
}

/* The configuration file of a folder; NULL when it has none. The older name counts first (the Cargo book). */
static const char *config_of(struct arena *arena, const char *folder)
{
    static const char *const names[] = {"config", "config.toml"};

    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        const char *path = arena_format(arena, "%s/.cargo/%s", folder, names[i]);

        if (access(path, F_OK) == 0)
            return path;
    }
    return NULL;
}

/* Cargo reads this one wherever it runs. */
static bool is_cargo_home(struct arena *arena, const char *folder)
{
    const char *home = getenv("CARGO_HOME");
    const char *path = real_path(arena, arena_format(arena, "%s/.cargo", folder));

    if (!home && getenv("HOME"))
        home = arena_format(arena, "%s/.cargo", getenv("HOME"));
    home = home ? real_path(arena, home) : NULL;
    return home && path && strcmp(home, path) == 0;
}

/*
 * Adds the configuration of `top`, of each folder on the way to `bottom`, and that of `bottom` when it is
 * wanted: a later --config counts more, as cargo takes a deeper file. `top` is a start of `bottom`.
 */
static size_t add_configs(struct arena *arena, const struct options *options, const char *top,
                          const char *bottom, struct options *out)
{
    size_t length = strlen(top);
    size_t count = 0;

    for (;;) {
        const char *folder = arena_copy(arena, (struct slice){bottom, length});
        const char *config = config_of(arena, folder);

        if (config && !is_cargo_home(arena, folder)) {
            add_use(options, "config", config, out);
            count++;
        }
        if (bottom[length] == '\0')
            return count;
        length++;
        while (bottom[length] != '\0' && bottom[length] != '/')
            length++;
    }
}

/*
 * What configures cargo above the repository. With --config it would count more than what the repository says
 * itself, so that is named too, behind it.
 */
static void pass_on_configs(struct arena *arena, const struct options *options,
                            const struct revision *revision, struct options *out)
{
    const char *above = folder_of(arena, revision->repository->root);

    if (!path_below(revision->repository->root, real_path(arena, ".")))
        return;
    if (add_configs(arena, options, "", strcmp(above, "/") == 0 ? "" : above, out) > 0)
        add_configs(arena, options, revision->tree, revision->folder, out);
}

/* A file of the user's counts on both sides, wherever cargo runs; "KEY=VALUE" stays. */
static const char *config_value(struct arena *arena, const char *value)
{
    const char *path = access(value, F_OK) == 0 ? real_path(arena, value) : NULL;

    return path ? path : value;
}

/* The manifest's place in the checkout. */
static const char *manifest_value(struct arena *arena, const struct revision *revision, const char *value)
{
    const char *rest = path_below(revision->repository->root, real_path(arena, value));

    return rest ? arena_format(arena, "%s/%s", revision->tree, rest) : value;
}

static void make_options(struct arena *arena, const struct options *options, struct revision *revision)
{
    struct options *out = &revision->options;

    *out = (struct options){.command = options->command, .program_arguments = options->program_arguments};
    pass_on_configs(arena, options, revision, out);
    for (size_t i = 0; i < options->uses.count; i++) {
        struct option_use use = options->uses.items[i];
        const char *name = use.spec->name;

        if (strcmp(name, "target-dir") == 0)
            continue;
        if (strcmp(name, "config") == 0)
            use.value = config_value(arena, use.value);
        else if (strcmp(name, "manifest-path") == 0)
            use.value = manifest_value(arena, revision, use.value);
        *vec_add(&out->uses) = use;
    }
    add_use(options, "target-dir", revision_slot_target(arena, &revision->slot), out);
}

/* --- The toolchain --------------------------------------------------------------------- */

static const char *folder_below(struct arena *arena, const char *folder, const char *subfolder)
{
    return subfolder[0] ? arena_format(arena, "%s/%s", folder, subfolder) : folder;
}

static bool is_same_file(const char *a, const char *b)
{
    enum { TOOLCHAIN_BYTES_MAX = 64 * 1024 };
    SCOPED(text_done) struct text one = {0};
    SCOPED(text_done) struct text other = {0};
    struct error unread = {0};

    if (!a || !b)
        return a == b;
    return file_read(a, TOOLCHAIN_BYTES_MAX, &one, &unread) == 0 &&
           file_read(b, TOOLCHAIN_BYTES_MAX, &other, &unread) == 0 &&
           slice_equal(text_slice(&one), text_slice(&other));
}

/*
 * A toolchain file of the revision's counts, and one of the working tree's alone does not. Where the
 * toolchain comes from elsewhere (a default, a file above the repository) it is that of both.
 */
static void choose_toolchain(struct arena *arena, const struct revision_request *request,
                             struct revision *revision, struct revision_notes *notes)
{
    const char *root = request->repository->root;
    const char *theirs = toolchain_file_find(arena, revision->folder, revision->tree);
    const char *ours = toolchain_file_find(arena, folder_below(arena, root, request->subfolder), root);
    enum toolchain_choice choice = toolchain_choice();

    revision->asks_rustup = choice == TOOLCHAIN_OF_FOLDER && (theirs || ours);
    if (revision->asks_rustup && !theirs)
        revision->toolchain = toolchain_of_folder(arena, folder_of(arena, root));
    if (choice == TOOLCHAIN_EXPORTED && !is_same_file(theirs, ours))
        *vec_add(&notes->items) =
            arena_format(arena,
                         "its toolchain file is not that of the working tree, but RUSTUP_TOOLCHAIN=%s counts "
                         "more, for both",
                         getenv("RUSTUP_TOOLCHAIN"));
}

/* --- Getting ready --------------------------------------------------------------------- */

int revision_prepare(struct arena *arena, const struct options *options, struct revision *revision,
                     struct revision_notes *notes, struct error *err)
{
    struct revision_request request = {
        .repository = revision->repository,
        .commit = revision->commit.text,
        .name = revision->name,
        .subfolder = find_subfolder(arena, options, revision->repository->root),
    };

    if (revision_cache_take(arena, revision->repository->common, request.commit, request.name,
                            &revision->slot, err) < 0 ||
        revision_check_out(arena, &request, &revision->slot, notes, err) < 0)
        return -1;
    revision->has_own_lock = notes->has_own_lock;
    /* It may be a link (revision/surroundings.h), and cargo looks for what is beside it. */
    revision->tree = real_path(arena, revision_slot_tree(arena, &revision->slot));
    if (!revision->tree)
        return error_set(err, ERROR_IO, "%s: %s", revision->slot.folder, strerror(errno));
    revision->folder = folder_below(arena, revision->tree, request.subfolder);
    choose_toolchain(arena, &request, revision, notes);
    make_options(arena, options, revision);
    return 0;
}

/* --- Being there ----------------------------------------------------------------------- */

int revision_enter(struct revision *revision, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    const char *target = NULL;

    revision->home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (revision->home <= 0 || chdir(revision->folder) < 0)
        return error_set(err, ERROR_IO, "enter %s: %s", revision->folder, strerror(errno));
    /* Where the user's configuration parts intermediate files from the target directory. */
    target = cargo_build_directory_value(revision_slot_target(&arena, &revision->slot));
    if (target)
        environment_change(&revision->outside, arena_format(&arena, "CARGO_BUILD_BUILD_DIR=%s", target));
    /* In a hook of git's they name the user's repository. */
    for (size_t i = 0; git_local_variables[i]; i++)
        environment_change(&revision->outside, git_local_variables[i]);
    if (revision->asks_rustup) {
        environment_change(&revision->outside,
                           revision->toolchain
                               ? arena_format(&arena, "RUSTUP_TOOLCHAIN=%s", revision->toolchain)
                               : "RUSTUP_TOOLCHAIN");
        /* The cargo of that toolchain: rustup's own, found in PATH, asks anew. */
        environment_change(&revision->outside, "CARGO");
    }
    return 0;
}

void revision_leave(struct revision *revision)
{
    if (revision->home <= 0)
        return;
    /* It was open all the time: going back cannot fail for the want of a name. */
    if (fchdir(revision->home) < 0)
        abort();
    close(revision->home);
    revision->home = 0;
    environment_restore(&revision->outside);
}
