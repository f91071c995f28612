#include "record/as_root.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/scan.h"
#include "proc/ourselves.h"
#include "proc/owner.h"

/*
 * Not all of the environment comes through sudo -E: the dynamic linker takes LD_LIBRARY_PATH, TMPDIR and
 * their kin from a set-user-ID program (ld.so(8), "Secure-execution mode"), sudoers(5) PATH ("secure_path")
 * and PYTHONPATH ("env_delete"), and USER is root's. So each variable goes a second time, as the value of one
 * that nobody knows.
 */
#define KEPT "CARGO_CPROF_KEPT_"
enum { KEPT_NAME_BYTES = sizeof(KEPT) + 20 };

static void kept_name(size_t number, char name[static KEPT_NAME_BYTES])
{
    snprintf(name, KEPT_NAME_BYTES, KEPT "%zu", number);
}

static void keep_environment(void)
{
    SCOPED(arena_done) struct arena arena = {0};
    char name[KEPT_NAME_BYTES];
    char **entries = NULL;
    size_t count = 0;

    while (environ && environ[count])
        count++;
    /* setenv moves what environ points to. */
    entries = ARENA_ARRAY(&arena, count + 1, char *);
    for (size_t i = 0; i < count; i++)
        entries[i] = environ[i];
    for (size_t i = 0; i < count; i++) {
        kept_name(i, name);
        setenv(name, entries[i], 1);
    }
}

/* Nothing changes where nothing was kept: root has called, or who has called sudo themselves. */
static void restore_environment(void)
{
    SCOPED(arena_done) struct arena arena = {0};
    char name[KEPT_NAME_BYTES];
    const char **entries = NULL;
    size_t count = 0;

    for (kept_name(count, name); getenv(name); kept_name(count, name))
        count++;
    if (count == 0)
        return;
    entries = ARENA_ARRAY(&arena, count, const char *);
    for (size_t i = 0; i < count; i++) {
        kept_name(i, name);
        entries[i] = arena_copy(&arena, slice_of(getenv(name)));
    }
    clearenv();
    for (size_t i = 0; i < count; i++) {
        struct scan scan = scan_of(slice_of(entries[i]));
        struct slice variable;

        if (scan_until(&scan, '=', &variable) && variable.length > 0)
            setenv(arena_copy(&arena, variable), entries[i] + variable.length + 1, 1);
    }
}

/* sudo, and behind it our own words, which the kernel keeps each with a NUL at its end. */
static int make_words(struct arena *arena, char ***out, struct error *err)
{
    enum { MOST_BYTES = 16 << 20, WORDS_BEFORE = 4 };
    SCOPED(text_done) struct text line = {0};
    struct scan scan;
    struct slice word;
    const char *ourselves = NULL;
    size_t count = WORDS_BEFORE;
    char **words = NULL;

    if (ourselves_find(arena, &ourselves, err) < 0 ||
        file_read("/proc/self/cmdline", MOST_BYTES, &line, err) < 0)
        return -1;
    for (size_t i = 0; i < line.length; i++)
        count += line.data[i] == '\0';
    words = ARENA_ARRAY(arena, count + 1, char *);
    words[0] = arena_copy(arena, SLICE("sudo"));
    words[1] = arena_copy(arena, SLICE("-E"));
    words[2] = arena_copy(arena, SLICE("--"));
    words[3] = arena_copy(arena, slice_of(ourselves));
    count = WORDS_BEFORE;
    scan = scan_of(text_slice(&line));
    if (scan_until(&scan, '\0', &word)) /* what we were called */
        while (scan_until(&scan, '\0', &word))
            words[count++] = arena_copy(arena, word);
    *out = words;
    return 0;
}

static int start_sudo(struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    char **words = NULL;

    if (make_words(&arena, &words, err) < 0)
        return -1;
    keep_environment();
    execvp(words[0], words);
    if (errno != ENOENT)
        return error_set(err, ERROR_IO, "start sudo: %s", strerror(errno));
    error_hint(err, "run cargo cprof as root");
    return error_set(err, ERROR_MISSING, "--root: there is no sudo");
}

int as_root_begin(const struct options *options, struct error *err)
{
    bool is_root = geteuid() == 0;

    if (owner_become_caller(err) < 0)
        return -1;
    if (!options_has(options, "root"))
        return 0;
    if (!is_root)
        return start_sudo(err);
    restore_environment();
    return 0;
}
