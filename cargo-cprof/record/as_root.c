#include "record/as_root.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/scan.h"
#include "proc/ourselves.h"
#include "proc/owner.h"

/* sudo replaces PATH even where it keeps all else ("secure_path", sudoers(5)). */
#define KEPT_PATH "CARGO_CPROF_PATH"

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
    const char *path = getenv("PATH");
    char **words = NULL;

    if (make_words(&arena, &words, err) < 0)
        return -1;
    if (path)
        setenv(KEPT_PATH, path, 1);
    execvp(words[0], words);
    if (errno != ENOENT)
        return error_set(err, ERROR_IO, "start sudo: %s", strerror(errno));
    error_hint(err, "run cargo cprof as root");
    return error_set(err, ERROR_MISSING, "--root: there is no sudo");
}

int as_root_begin(const struct options *options, struct error *err)
{
    const char *kept = getenv(KEPT_PATH);
    bool is_root = geteuid() == 0;

    if (owner_become_caller(err) < 0)
        return -1;
    if (!options_has(options, "root"))
        return 0;
    if (!is_root)
        return start_sudo(err);
    if (kept) {
        setenv("PATH", kept, 1);
        unsetenv(KEPT_PATH);
    }
    return 0;
}
