#include "account/references.h"

#include <elf.h>

#include "base/intervals.h"
#include "base/memory.h"
#include "base/search.h"

bool references_is_data(const struct section *section)
{
    static const char *const tables[] = {
        ".eh_frame",
        ".eh_frame_hdr",
        ".gcc_except_table",
        ".interp",
    };

    if (!(section->flags & SHF_ALLOC) || section->flags & SHF_EXECINSTR || section->file_bytes == 0)
        return false;
    if (slice_is_any(section_family(section->name), tables, ARRAY_COUNT(tables)))
        return false;
    return section->type == SHT_PROGBITS || section->type == SHT_INIT_ARRAY ||
           section->type == SHT_FINI_ARRAY || section->type == SHT_PREINIT_ARRAY;
}

/* The addresses from the first to the last byte of data. */
static void find_bounds(const struct image *image, struct disassemble_request *request)
{
    request->targets_start = UINT64_MAX;
    for (size_t i = 0; i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];
        uint64_t end = section->svma + section->file_bytes;

        if (!references_is_data(section) || end < section->svma)
            continue;
        if (section->svma < request->targets_start)
            request->targets_start = section->svma;
        if (end > request->targets_end)
            request->targets_end = end;
    }
}

typedef VEC(struct code_bytes) code_list;

static int list_code(struct image *image, const struct code_map *map, code_list *out, struct error *err)
{
    for (size_t i = 0; i < map->ranges.count; i++) {
        const struct code_range *range = &map->ranges.items[i];
        const struct section *section = &image->sections.items[range->section];
        uint64_t offset = range->svma - section->svma;
        struct slice data;

        if (range->function == CODE_PADDING || !(section->flags & SHF_EXECINSTR))
            continue;
        if (image_read_section(image, section, &data, err) < 0)
            return -1;
        *vec_add(out) =
            (struct code_bytes){slice_range(data, offset, offset + range->size_bytes), range->svma};
    }
    return 0;
}

/* --- Words of data ------------------------------------------------------------------------ */

/* Where data and code are. */
static struct interval_rows map_contents(const struct image *image)
{
    VEC(struct interval) contents = {0};
    struct interval_rows rows;

    for (size_t i = 0; i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];

        if (references_is_data(section) || section_is_code(section))
            *vec_add(&contents) = interval_of(section->svma, section->file_bytes, section->index);
    }
    rows = intervals_flatten(contents.items, contents.count);
    vec_done(&contents);
    return rows;
}

static void read_words(const struct image *image, const struct section *section, struct slice data,
                       const struct interval_rows *contents, struct pointers *out)
{
    unsigned word = image->address_bytes;
    struct bytes cursor = image_cursor(image, data);

    bytes_seek(&cursor, (word - section->svma % word) % word);
    while (bytes_left(&cursor) >= word) {
        uint64_t place = section->svma + cursor.at;
        uint64_t target = image_read_address(image, &cursor);

        if (target != 0 && intervals_find(contents, target) != INTERVAL_NONE)
            *vec_add(&out->items) = (struct pointer){place, target};
    }
}

static int read_pointers(struct image *image, struct pointers *out, struct error *err)
{
    SCOPED(intervals_done) struct interval_rows contents = map_contents(image);

    for (size_t i = 0; image->type == ET_EXEC && i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];
        struct slice data;

        if (!references_is_data(section))
            continue;
        if (image_read_section(image, section, &data, err) < 0)
            return -1;
        read_words(image, section, data, &contents, out);
    }
    return 0;
}

/*
 * Whether a table, whose end its symbol tells, is one of numbers, of which some happen to be those of
 * addresses: std's powers of ten are, in programs that lie where linkers put them. What has addresses has
 * them at each of its entries, and hardly any entry has more than sixteen words.
 */
static bool holds_numbers(const struct elf_symbol *symbol, unsigned word, size_t pointer_count)
{
    enum { FEWEST_WORDS = 64, WORDS_OF_ENTRY = 16 };
    uint64_t words = symbol->size_bytes / word;

    return symbol->type == STT_OBJECT && words >= FEWEST_WORDS && pointer_count < words / WORDS_OF_ENTRY;
}

/* The first pointer whose place is at or past the address. */
static size_t pointer_from(const struct pointers *pointers, uint64_t svma)
{
    return SEARCH_FROM(pointers->items.items, pointers->items.count, place_svma, svma);
}

/* Leaves out what in tables of numbers seems to be addresses. */
static void leave_out_numbers(const struct image *image, const struct symbols *symbols,
                              struct pointers *pointers)
{
    size_t count = pointers->items.count;
    /* By pointer: in how many more tables of numbers it is than the one before; below 0 as unsigned numbers
     * are. */
    SCOPED(memory_free_at) size_t *more = memory_new(count + 1, sizeof(*more));
    size_t tables = 0;
    size_t kept = 0;

    for (size_t i = 0; count > 0 && i < symbols->count; i++) {
        const struct elf_symbol *symbol = &symbols->items[i];
        size_t first = pointer_from(pointers, symbol->svma);
        size_t end = symbol->size_bytes <= UINT64_MAX - symbol->svma
                         ? pointer_from(pointers, symbol->svma + symbol->size_bytes)
                         : count;

        if (holds_numbers(symbol, image->address_bytes, end - first)) {
            more[first]++;
            more[end]--;
        }
    }
    for (size_t i = 0; i < count; i++) {
        tables += more[i];
        if (tables == 0)
            pointers->items.items[kept++] = pointers->items.items[i];
    }
    pointers->items.count = kept;
}

/* --- All together ------------------------------------------------------------------------- */

static int compare_starts(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

static int compare_places(const void *left, const void *right)
{
    return compare_starts(&((const struct pointer *)left)->place_svma,
                          &((const struct pointer *)right)->place_svma);
}

/* Slots of the global offset table are referred to one by one; each starts something of its own. */
static bool is_slot(const struct section *table, uint64_t svma)
{
    return table && svma >= table->svma && svma - table->svma < table->file_bytes;
}

static void list_starts(const struct image *image, struct references *references)
{
    const struct section *got = sections_find(&image->sections, SLICE(".got"));
    const struct section *got_plt = sections_find(&image->sections, SLICE(".got.plt"));
    size_t kept = 0;

    for (size_t i = 0; i < references->code.items.count; i++)
        *vec_add(&references->starts) = references->code.items.items[i].to_svma;
    for (size_t i = 0; i < references->relocations.items.count; i++) {
        const struct relocation *relocation = &references->relocations.items.items[i];

        if (relocation->has_target)
            *vec_add(&references->starts) = relocation->target_svma;
        if (is_slot(got, relocation->place_svma) || is_slot(got_plt, relocation->place_svma))
            *vec_add(&references->starts) = relocation->place_svma;
    }
    for (size_t i = 0; i < references->pointers.items.count; i++)
        *vec_add(&references->starts) = references->pointers.items.items[i].target_svma;
    vec_sort(&references->starts, compare_starts);
    for (size_t i = 0; i < references->starts.count; i++)
        if (kept == 0 || references->starts.items[kept - 1] != references->starts.items[i])
            references->starts.items[kept++] = references->starts.items[i];
    references->starts.count = kept;
}

/* In objects of these machines relocations say what code refers to, and instructions are not settled. */
static bool is_told_by_relocations(const struct image *image)
{
    return image->is_linked_alone && (image->machine == EM_AARCH64 || image->machine == EM_RISCV);
}

static bool can_disassemble(const struct image *image)
{
    return disassemble_knows(image->machine) && !image->big_endian && !is_told_by_relocations(image);
}

static int read_code(struct image *image, const struct code_map *map, struct references *out,
                     struct error *err)
{
    struct disassemble_request request = {.machine = image->machine,
                                          .takes_absolute = image->type == ET_EXEC};
    code_list code = {0};
    int result = list_code(image, map, &code, err);

    find_bounds(image, &request);
    request.code = code.items;
    request.code_count = code.count;
    if (result == 0 && can_disassemble(image))
        result = disassemble_references(&request, &out->code, err);
    vec_done(&code);
    return result;
}

int references_find(struct image *image, const struct symbols *symbols, const struct code_map *map,
                    struct references *out, struct error *err)
{
    struct references found = {.knows_machine = can_disassemble(image) || is_told_by_relocations(image)};

    if (read_code(image, map, &found, err) < 0 || relocations_read(image, &found.relocations, err) < 0 ||
        read_pointers(image, &found.pointers, err) < 0) {
        references_done(&found);
        return -1;
    }
    vec_sort(&found.pointers.items, compare_places);
    leave_out_numbers(image, symbols, &found.pointers);
    list_starts(image, &found);
    *out = found;
    return 0;
}

void references_done(struct references *references)
{
    code_references_done(&references->code);
    relocations_done(&references->relocations);
    vec_done(&references->pointers.items);
    vec_done(&references->starts);
    *references = (struct references){0};
}
