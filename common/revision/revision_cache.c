#include "revision/revision_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cache_folder.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/remove.h"
#include "base/text.h"
#include "base/vec.h"
#include "revision/checkout_state.h"
#include "revision/revision_path.h"

enum { UNUSED_SECONDS_MAX = 30 * 24 * 60 * 60 };

static int find_root(struct arena *arena, const char **out, struct error *err)
{
    *out = cache_folder(arena, REVISION_CACHE_FOLDER);
    if (!*out)
        return error_set(err, ERROR_MISSING, "no place to keep revisions in: set HOME or XDG_CACHE_HOME");
    return 0;
}

/*
 * "NAME-HASH" of /home/me/NAME/.git or /srv/NAME.git: folders of two repositories of one name differ. Braces
 * would be a variable of cargo's (cargo/build_directory.h).
 */
static const char *repository_folder(struct arena *arena, const char *root, const char *repository)
{
    struct slice path = slice_of(repository);
    char *name = NULL;

    if (slice_ends_with(path, SLICE("/.git")))
        path.length -= strlen("/.git");
    name = arena_copy(arena, slice_file_name(path));
    for (char *at = name; *at; at++)
        if (*at == '{' || *at == '}')
            *at = '_';
    return arena_format(arena, "%s/%s-%016llx", root, name,
                        (unsigned long long)hash_fnv1a_64(slice_of(repository)));
}

/* --- Locks ----------------------------------------------------------------------------- */

/* The lock of a checkout that nobody holds: a descriptor, 0 when somebody does, -1 with errno. */
static int try_lock(struct arena *arena, const char *folder)
{
    const char *path = arena_format(arena, "%s/lock", folder);
    struct stat opened;
    struct stat named;
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

    if (lock < 0)
        return -1;
    if (flock(lock, LOCK_EX | LOCK_NB) < 0) {
        int cause = errno;

        close(lock);
        errno = cause;
        return cause == EWOULDBLOCK ? 0 : -1;
    }
    /* Somebody may have removed the file, and the folder with it, after we opened it. */
    if (fstat(lock, &opened) < 0 || stat(path, &named) < 0 || opened.st_ino != named.st_ino) {
        close(lock);
        return 0;
    }
    return lock;
}

void revision_slot_release(struct revision_slot *slot)
{
    if (slot->lock > 0)
        close(slot->lock);
    *slot = (struct revision_slot){0};
}

const char *revision_slot_state(struct arena *arena, const struct revision_slot *slot)
{
    return arena_format(arena, "%s/state", slot->folder);
}

const char *revision_slot_tree(struct arena *arena, const struct revision_slot *slot)
{
    return arena_format(arena, "%s/tree", slot->folder);
}

const char *revision_slot_git(struct arena *arena, const struct revision_slot *slot)
{
    return arena_format(arena, "%s/git", slot->folder);
}

const char *revision_slot_target(struct arena *arena, const struct revision_slot *slot)
{
    return arena_format(arena, "%s/target", slot->folder);
}

/* When the checkout was last taken; 0 when that is not known. */
static time_t last_use(struct arena *arena, const char *folder)
{
    struct stat about;

    return stat(arena_format(arena, "%s/lock", folder), &about) < 0 ? 0 : about.st_mtim.tv_sec;
}

/* --- Removing -------------------------------------------------------------------------- */

/* Calls `each` with the path of everything in the folder, which may not be there. */
static void each_entry(const char *folder, void (*each)(void *context, const char *path), void *context)
{
    SCOPED(folder_close) DIR *entries = opendir(folder);
    const struct dirent *entry = NULL;
    SCOPED(text_done) struct text path = {0};

    while (entries && (entry = readdir(entries)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        text_clear(&path);
        text_format(&path, "%s/%s", folder, entry->d_name);
        each(context, text_string(&path));
    }
}

/* Which checkouts to remove, and what became of it. */
struct removal {
    struct revision_clean result;
    time_t unused_since; /* those last used before it; 0: all */
    struct error err;    /* of the first that failed */
};

static void remove_slot(void *context, const char *folder)
{
    struct removal *removal = context;
    SCOPED(arena_done) struct arena arena = {0};
    struct error err = {0};
    int lock = 0;

    if (removal->unused_since && last_use(&arena, folder) >= removal->unused_since)
        return;
    lock = try_lock(&arena, folder);
    if (lock == 0) {
        removal->result.in_use++;
        return;
    }
    if (remove_all(folder, &removal->result.bytes, &err) == 0)
        removal->result.removed++;
    else if (removal->err.kind == ERROR_NONE)
        removal->err = err;
    if (lock > 0)
        close(lock);
}

static void remove_repository(void *context, const char *folder)
{
    each_entry(folder, remove_slot, context);
    /* Stays while it holds what is in use. */
    rmdir(folder);
}

int revision_cache_clean(struct revision_clean *out, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct removal removal = {0};
    const char *root = NULL;

    if (find_root(&arena, &root, err) < 0)
        return -1;
    each_entry(root, remove_repository, &removal);
    *out = removal.result;
    if (removal.err.kind != ERROR_NONE)
        *err = removal.err;
    return removal.err.kind != ERROR_NONE ? -1 : 0;
}

/* --- Taking ---------------------------------------------------------------------------- */

/* How well a checkout serves; higher is better. */
enum fitness { FIT_OTHER, FIT_NEW, FIT_NAME, FIT_COMMIT };

struct candidate {
    struct revision_slot slot;
    enum fitness fitness;
    time_t last_use;
};

static bool is_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static enum fitness fitness_of(struct arena *arena, const struct revision_slot *slot, const char *commit,
                               const char *name)
{
    struct checkout_state state;
    enum fitness fitness = FIT_OTHER;

    checkout_state_read(arena, revision_slot_state(arena, slot), &state);
    if (is_same(checkout_state_commit(&state), commit))
        fitness = FIT_COMMIT;
    else if (is_same(state.name, name))
        fitness = FIT_NAME;
    else if (!checkout_state_commit(&state))
        fitness = FIT_NEW;
    checkout_state_done(&state);
    return fitness;
}

static bool is_better(const struct candidate *a, const struct candidate *b)
{
    if (b->slot.lock <= 0 || a->fitness != b->fitness)
        return b->slot.lock <= 0 || a->fitness > b->fitness;
    return a->fitness == FIT_OTHER && a->last_use < b->last_use;
}

/* Looks at one checkout and keeps it when it is the best so far. */
static int consider(struct arena *arena, const char *folder, const char *const wanted[2],
                    struct candidate *best, struct error *err)
{
    struct candidate candidate = {.slot = {.folder = folder}, .last_use = last_use(arena, folder)};

    /* A second time: another run may have just removed the empty folder above. */
    for (int times = 0; folder_make(folder, err) < 0; times++)
        if (times > 0)
            return -1;
    candidate.slot.lock = try_lock(arena, folder);
    if (candidate.slot.lock < 0 && errno != ENOENT)
        return error_set(err, ERROR_IO, "lock %s: %s", folder, strerror(errno));
    if (candidate.slot.lock <= 0)
        return 0;
    candidate.fitness = fitness_of(arena, &candidate.slot, wanted[0], wanted[1]);
    if (is_better(&candidate, best)) {
        struct revision_slot former = best->slot;

        *best = candidate;
        revision_slot_release(&former);
    } else {
        revision_slot_release(&candidate.slot);
    }
    return 0;
}

/* Whether checkout number `i` should be made, if it is not there: disks have an end. */
static bool needs_new(const struct candidate *best, int i)
{
    enum { SLOTS_USUAL = 4 };

    return best->slot.lock <= 0 || (best->fitness == FIT_OTHER && i < SLOTS_USUAL);
}

int revision_cache_take(struct arena *arena, const char *repository, const char *commit, const char *name,
                        struct revision_slot *out, struct error *err)
{
    struct removal old = {.unused_since = time(NULL) - UNUSED_SECONDS_MAX};
    const char *const wanted[2] = {commit, name};
    struct candidate best = {0};
    const char *root = NULL;
    const char *folder = NULL;

    if (find_root(arena, &root, err) < 0)
        return -1;
    each_entry(root, remove_repository, &old);
    folder = repository_folder(arena, root, repository);
    /* Later ones are made when all before them serve something else. */
    for (int i = 0; i < REVISION_SLOTS_MAX && best.fitness < FIT_COMMIT; i++) {
        const char *path = arena_format(arena, "%s/%d", folder, i);

        if (access(path, F_OK) < 0 && !needs_new(&best, i))
            continue;
        if (consider(arena, path, wanted, &best, err) < 0) {
            revision_slot_release(&best.slot);
            error_hint(err, CACHE_FOLDER_HINT);
            return -1;
        }
    }
    if (best.slot.lock <= 0) {
        error_hint(err, "wait until one of them is done");
        return error_set(err, ERROR_IO, "all %d checkouts in %s are in use by other runs", REVISION_SLOTS_MAX,
                         folder);
    }
    futimens(best.slot.lock, NULL);
    *out = best.slot;
    return 0;
}
