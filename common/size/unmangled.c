#include "size/unmangled.h"

#include <elf.h>

bool unmangled_is_exported(const struct code_function *function)
{
    for (size_t i = 0; i < function->name_count; i++)
        if (function->names[i]->binding == STB_GLOBAL && function->names[i]->visibility == STV_DEFAULT)
            return true;
    return false;
}

static bool is_called(const struct code_map *map, size_t range, const char *name)
{
    uint32_t function = map->ranges.items[range].function;

    return function < map->functions.count && slice_is(map->functions.items[function].names[0]->name, name);
}

/* The range of the function; the count of ranges where there is none. */
static size_t find_called(const struct code_map *map, const char *name)
{
    size_t at = 0;

    while (at < map->ranges.count && !is_called(map, at, name))
        at++;
    return at;
}

static bool defines(const struct code_map *map, const char *name)
{
    return find_called(map, name) < map->ranges.count;
}

/*
 * The first range that may hold code of the program's own objects. One that has C's main begins with C's
 * startup files; before these linkers put what they sort by how often it runs, of all objects and libraries.
 */
static size_t program_start(const struct code_map *map)
{
    size_t startup = defines(map, "main") ? find_called(map, "_start") : map->ranges.count;

    return startup < map->ranges.count ? startup + 1 : 0;
}

/*
 * Whether the function is sure to be out of the program's own objects, the allocator's calls, which rustc
 * writes for the program, among them. Where crates were merged, that is any function of Rust's.
 */
static bool is_programs(const struct unmangled_program *program, size_t function, struct used used)
{
    struct slice name = program->map->functions.items[function].names[0]->name;

    if (slice_ends_with(name, SLICE("7___rustc12___rust_alloc")))
        return true;
    /* An instance that names alone give to the program may stand anywhere. */
    if (used.crate == program->crate && (program->is_merged || used.source != USED_INFERRED))
        return true;
    return program->is_merged && used.crate != SIZE_NO_CRATE && used.source != USED_FROM_RLIB &&
           !crate_is_never_merged(program->crates->items.items[used.crate].name);
}

/* Past the last range that may. */
static size_t program_end(const struct unmangled_program *program, const struct used *used)
{
    const struct code_map *map = program->map;
    size_t end = 0;

    for (size_t i = 0; i < map->ranges.count; i++) {
        uint32_t function = map->ranges.items[i].function;

        if (function < map->functions.count && is_programs(program, function, used[function]))
            end = i + 1;
    }
    /* The C library, of which nothing is known, stands at once behind merged crates. */
    if (program->is_alone || (program->is_merged && defines(map, "__libc_start_main")))
        return end;
    while (end < map->ranges.count && (map->ranges.items[end].function >= map->functions.count ||
                                       used[map->ranges.items[end].function].crate == SIZE_NO_CRATE))
        end++;
    return end;
}

/* Functions that older C libraries add to each program. */
static bool is_of_c_library(struct slice name)
{
    return slice_is(name, "__libc_csu_init") || slice_is(name, "__libc_csu_fini");
}

/* Gives the program's crate what in these ranges nothing is known of. */
static void give_ranges(const struct unmangled_program *program, size_t start, size_t end, struct used *used)
{
    const struct code_map *map = program->map;

    for (size_t i = start; i < end; i++) {
        uint32_t at = map->ranges.items[i].function;
        const struct code_function *function = NULL;

        if (at >= map->functions.count || used[at].source != USED_UNKNOWN)
            continue;
        function = &map->functions.items[at];
        if (function->names[0]->type != STT_OBJECT && unmangled_is_exported(function) &&
            !is_of_c_library(function->names[0]->name))
            used[at] = (struct used){program->crate, USED_INFERRED};
    }
}

/*
 * Between two functions of the program's own, or before the first, as the code of objects is in one piece.
 * Std's tell nothing: any crate has copies of them.
 */
static void give_between(const struct unmangled_program *program, size_t start, size_t end, struct used *used)
{
    bool is_among_own = !program->is_beside_c;

    for (size_t i = start; i < end; i++) {
        uint32_t at = program->map->ranges.items[i].function;
        bool is_own = false;

        if (at >= program->map->functions.count || used[at].crate == SIZE_NO_CRATE)
            continue;
        is_own = is_programs(program, at, used[at]);
        if (!is_own && program->crates->items.items[used[at].crate].kind == CRATE_KIND_STD)
            continue;
        if (is_own && is_among_own)
            give_ranges(program, start, i, used);
        is_among_own = is_own;
        start = i + 1;
    }
}

void unmangled_find(const struct unmangled_program *program, struct used *used)
{
    size_t start = program_start(program->map);
    size_t end = program_end(program, used);

    if (program->is_alone)
        give_between(program, start, end, used);
    else
        give_ranges(program, start, end, used);
}

void unmangled_give(const struct code_map *map, uint32_t crate, struct used *used)
{
    for (size_t i = 0; i < map->functions.count; i++)
        if (used[i].source == USED_UNKNOWN && unmangled_is_exported(&map->functions.items[i]))
            used[i] = (struct used){crate, USED_INFERRED};
}
