#include "build/metadata_rlibs.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/scan.h"
#include "proc/run.h"

/* "rustc 1.86.0 (05f9846f8 2025-03-31)" */
static bool is_before_1_87(struct slice version)
{
    enum { FIRST_MINOR = 87 };
    struct scan scan = scan_of(version);
    uint64_t minor = 0;

    return scan_text(&scan, "rustc 1.") && scan_decimal(&scan, &minor) && minor < FIRST_MINOR;
}

bool metadata_rlibs_are_needed(const struct rustc_unit *unit, char *const *words)
{
    enum { MOST_WORDS = 8, ANSWER_BYTES = 4096 };
    SCOPED(text_done) struct text answer = {0};
    const char *asked[MOST_WORDS + 2] = {0};
    struct process_status status;
    struct error ignored = {0};
    size_t count = 0;

    if (!unit->is_linked || unit->dependency_count == 0)
        return false;
    for (; words[count] && words[count][0] != '-' && words[count][0] != '@' && count < MOST_WORDS; count++)
        asked[count] = words[count];
    asked[count] = "--version";
    return run_capture(&(struct spawn){.argv = asked}, ANSWER_BYTES, &answer, &status, &ignored) == 0 &&
           status.exit_code == 0 && is_before_1_87(text_slice(&answer));
}

/* An archive as ar(5) has it, with one member. */
static int write_archive(const char *path, struct slice metadata, struct error *err)
{
    SCOPED(text_done) struct text archive = {0};

    text_format(&archive, "!<arch>\n%-16s%-12d%-6d%-6d%-8s%-10zu`\n", "lib.rmeta/", 0, 0, 0, "100644",
                metadata.length);
    text_add(&archive, metadata);
    if (metadata.length % 2 != 0)
        text_add_byte(&archive, '\n');
    return file_replace(path, text_slice(&archive), err);
}

static int make_one(const char *metadata_path, const char *rlib_path, struct error *err)
{
    enum { METADATA_BYTES_MAX = 1 << 30 };
    SCOPED(text_done) struct text metadata = {0};

    if (access(rlib_path, F_OK) == 0 && !file_is_older(rlib_path, metadata_path))
        return 0;
    if (file_read(metadata_path, METADATA_BYTES_MAX, &metadata, err) < 0)
        return -1;
    return write_archive(rlib_path, text_slice(&metadata), err);
}

static int make_in(const char *folder, struct error *err)
{
    static const char ending[] = ".rmeta";
    SCOPED(arena_done) struct arena arena = {0};
    DIR *listing = opendir(folder);
    const struct dirent *entry = NULL;
    int result = 0;

    if (!listing)
        return errno == ENOENT ? 0 : error_set(err, ERROR_IO, "open %s: %s", folder, strerror(errno));
    while (result == 0 && (entry = readdir(listing)) != NULL) {
        struct slice name = slice_of(entry->d_name);
        int stem = (int)(name.length - (sizeof(ending) - 1));

        if (slice_starts_with(name, SLICE("lib")) && slice_ends_with(name, slice_of(ending)))
            result = make_one(arena_format(&arena, "%s/%s", folder, entry->d_name),
                              arena_format(&arena, "%s/%.*s.rlib", folder, stem, entry->d_name), err);
    }
    closedir(listing);
    return result;
}

/* "/t/libapp-0123456789abcdef.rlib" of what ends in ".rmeta". */
static const char *rlib_of(struct arena *arena, struct slice metadata)
{
    struct slice stem = slice_range(metadata, 0, slice_find_last_byte(metadata, '.'));

    return arena_format(arena, "%.*s.rlib", SLICE_ARGUMENTS(stem));
}

int metadata_rlibs_make(const struct rustc_unit *unit, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};

    /* Where each unit has its own folder, none is told of those. */
    for (size_t i = 0; i < unit->dependency_count; i++) {
        struct slice given = unit->externs[i]; /* "NAME=PATH" */
        struct slice metadata = slice_range(given, slice_find_byte(given, '=') + 1, given.length);

        if (make_one(arena_copy(&arena, metadata), rlib_of(&arena, metadata), err) < 0)
            return -1;
    }
    for (size_t i = 0; i < unit->folder_count; i++)
        if (make_in(unit->folders[i], err) < 0)
            return -1;
    return 0;
}

const char *const *metadata_rlibs_arguments(const struct rustc_unit *unit, struct arena *arena, size_t *count)
{
    const char **arguments = ARENA_ARRAY(arena, unit->dependency_count, const char *);

    for (size_t i = 0; i < unit->dependency_count; i++)
        arguments[i] = arena_format(arena, "--extern=%s", rlib_of(arena, unit->externs[i]));
    *count = unit->dependency_count;
    return arguments;
}
