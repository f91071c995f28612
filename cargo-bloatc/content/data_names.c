#include "content/data_names.h"

#include <elf.h>

#include "base/search.h"
#include "rust/demangle.h"
#include "rust/drop_glue.h"
#include "rust/format_template.h"

enum { TEXT_SHOWN = 60, VTABLE_HEAD_WORDS = 3 };

static int compare_places(const void *left, const void *right)
{
    const struct pointer *a = left;
    const struct pointer *b = right;

    return a->place_svma < b->place_svma ? -1 : a->place_svma > b->place_svma;
}

void data_names_init(struct data_names *names, struct source *source, const struct data_map *data,
                     const struct references *references)
{
    names->source = source;
    names->data = data;
    for (size_t i = 0; i < references->relocations.items.count; i++) {
        const struct relocation *relocation = &references->relocations.items.items[i];

        if (relocation->has_target)
            *vec_add(&names->pointers) = (struct pointer){relocation->place_svma, relocation->target_svma};
    }
    for (size_t i = 0; i < references->pointers.items.count; i++)
        *vec_add(&names->pointers) = references->pointers.items.items[i];
    vec_sort(&names->pointers, compare_places);
}

void data_names_done(struct data_names *names)
{
    vec_done(&names->pointers);
    symbol_done(&names->symbol);
    text_done(&names->text);
}

/* The bytes of the piece; empty when they cannot be read. */
static struct slice bytes_of_piece(struct data_names *names, const struct data_piece *piece)
{
    struct image *image = &names->source->image;
    const struct section *section = &image->sections.items[piece->section];
    uint64_t offset = piece->svma - section->svma;
    struct error ignored = {0};
    struct slice data;

    if (image_read_section(image, section, &data, &ignored) < 0)
        return (struct slice){0};
    return slice_range(data, offset, offset + piece->size_bytes);
}

/* --- Vtables ------------------------------------------------------------------------------ */

static const struct pointer *pointer_at(const struct data_names *names, uint64_t svma)
{
    size_t low = SEARCH_FROM(names->pointers.items, names->pointers.count, place_svma, svma);

    return low < names->pointers.count && names->pointers.items[low].place_svma == svma
               ? &names->pointers.items[low]
               : NULL;
}

/* The function that starts at what is put into the address, or NULL. */
static const struct code_function *function_at(const struct data_names *names, uint64_t place_svma)
{
    const struct pointer *pointer = pointer_at(names, place_svma);
    const struct code_map *map = &names->source->map;
    uint32_t id = INTERVAL_NONE;

    if (!pointer)
        return NULL;
    id = intervals_find(&names->data->places, pointer->target_svma);
    if (id >= map->functions.count || map->functions.items[id].names[0]->svma != pointer->target_svma)
        return NULL;
    return &map->functions.items[id];
}

/* Whether size and alignment are ones of a type: a power of 2 of at most 2^29, as the reference has it. */
static bool has_layout(struct data_names *names, struct slice data)
{
    struct bytes cursor = image_cursor(&names->source->image, data);
    uint64_t size = 0;
    uint64_t alignment = 0;

    image_read_address(&names->source->image, &cursor);
    size = image_read_address(&names->source->image, &cursor);
    alignment = image_read_address(&names->source->image, &cursor);
    return !cursor.failed && alignment > 0 && (alignment & (alignment - 1)) == 0 &&
           alignment <= (uint64_t)1 << 29 && size % alignment == 0;
}

static struct slice demangled(struct data_names *names, const struct code_function *function)
{
    text_clear(&names->text);
    demangle_add_name(&names->text, &names->symbol, function->names[0]->name, DEMANGLE_SHORT);
    return text_slice(&names->text);
}

static struct slice name_of_vtable(struct data_names *names, const struct data_piece *piece,
                                   struct slice data, struct arena *arena)
{
    unsigned word = names->source->image.address_bytes;
    const struct code_function *drop = NULL;
    const struct code_function *method = NULL;
    struct slice type = {0};

    if (piece->size_bytes < (uint64_t)VTABLE_HEAD_WORDS * word || !has_layout(names, data) ||
        pointer_at(names, piece->svma + word) || pointer_at(names, piece->svma + 2 * word))
        return (struct slice){0};
    drop = function_at(names, piece->svma);
    method = function_at(names, piece->svma + (uint64_t)VTABLE_HEAD_WORDS * word);
    if (drop)
        type = dropped_type(demangled(names, drop));
    if (type.length > 0)
        return slice_of(arena_format(arena, "vtable of %.*s", SLICE_ARGUMENTS(type)));
    if (method && (drop || !pointer_at(names, piece->svma)))
        return slice_of(arena_format(arena, "vtable with %.*s", SLICE_ARGUMENTS(demangled(names, method))));
    return (struct slice){0};
}

/* --- Text --------------------------------------------------------------------------------- */

/* In quotes, cut to what tells it from others. */
static struct slice quoted(struct slice text, struct arena *arena)
{
    size_t shown = text.length;

    if (shown > TEXT_SHOWN)
        for (shown = TEXT_SHOWN; shown > 0 && ((unsigned char)text.data[shown] & 0xc0) == 0x80;)
            shown--;
    return slice_of(
        arena_format(arena, "\"%.*s%s\"", (int)shown, text.data, shown < text.length ? "..." : ""));
}

/* What reads as text from start to end, zeros behind it left out. */
static struct slice name_of_text(struct slice data, struct arena *arena)
{
    size_t length = text_readable_length(data);

    if (length < 2 || !slice_is_zero(slice_range(data, length, data.length)))
        return (struct slice){0};
    return quoted(slice_range(data, 0, length), arena);
}

static struct slice name_of_template(struct data_names *names, struct slice data, struct arena *arena)
{
    text_clear(&names->text);
    return format_template_add(&names->text, data) ? quoted(text_slice(&names->text), arena)
                                                   : (struct slice){0};
}

/* Compilers number what has no name in the source. */
static bool is_anonymous(struct slice symbol)
{
    static const char *const starts[] = {"anon.", ".L", "alloc_", "str.", "vtable."};

    return slice_starts_with_any(symbol, starts, ARRAY_COUNT(starts));
}

struct slice data_names_find(struct data_names *names, const struct data_piece *piece,
                             const struct measured *symbol, struct arena *arena)
{
    struct slice data = bytes_of_piece(names, piece);
    struct slice name = {0};

    if (symbol && !is_anonymous(symbol->symbol))
        return symbol->name;
    if (piece->owner == OWNER_PADDING)
        return name;
    name = name_of_vtable(names, piece, data, arena);
    if (name.length == 0)
        name = name_of_text(data, arena);
    if (name.length == 0)
        name = name_of_template(names, data, arena);
    return name.length == 0 && symbol ? symbol->name : name;
}
