#include "dwarf/crate_folders.h"

#include "base/compiler.h"
#include "dwarf/source_path.h"

static void note(struct crates_by_path *known, struct slice path, uint32_t crate)
{
    uint32_t id = intern_add(&known->paths, path);

    if (id == known->crates.count)
        *vec_add(&known->crates) = crate;
    if (known->crates.items[id] != crate)
        known->crates.items[id] = CRATE_FOLDERS_NONE;
}

/* Where cargo looks for root files in a package (Cargo Book, "Package Layout"). */
static struct slice package_of(struct slice folder)
{
    static const struct slice layout[] = {SLICE("/src/bin"), SLICE("/src"), SLICE("/tests"),
                                          SLICE("/examples"), SLICE("/benches")};

    for (size_t i = 0; i < ARRAY_COUNT(layout); i++)
        if (slice_ends_with(folder, layout[i]))
            return slice_range(folder, 0, folder.length - layout[i].length);
    return folder;
}

static bool is_library_root(struct slice root)
{
    return slice_ends_with(root, SLICE("/src/lib.rs"));
}

void crate_folders_add(struct crate_folders *folders, const struct unit *unit, uint32_t crate)
{
    struct slice root;
    struct slice folder;
    enum source_kind kind;

    if (unit_codegen_unit(unit).length == 0)
        return;
    text_clear(&folders->path);
    unit_add_root_path(unit, &folders->path);
    root = text_slice(&folders->path);
    folder = slice_folder(root);
    kind = source_path_origin(root).kind;
    if (folder.length == 0 || (kind != SOURCE_LOCAL && kind != SOURCE_GIT))
        return;
    note(&folders->sources, root, crate);
    note(&folders->sources, folder, crate);
    note(is_library_root(root) ? &folders->libraries : &folders->packages, package_of(folder), crate);
}

/* Below a folder that is called "src" there is another package's source, if there is none of its own. */
static bool is_source_folder(struct slice path)
{
    return slice_is(slice_file_name(path), "src");
}

uint32_t crate_folders_of_rust(const struct crate_folders *folders, struct slice path)
{
    for (; path.length > 0; path = slice_folder(path)) {
        uint32_t id = intern_find(&folders->sources.paths, path);

        if (id != INTERN_NONE)
            return folders->sources.crates.items[id];
        if (is_source_folder(path))
            break;
    }
    return CRATE_FOLDERS_NONE;
}

uint32_t crate_folders_of_foreign(const struct crate_folders *folders, struct slice path,
                                  struct slice directory)
{
    for (path = slice_folder(path); path.length > 0; path = slice_folder(path)) {
        const struct crates_by_path *known = &folders->libraries;
        uint32_t id = intern_find(&known->paths, path);

        if (id == INTERN_NONE) {
            known = &folders->packages;
            id = intern_find(&known->paths, path);
        }
        if (id != INTERN_NONE)
            return source_path_is_below(directory, path) ? CRATE_FOLDERS_NONE : known->crates.items[id];
    }
    return CRATE_FOLDERS_NONE;
}

void crate_folders_done(struct crate_folders *folders)
{
    intern_done(&folders->sources.paths);
    vec_done(&folders->sources.crates);
    intern_done(&folders->libraries.paths);
    vec_done(&folders->libraries.crates);
    intern_done(&folders->packages.paths);
    vec_done(&folders->packages.crates);
    text_done(&folders->path);
}
