#include "cargo/unit_notes.h"

#include <limits.h>
#include <stdlib.h>

#include "base/folder.h"
#include "cargo/unit_folder.h"
#include "rust/crate_name.h"

static struct slice without_ending(struct slice file)
{
    return slice_range(file, 0, slice_find_byte(file, '.'));
}

/* "app" and "0123456789abcdef" of "app-0123456789abcdef", also of "app-0123456789abcdef.ll". */
static bool split_name(struct slice file, struct slice *stem, struct slice *hash)
{
    size_t dash = 0;

    file = without_ending(file);
    dash = slice_find_last_byte(file, '-');
    *stem = slice_range(file, 0, dash);
    *hash = slice_range(file, dash + 1, file.length);
    return stem->length > 0 && slice_is_hash(*hash);
}

/* Integration tests and benchmarks are always built to be tested; other targets are then unit tests. */
static bool read_note(struct arena *arena, struct slice note, struct slice stem, struct cargo_unit *out)
{
    static const struct {
        struct slice start;
        enum cargo_kind kind;
    } kinds[] = {{SLICE("integration-test-"), CARGO_TEST},
                 {SLICE("bench-"), CARGO_BENCH},
                 {SLICE("example-"), CARGO_EXAMPLE},
                 {SLICE("bin-"), CARGO_BIN},
                 {SLICE("lib-"), CARGO_LIB}};
    bool is_test = slice_skip(&note, SLICE("test-"));

    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
        struct slice name = note;
        enum cargo_kind kind = kinds[i].kind;

        if (!slice_skip(&name, kinds[i].start) || !crate_name_is(stem, name))
            continue;
        *out = (struct cargo_unit){kind, arena_copy(arena, name),
                                   is_test && kind != CARGO_TEST && kind != CARGO_BENCH};
        return true;
    }
    return false;
}

static bool read_folder(struct arena *arena, const char *path, struct slice stem, struct cargo_unit *out)
{
    SCOPED(folder_close) DIR *folder = opendir(path);
    const struct dirent *entry = NULL;

    while (folder && (entry = readdir(folder)))
        if (read_note(arena, slice_of(entry->d_name), stem, out))
            return true;
    return false;
}

bool cargo_unit_find(struct arena *arena, const char *path, struct cargo_unit *out)
{
    char resolved[PATH_MAX];
    struct slice file;
    struct slice stem = {0};
    struct slice hash = {0};
    bool has_hash = false;
    SCOPED(text_done) struct text own = {0};
    const char *notes = NULL;
    const struct dirent *entry = NULL;

    if (!realpath(path, resolved))
        return false;
    file = slice_file_name(slice_of(resolved));
    has_hash = split_name(file, &stem, &hash);
    if (cargo_unit_own_notes(slice_of(resolved), &own))
        return read_folder(arena, text_string(&own), has_hash ? stem : without_ending(file), out);
    if (!has_hash)
        return false;
    notes = arena_format(arena, "%.*s/.fingerprint",
                         SLICE_ARGUMENTS(slice_folder(slice_folder(slice_of(resolved)))));

    SCOPED(folder_close) DIR *folder = opendir(notes);

    while (folder && (entry = readdir(folder)))
        if (slice_ends_with(slice_of(entry->d_name), hash) &&
            read_folder(arena, arena_format(arena, "%s/%s", notes, entry->d_name), stem, out))
            return true;
    return false;
}
