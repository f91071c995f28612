#include "size/code_map.h"

#include <elf.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"
#include "size/padding.h"

/* A sized function that the sweep is inside of. */
struct open_function {
    uint64_t end; /* offset in the section */
    uint32_t function;
};

/* The sweep over one section; offsets count from its start. */
struct sweep {
    struct code_map *map;
    const struct section *section;
    struct slice bytes; /* empty where padding is not told */
    struct padding_style style;
    bool labels_own; /* whether symbols without a size own gaps */
    uint64_t at;     /* everything before it is in the map */
    uint32_t label;  /* the function without a size that owns the gap from `at` on, or CODE_UNNAMED */
    VEC(struct open_function) open; /* outermost first; an expired one may be below a live one */
};

/* The last range, when it is of the same owner and ends where the sweep stands; else NULL. */
static struct code_range *continued_range(const struct sweep *sweep, uint32_t function)
{
    const struct code_map *map = sweep->map;
    struct code_range *last = map->ranges.count > 0 ? &map->ranges.items[map->ranges.count - 1] : NULL;

    return last && sweep->at > 0 && last->function == function ? last : NULL;
}

/* Gives everything from where the sweep stands up to `end` to `function`. */
static void add_range(struct sweep *sweep, uint64_t end, uint32_t function)
{
    struct code_map *map = sweep->map;
    struct code_range *continued = continued_range(sweep, function);
    uint64_t size = end - sweep->at;

    if (size == 0)
        return;
    if (continued)
        continued->size_bytes += size;
    else
        *vec_add(&map->ranges) = (struct code_range){
            .svma = sweep->section->svma + sweep->at,
            .size_bytes = size,
            .section = sweep->section->index,
            .function = function,
        };
    if (function == CODE_PADDING)
        map->padding_bytes += size;
    else if (function == CODE_UNNAMED)
        map->unnamed_bytes += size;
    else
        map->functions.items[function].size_bytes += size;
    sweep->at = end;
}

/* Bytes up to `end` that no sized function covers. */
static void add_gap(struct sweep *sweep, uint64_t end)
{
    struct slice gap = slice_range(sweep->bytes, sweep->at, end);
    struct padding_split split;
    uint64_t start = sweep->at;

    if (gap.length == 0) {
        add_range(sweep, end, sweep->label);
        return;
    }
    split = padding_split(&sweep->style, gap, sweep->section->svma + sweep->at);
    /* A label's code starts at the label, whatever its first instruction is. */
    if (sweep->label == CODE_UNNAMED || split.content_start == gap.length)
        add_range(sweep, start + split.content_start, CODE_PADDING);
    add_range(sweep, start + split.content_end, sweep->label);
    add_range(sweep, end, CODE_PADDING);
}

/* Leaves the functions that end here, so that the innermost one that goes on is the last. */
static void leave_ended(struct sweep *sweep)
{
    while (sweep->open.count > 0 && sweep->open.items[sweep->open.count - 1].end <= sweep->at)
        sweep->open.count--;
}

/* Assigns everything up to `end`, where the next symbol stands or the section ends. */
static void advance(struct sweep *sweep, uint64_t end)
{
    leave_ended(sweep);
    while (sweep->open.count > 0 && sweep->at < end) {
        const struct open_function *inner = &sweep->open.items[sweep->open.count - 1];

        add_range(sweep, inner->end < end ? inner->end : end, inner->function);
        leave_ended(sweep);
    }
    if (sweep->at < end)
        add_gap(sweep, end);
}

/* A function or label starts at `offset`; `size_bytes` is 0 for a label. */
static void enter(struct sweep *sweep, uint64_t offset, uint64_t size_bytes, uint32_t function)
{
    uint64_t room = sweep->section->file_bytes - offset;

    advance(sweep, offset);
    if (size_bytes == 0) {
        sweep->label = sweep->labels_own && sweep->open.count == 0 ? function : CODE_UNNAMED;
        return;
    }
    sweep->label = CODE_UNNAMED;
    *vec_add(&sweep->open) =
        (struct open_function){offset + (size_bytes < room ? size_bytes : room), function};
}

/* Marks that tell code from data (ARM "$a", "$d.1", RISC-V "$xrv64i") and assemblers' own labels. */
static bool is_mapping_symbol(const struct elf_symbol *symbol)
{
    return slice_starts_with(symbol->name, SLICE("$")) || slice_starts_with(symbol->name, SLICE(".L"));
}

static bool names_bytes(const struct elf_symbol *symbol)
{
    switch (symbol->type) {
    case STT_FUNC:
    case STT_GNU_IFUNC:
        return symbol->name.length > 0;
    case STT_OBJECT:
        return symbol->name.length > 0 && symbol->size_bytes > 0;
    case STT_NOTYPE:
        return symbol->name.length > 0 && !is_mapping_symbol(symbol);
    default:
        return false;
    }
}

static size_t leading_underscores(struct slice name)
{
    size_t count = 0;

    while (count < name.length && name.data[count] == '_')
        count++;
    return count;
}

/*
 * Which of two names at one address is shown: a sized function's before a label's, one that other
 * files see, the plainer ("open" before "__libc_open"), the shorter, the first in the alphabet.
 */
static int compare_names(const void *left, const void *right)
{
    const struct elf_symbol *a = *(const struct elf_symbol *const *)left;
    const struct elf_symbol *b = *(const struct elf_symbol *const *)right;
    size_t a_underscores = leading_underscores(a->name);
    size_t b_underscores = leading_underscores(b->name);
    size_t a_length = symbols_without_version(a->name).length;
    size_t b_length = symbols_without_version(b->name).length;

    if ((a->size_bytes > 0) != (b->size_bytes > 0))
        return a->size_bytes > 0 ? -1 : 1;
    if ((a->type == STT_NOTYPE) != (b->type == STT_NOTYPE))
        return a->type == STT_NOTYPE ? 1 : -1;
    if ((a->binding == STB_LOCAL) != (b->binding == STB_LOCAL))
        return a->binding == STB_LOCAL ? 1 : -1;
    if (a_underscores != b_underscores)
        return a_underscores < b_underscores ? -1 : 1;
    if (a_length != b_length)
        return a_length < b_length ? -1 : 1;
    return slice_compare(a->name, b->name);
}

/* Makes one function of the symbols at one address; they are the `count` last of the map's names. */
static uint32_t add_function(struct code_map *map, const struct elf_symbol **names, size_t count)
{
    qsort(names, count, sizeof(void *), compare_names);
    *vec_add(&map->functions) = (struct code_function){.names = names, .name_count = count};
    return (uint32_t)(map->functions.count - 1);
}

/* The first symbol of the section, or the end when there is none. */
static size_t first_symbol(const struct symbols *symbols, uint32_t section)
{
    return SEARCH_FROM(symbols->items, symbols->count, section, section);
}

/*
 * Takes the names at the address of symbol `at` and enters their function, if any names bytes
 * of the section. Returns the index of the first symbol at another address.
 */
static size_t enter_address(struct sweep *sweep, const struct symbols *symbols, size_t at,
                            const struct elf_symbol ***free_names)
{
    const struct elf_symbol *first = &symbols->items[at];
    const struct elf_symbol **names = *free_names;
    uint64_t offset = first->svma - sweep->section->svma;
    uint64_t size_bytes = 0;
    size_t count = 0;

    for (; at < symbols->count && symbols->items[at].section == first->section &&
           symbols->items[at].svma == first->svma;
         at++) {
        if (!names_bytes(&symbols->items[at]))
            continue;
        names[count++] = &symbols->items[at];
        if (symbols->items[at].size_bytes > size_bytes)
            size_bytes = symbols->items[at].size_bytes;
    }
    /* Unsigned: an address before the section is an offset past its end. */
    if (count == 0 || offset >= sweep->section->file_bytes)
        return at;
    *free_names += count;
    enter(sweep, offset, size_bytes, add_function(sweep->map, names, count));
    return at;
}

static void sweep_section(struct sweep *sweep, const struct symbols *symbols)
{
    struct code_map *map = sweep->map;
    const struct section *section = sweep->section;
    const struct elf_symbol **free_names = map->names + map->name_count;
    size_t at = first_symbol(symbols, section->index);

    sweep->label = CODE_UNNAMED;
    while (at < symbols->count && symbols->items[at].section == section->index)
        at = enter_address(sweep, symbols, at, &free_names);
    advance(sweep, section->file_bytes);
    map->name_count = (size_t)(free_names - map->names);
    map->total_bytes += section->file_bytes;
    vec_done(&sweep->open);
}

static int map_section(struct image *image, const struct symbols *symbols, const struct section *section,
                       bool labels_own, struct code_map *map, struct error *err)
{
    struct sweep sweep = {
        .map = map,
        .section = section,
        .style = {image->machine, image->big_endian, section->flags & SHF_EXECINSTR},
        .labels_own = labels_own,
    };

    if (image_read_section(image, section, &sweep.bytes, err) < 0)
        return -1;
    sweep_section(&sweep, symbols);
    return 0;
}

static bool is_called(const struct section *section, struct slice name)
{
    struct slice rest = slice_range(section->name, name.length, section->name.length);

    return slice_starts_with(section->name, name) && (rest.length == 0 || rest.data[0] == '.');
}

int code_map_build(struct image *image, const struct symbols *symbols, struct slice section_name,
                   struct code_map *out, struct error *err)
{
    struct code_map map = {.names = memory_new(symbols->count, sizeof(void *))};
    size_t mapped = 0;

    for (size_t i = 0; i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];

        if (!is_called(section, section_name) || section->type == SHT_NOBITS)
            continue;
        mapped++;
        if (map_section(image, symbols, section, symbols->source == SYMBOLS_FULL, &map, err) < 0) {
            code_map_done(&map);
            return -1;
        }
        map.is_of_parts |= section->name.length > section_name.length && section->file_bytes > 0;
    }
    if (mapped == 0) {
        code_map_done(&map);
        return error_set(err, ERROR_MISSING, "%s: no section %.*s", image->name,
                         SLICE_ARGUMENTS(section_name));
    }
    *out = map;
    return 0;
}

void code_map_build_names(const struct image *image, const struct symbols *symbols,
                          code_map_choice *is_wanted, struct code_map *out)
{
    *out = (struct code_map){.names = memory_new(symbols->count, sizeof(void *))};
    for (size_t i = 0; i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];
        struct sweep sweep = {.map = out, .section = section, .labels_own = symbols->source == SYMBOLS_FULL};

        if (section->type != SHT_NOBITS && is_wanted(section))
            sweep_section(&sweep, symbols);
    }
}

int code_map_build_data(struct image *image, const struct symbols *symbols, code_map_choice *is_wanted,
                        struct code_map *out, struct error *err)
{
    struct code_map map = {.names = memory_new(symbols->count, sizeof(void *))};

    for (size_t i = 0; i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];

        if (section->type == SHT_NOBITS || !is_wanted(section))
            continue;
        if (map_section(image, symbols, section, false, &map, err) < 0) {
            code_map_done(&map);
            return -1;
        }
    }
    *out = map;
    return 0;
}

void code_map_done(struct code_map *map)
{
    vec_done(&map->ranges);
    vec_done(&map->functions);
    free(map->names);
    *map = (struct code_map){0};
}

const struct code_range *code_map_find(const struct code_map *map, uint32_t section, uint64_t svma)
{
    size_t low = 0;
    size_t high = map->ranges.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct code_range *range = &map->ranges.items[middle];

        if (range->section < section || (range->section == section && range->svma <= svma))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || map->ranges.items[low - 1].section != section ||
        svma - map->ranges.items[low - 1].svma >= map->ranges.items[low - 1].size_bytes)
        return NULL;
    return &map->ranges.items[low - 1];
}

uint64_t *code_map_starts(const struct code_map *map)
{
    uint64_t *starts = memory_new(map->functions.count, sizeof(*starts));

    for (size_t i = map->ranges.count; i-- > 0;)
        if (map->ranges.items[i].function < map->functions.count)
            starts[map->ranges.items[i].function] = map->ranges.items[i].svma;
    return starts;
}
