#include "sizes/std_in_code.h"

#include "base/folder.h"
#include "cargo/unit_folder.h"
#include "rust/std_crates.h"
#include "size/std_copies.h"

/* "memchr" of "libmemchr-0123456789abcdef.rlib"; empty for others. */
static struct slice library_crate(struct slice file)
{
    size_t end = slice_find_last_byte(file, '-');

    if (!slice_starts_with(file, SLICE("lib")) || !slice_ends_with(file, SLICE(".rlib")) ||
        end == file.length)
        return (struct slice){0};
    return slice_range(file, 3, end);
}

/* Libraries that std has, too. */
struct libraries {
    struct arena arena;
    struct std_copies *std;
};

static void see_folder(void *context, const char *path)
{
    struct libraries *libraries = context;
    SCOPED(folder_close) DIR *folder = opendir(path);

    if (!folder)
        return;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        struct slice crate = library_crate(slice_of(entry->d_name));

        if (std_crates_depend_on(crate))
            std_copies_see_library(libraries->std,
                                   arena_format(&libraries->arena, "%s/%s", path, entry->d_name), crate);
    }
}

/* The folder of the profile: programs are in it, examples in a folder below, and units in theirs. */
static struct slice profile_of(struct slice file)
{
    size_t end = slice_find_last_byte(file, '/');
    struct slice folder = end < file.length ? slice_range(file, 0, end) : SLICE(".");
    struct slice own = cargo_unit_folder(folder);

    if (own.length > 0 && own.length < folder.length)
        return slice_range(folder, 0, folder.length - own.length - 1);
    return slice_is(slice_file_name(folder), "examples") ? slice_folder(folder) : folder;
}

static void see_libraries(const char *file, struct std_copies *std)
{
    struct libraries libraries = {.std = std};

    cargo_unit_folders_visit(profile_of(slice_of(file)), see_folder, &libraries);
    arena_done(&libraries.arena);
}

void std_in_code_find(const struct code_sizes *code, struct crate_match *match)
{
    SCOPED(std_copies_done) struct std_copies std = {0};
    SCOPED(symbol_done) struct symbol symbol = {0};

    for (size_t i = 0; i < code->functions.count; i++) {
        symbol_parse(&symbol, code->functions.items[i].symbol);
        std_copies_see(&std, &symbol);
    }
    for (size_t i = 0; i < code->paths.count; i++)
        see_libraries(code->paths.items[i], &std);
    for (size_t i = 0; i < match->crates[CRATE_BUILT].items.count; i++) {
        const struct matched_crate *built = &match->crates[CRATE_BUILT].items.items[i];
        struct symbol_crate crate = {built->name, built->disambiguator};
        bool is_sure = false;

        if (std_crates_depend_on(crate.name) &&
            std_copies_kind(&std, crate, true, &is_sure) == CRATE_KIND_STD && is_sure)
            crate_match_set_std(match, crate);
    }
}
