#include "dwarf/find_package.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

/* One after the other is tried, the first that has a unit of the program's is taken. */
struct search {
    const struct file_place *program;
    struct units *units;
    enum debug_extent extent;
    struct package *found; /* NULL: none yet */
    bool is_proved;        /* that one is the program's */
    bool is_beside;        /* what is tried stands beside the program: there it tells if something is wrong */
    struct error problem;  /* of the first that could not be opened */
};

static bool is_split(const struct unit *unit)
{
    return unit->split_name.length > 0;
}

static bool has_unit(const struct package *package, const struct units *units)
{
    struct debug_sections sections;

    for (size_t i = 0; i < units->items.count; i++)
        if (is_split(&units->items.items[i]) &&
            package_find(package, units->items.items[i].split_id, &sections))
            return true;
    return false;
}

static void drop(struct package *package)
{
    if (package)
        package_close(package);
    free(package);
}

static void try_file(struct search *search, const char *path)
{
    struct package *package = NULL;
    struct error err = {0};

    if (access(path, F_OK) != 0)
        return;
    package = memory_new(1, sizeof(*package));
    if (package_open(path, search->extent, package, &err) < 0) {
        if (search->is_beside && search->problem.kind == ERROR_NONE)
            search->problem = err;
        free(package);
        return;
    }
    search->is_proved = has_unit(package, search->units);
    if (!search->is_proved && (search->found || !search->is_beside)) {
        drop(package);
        return;
    }
    drop(search->found);
    search->found = package;
}

static void try_beside(struct search *search, const char *name)
{
    SCOPED(text_done) struct text path = {0};
    SCOPED(memory_free_at) char *real = NULL;

    text_format(&path, "%s.dwp", name);
    try_file(search, text_string(&path));
    /* Links of another system lead elsewhere for us; who runs a program tells where they led. */
    real = search->is_proved || search->program->root_length > 0 ? NULL : realpath(name, NULL);
    if (!real || slice_is(slice_of(name), real))
        return;
    text_clear(&path);
    text_format(&path, "%s.dwp", real);
    try_file(search, text_string(&path));
}

/*
 * ".../deps/app-1a2b3c.dwp" of ".../deps/app-1a2b3c.app.4d5e-cgu.0.rcgu.dwo": the files of a program begin
 * with the name that cargo gives it.
 */
static void add_made_of(struct units *units, uint32_t id, struct text *path)
{
    const struct unit *unit = &units->items.items[id];
    struct slice file = slice_file_name(unit->split_name);
    struct slice folder = slice_range(unit->split_name, 0, unit->split_name.length - file.length);

    if (!slice_starts_with(folder, SLICE("/"))) {
        units_read_names(units, id);
        text_add(path, unit->directory);
        text_add_byte(path, '/');
    }
    text_add(path, folder);
    text_add(path, slice_range(file, 0, slice_find_byte(file, '.')));
    text_add_string(path, ".dwp");
}

/* A path of another system than ours. */
static void try_below(struct search *search, struct slice root, struct slice path)
{
    SCOPED(text_done) struct text below = {0};

    if (root.length == 0 || !slice_starts_with(path, SLICE("/")))
        return;
    text_add(&below, root);
    text_add(&below, path);
    try_file(search, text_string(&below));
}

/* Of a program of many crates each has units, of which one has the name of the package. */
static void try_where_built(struct search *search)
{
    enum { MOST_TRIES = 4096 };
    SCOPED(text_done) struct text path = {0};
    SCOPED(text_done) struct text last = {0};
    struct slice root = file_place_root(search->program);
    size_t tries = 0;

    for (uint32_t i = 0; i < search->units->items.count && tries < MOST_TRIES && !search->is_proved; i++) {
        if (!is_split(&search->units->items.items[i]))
            continue;
        text_clear(&path);
        add_made_of(search->units, i, &path);
        if (slice_equal(text_slice(&path), text_slice(&last)))
            continue;
        try_below(search, root, text_slice(&path));
        if (!search->is_proved)
            try_file(search, text_string(&path));
        text_clear(&last);
        text_add(&last, text_slice(&path));
        tries++;
    }
}

struct package *find_package(const struct file_place *program, struct units *units, enum debug_extent extent,
                             struct error *err)
{
    struct search search = {.program = program, .units = units, .extent = extent, .is_beside = true};

    try_beside(&search, program->place);
    if (!search.is_proved && strcmp(program->place, program->name) != 0)
        try_beside(&search, program->name);
    search.is_beside = false;
    if (!search.is_proved)
        try_where_built(&search);
    if (!search.found)
        *err = search.problem;
    return search.found;
}
