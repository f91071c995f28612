#include "base/replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/ending_signals.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/sudo.h"

struct replacement {
    const char *path;      /* borrowed; as it was named */
    struct text target;    /* what that leads to */
    struct text temporary; /* beside it; empty: there is none, or none any more */
    int descriptor;
    bool holds_signals;
    sigset_t before; /* signals that were blocked, when it holds others */
};

int replacement_follow_links(struct text *path)
{
    enum { MOST_LINKS = 40 }; /* as the kernel, path_resolution(7) */

    for (int links = 0; links < MOST_LINKS; links++) {
        char target[PATH_MAX];
        ssize_t length = readlink(text_string(path), target, sizeof(target));

        if (length < 0)
            return errno == EINVAL || errno == ENOENT ? 0 : errno;
        if (length == sizeof(target))
            return ENAMETOOLONG;
        /* A relative target starts at the link's folder. */
        if (target[0] == '/' || slice_find_last_byte(text_slice(path), '/') == path->length)
            text_clear(path);
        else
            path->length = slice_find_last_byte(text_slice(path), '/') + 1;
        text_add(path, (struct slice){target, (size_t)length});
    }
    return ELOOP;
}

/* Those that end programs wait: what is half written would stay. */
static void hold_signals(struct replacement *replacement)
{
    sigset_t held;

    sigemptyset(&held);
    ending_signals_add(&held);
    replacement->holds_signals = pthread_sigmask(SIG_BLOCK, &held, &replacement->before) == 0;
}

/* For mkostemp(3). A name that is as long as names may be has no room for an ending: its beginning has to do.
 */
static void name_temporary(struct replacement *replacement)
{
    enum { MOST_KEPT_BYTES = 100 };
    struct slice target = text_slice(&replacement->target);
    struct slice name = slice_file_name(target);
    size_t kept = name.length < MOST_KEPT_BYTES ? name.length : MOST_KEPT_BYTES;

    /* No character of UTF-8 is taken apart. */
    while (kept > 0 && kept < name.length && ((unsigned char)name.data[kept] & 0xc0) == 0x80)
        kept--;
    text_add(&replacement->temporary, slice_range(target, 0, target.length - name.length + kept));
    text_add_string(&replacement->temporary, ".XXXXXX");
    text_string(&replacement->temporary);
}

/*
 * Opens what is no regular file. A pipe whose reader has not come yet is waited for, as open(2) does, but no
 * longer than until a signal comes: of those that are caught, open(2) would go on.
 */
static int open_other(struct replacement *replacement, bool is_pipe)
{
    static const struct timespec between = {.tv_nsec = 20000000};

    for (;;) {
        int flags = O_WRONLY | O_CLOEXEC | (is_pipe ? O_NONBLOCK : 0);

        replacement->descriptor = open(replacement->path, flags);
        if (replacement->descriptor >= 0)
            return is_pipe && fcntl(replacement->descriptor, F_SETFL, 0) < 0 ? errno : 0;
        if (errno != ENXIO || !is_pipe || nanosleep(&between, NULL) < 0)
            return errno;
    }
}

/* 0 or the errno of the step that failed. */
static int open_file(struct replacement *replacement)
{
    struct stat old;
    int cause = 0;

    if (stat(replacement->path, &old) == 0 && !S_ISREG(old.st_mode))
        return open_other(replacement, S_ISFIFO(old.st_mode));
    text_add_string(&replacement->target, replacement->path);
    cause = replacement_follow_links(&replacement->target);
    if (cause)
        return cause;
    name_temporary(replacement);
    hold_signals(replacement);
    replacement->descriptor = mkostemp(replacement->temporary.data, O_CLOEXEC);
    if (replacement->descriptor >= 0)
        return 0;
    cause = errno;
    text_clear(&replacement->temporary);
    return cause;
}

static int fail(const struct replacement *replacement, int cause, struct error *err)
{
    return error_set(err, ERROR_IO, "write %s: %s", replacement->path,
                     cause == EINTR ? "ended by a signal while nobody read it" : strerror(cause));
}

int replacement_open(const char *path, struct replacement **out, struct error *err)
{
    struct replacement *replacement = memory_new(1, sizeof(*replacement));
    int cause = 0;

    *replacement = (struct replacement){.path = path, .descriptor = -1};
    cause = open_file(replacement);
    if (cause) {
        fail(replacement, cause, err);
        replacement_discard(&replacement);
        return -1;
    }
    *out = replacement;
    return 0;
}

int replacement_add(struct replacement *replacement, struct slice bytes, struct error *err)
{
    int cause = file_write(replacement->descriptor, bytes);

    return cause ? fail(replacement, cause, err) : 0;
}

/* sink_write */
static int add_to_replacement(void *context, struct slice bytes, struct error *err)
{
    return replacement_add(context, bytes, err);
}

struct sink sink_of_replacement(struct replacement *replacement)
{
    return (struct sink){add_to_replacement, replacement};
}

/* The mode a new file gets: what open(2) would give it. */
static mode_t default_mode(void)
{
    mode_t mask = umask(0);

    umask(mask);
    return 0666 & ~mask;
}

/*
 * Under sudo a new file is the caller's, where that one may make files: what root keeps in folders of its own
 * is root's. The group of a folder that gives its own to what is in it stays.
 */
static void give_to_caller(const struct replacement *replacement)
{
    SCOPED(text_done) struct text folder = {0};
    struct stat about;
    uint32_t user = 0;
    uint32_t group = 0;

    if (!sudo_has_called() || !sudo_read_caller(&user, &group))
        return;
    text_add(&folder, slice_range(text_slice(&replacement->target), 0,
                                  replacement->target.length -
                                      slice_file_name(text_slice(&replacement->target)).length));
    text_add_string(&folder, ".");
    if (stat(text_string(&folder), &about) == 0 && (about.st_uid == user || (about.st_mode & S_IWOTH)))
        (void)!fchown(replacement->descriptor, user, about.st_mode & S_ISGID ? (gid_t)-1 : group);
}

/* As writing to the old file would have it: its owner may be another where we are root, its group one of
 * ours. Where we may not give it away, the file is ours. Folders that machines share often have modes and
 * owners of their own for all that is in them, and refuse to change them: that is no reason to lose it. */
static void keep_owner_and_mode(const struct replacement *replacement)
{
    struct stat old;
    mode_t mode = default_mode();

    if (stat(replacement->path, &old) == 0) {
        (void)!fchown(replacement->descriptor, old.st_uid, old.st_gid);
        mode = old.st_mode & 0777;
    } else {
        give_to_caller(replacement);
    }
    (void)!fchmod(replacement->descriptor, mode);
}

int replacement_commit(struct replacement *replacement, enum durability durability, struct error *err)
{
    if (replacement->temporary.length == 0)
        return 0;
    keep_owner_and_mode(replacement);
    if ((durability == LASTING && fsync(replacement->descriptor) < 0) ||
        rename(text_string(&replacement->temporary), text_string(&replacement->target)) < 0)
        return fail(replacement, errno, err);
    text_clear(&replacement->temporary);
    return 0;
}

void replacement_discard(struct replacement **replacement)
{
    struct replacement *of = *replacement;

    if (!of)
        return;
    file_close_descriptor(&of->descriptor);
    if (of->temporary.length > 0)
        unlink(text_string(&of->temporary));
    if (of->holds_signals)
        pthread_sigmask(SIG_SETMASK, &of->before, NULL);
    text_done(&of->target);
    text_done(&of->temporary);
    free(of);
    *replacement = NULL;
}
