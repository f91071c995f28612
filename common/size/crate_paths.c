#include "size/crate_paths.h"

#include "elf/archive.h"
#include "rust/demangle.h"
#include "rust/symbol_path.h"

/* Cuts the last part off; false when the crate alone would be left, which tells no version. */
static bool take_outer(struct slice *path)
{
    size_t end = path->length;

    while (end >= 2 && (path->data[end - 1] != ':' || path->data[end - 2] != ':'))
        end--;
    if (end < 2)
        return false;
    *path = slice_range(*path, 0, end - 2);
    return slice_has(*path, SLICE("::"));
}

static void note(struct crate_paths *paths, struct slice path, uint32_t crate)
{
    uint32_t id = intern_add(&paths->paths, path);

    if (id == paths->of_path.count)
        *vec_add(&paths->of_path) = crate;
    if (paths->of_path.items[id] != crate)
        paths->of_path.items[id] = SIZE_NO_CRATE;
}

/* The module of the function, in the scratch; false when it is the crate's root or not told. */
static bool find_module(struct crate_paths *paths, struct symbol *symbol, struct slice *out)
{
    text_clear(&paths->path);
    symbol_add_module(&paths->path, symbol);
    *out = text_slice(&paths->path);
    return slice_has(*out, SLICE("::"));
}

void crate_paths_add(struct crate_paths *paths, struct symbol *symbol, uint32_t crate)
{
    struct slice path;

    if (symbol->kind != SYMBOL_RUST_LEGACY)
        return;
    text_clear(&paths->path);
    demangle_add(&paths->path, symbol, DEMANGLE_SHORT);
    note(paths, text_slice(&paths->path), crate);
    if (!find_module(paths, symbol, &path))
        return;
    do
        note(paths, path, crate);
    while (take_outer(&path));
}

void crate_paths_read(struct crate_paths *paths, const char *rlib, uint32_t crate)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    struct archive archive;
    struct error ignored = {0};

    if (archive_open(rlib, &archive, &ignored) < 0)
        return;
    for (size_t i = 0; i < archive.symbols.count; i++) {
        symbol_parse(&symbol, archive.symbols.items[i].name);
        crate_paths_add(paths, &symbol, crate);
    }
    archive_close(&archive);
}

uint32_t crate_paths_find(struct crate_paths *paths, struct symbol *symbol)
{
    struct slice path;

    if (symbol->kind != SYMBOL_RUST_LEGACY || !find_module(paths, symbol, &path))
        return SIZE_NO_CRATE;
    do {
        uint32_t id = intern_find(&paths->paths, path);

        if (id != INTERN_NONE)
            return paths->of_path.items[id];
    } while (take_outer(&path));
    return SIZE_NO_CRATE;
}

void crate_paths_done(struct crate_paths *paths)
{
    intern_done(&paths->paths);
    vec_done(&paths->of_path);
    text_done(&paths->path);
}
