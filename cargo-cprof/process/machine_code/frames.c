#include "process/machine_code/frames.h"

#include <elf.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"
#include "base/sort_numbered.h"
#include "base/text.h"
#include "code/aarch64_flow.h"
#include "code/frame_shapes.h"
#include "elf/symbol_table.h"
#include "sampler/registers.h"

enum { SIZE_BITS = 30, MOST_SIZE_BYTES = (1 << SIZE_BITS) - 1 };

/* Where a function may start. There may be many. */
struct start {
    uint64_t svma;
    uint32_t name_offset;
    uint32_t size_bytes : SIZE_BITS; /* 0: unknown */
    uint32_t is_named : 1;           /* its name was looked at, */
    uint32_t is_cold : 1;            /* and it is no function's start */
};

_Static_assert(sizeof(struct start) == NUMBERED_BYTES, "sort_numbered takes them");

/* A function that was read; of one that cannot be, and of code between functions, no shapes. */
struct function {
    uint64_t start_svma;
    uint64_t end_svma;
    bool is_between; /* none: code between functions */
    bool is_as_read; /* what of it is its own is told by its code alone */
    struct frame_shapes shapes;
    struct aarch64_frame of_aarch64; /* in their place */
};

struct code_frames {
    struct image *image;
    struct cfi_lookup *entries; /* of functions that have call frame information; NULL: none has */
    bool has_starts;            /* they were read */
    struct symbol_table symbols;
    VEC(struct start) starts; /* rising, each where no other is */
    VEC(struct function) functions;
    struct cfi_row row; /* the last answer */
};

struct code_frames *code_frames_open(struct image *image, struct cfi_lookup *entries)
{
    struct code_frames *frames = memory_new(1, sizeof(*frames));

    *frames = (struct code_frames){.image = image, .entries = entries};
    return frames;
}

void code_frames_close(struct code_frames *frames)
{
    if (!frames)
        return;
    for (size_t i = 0; i < frames->functions.count; i++)
        frame_shapes_done(&frames->functions.items[i].shapes);
    vec_done(&frames->functions);
    vec_done(&frames->starts);
    symbol_table_close(&frames->symbols);
    free(frames);
}

/* --- Where functions are -------------------------------------------------------------------------------- */

/*
 * Assembly often gives neither type nor size, as local labels within functions have none. Where only some
 * symbols are left what is behind a function without a size may be another's: its code alone tells.
 */
static bool is_start(const struct code_frames *frames, const struct elf_symbol *symbol)
{
    bool has_all = frames->symbols.source == SYMBOLS_FULL;

    if (symbol->type == STT_FUNC)
        return symbol->size_bytes > 0 || has_all || frames->image->machine == EM_X86_64;
    return symbol->type == STT_NOTYPE && has_all &&
           (symbol->binding != STB_LOCAL || symbol->visibility == STV_HIDDEN);
}

static bool is_in_code(const struct image *image, const struct elf_symbol *symbol)
{
    const struct sections *sections = &image->sections;
    const struct section *section =
        symbol->section < sections->count ? &sections->items[symbol->section] : NULL;

    return section && section_is_code(section) && symbol->svma >= section->svma &&
           symbol->svma - section->svma < section->file_bytes;
}

/* Of those at one place the largest stays. */
static void order_starts(struct code_frames *frames)
{
    struct start *items = frames->starts.items;
    size_t kept = 0;

    sort_numbered(items, frames->starts.count);
    for (size_t i = 0; i < frames->starts.count; i++) {
        if (kept == 0 || items[kept - 1].svma != items[i].svma)
            items[kept++] = items[i];
        else if (items[i].size_bytes >= items[kept - 1].size_bytes)
            items[kept - 1] = items[i];
    }
    frames->starts.count = kept;
}

/* The places alone: of the names few will be asked for. */
static void read_starts(struct code_frames *frames)
{
    struct error unread = {0};

    frames->has_starts = true;
    if (!disassemble_knows(frames->image->machine) ||
        symbol_table_open(frames->image, SYMBOLS_IN_PARTS, &frames->symbols, &unread) < 0)
        return;
    for (size_t i = 0; i < frames->symbols.count; i++) {
        struct symbol_entry entry = symbol_table_entry(&frames->symbols, i);
        uint64_t size_bytes = entry.symbol.size_bytes;

        if (is_start(frames, &entry.symbol) && is_in_code(frames->image, &entry.symbol))
            *vec_add(&frames->starts) = (struct start){
                .svma = entry.symbol.svma,
                .name_offset = entry.name_offset,
                .size_bytes = size_bytes < MOST_SIZE_BYTES ? (uint32_t)size_bytes : MOST_SIZE_BYTES,
            };
    }
    order_starts(frames);
}

/* What compilers move out of a function, "name.cold", begins with that one's frame. */
static bool is_cold(const struct code_frames *frames, struct start *start)
{
    struct slice name = {0};

    if (!start->is_named) {
        start->is_named = true;
        if (symbol_table_name(&frames->symbols, start->name_offset, &name))
            start->is_cold = slice_has(name, SLICE(".cold"));
    }
    return start->is_cold;
}

/* The last start in the section up to the address, and the first behind it; NULL where there is none. */
struct neighbours {
    const struct start *before;
    const struct start *behind;
    uint64_t none_from_svma; /* where there is none before: from here on there is none */
};

/*
 * Parts that compilers move out stand within a function's code or, those of all functions, together. Among so
 * many no function's code is, and their names, which are thousands in a compiler, are not read.
 */
static struct neighbours find_among_symbols(const struct code_frames *frames, const struct section *section,
                                            uint64_t svma)
{
    enum { MOST_PARTS = 8 };
    struct start *starts = frames->starts.items;
    size_t count = frames->starts.count;
    struct start *first = starts + SEARCH_FROM(starts, count, svma, section->svma);
    struct start *end = starts + SEARCH_FROM(starts, count, svma, section->svma + section->file_bytes);
    struct start *at = starts + SEARCH_AFTER(starts, count, svma, svma);
    struct start *behind = at;
    struct start *before = at;
    bool is_among_parts = false;

    while (behind < end && behind - at < MOST_PARTS && is_cold(frames, behind))
        behind++;
    while (!is_among_parts && before > first && is_cold(frames, before - 1))
        is_among_parts = at - --before >= MOST_PARTS;
    return (struct neighbours){
        .before = !is_among_parts && before > first ? before - 1 : NULL,
        .behind = behind < end ? behind : NULL,
        .none_from_svma = is_among_parts ? before->svma : section->svma,
    };
}

static struct neighbours find_neighbours(struct code_frames *frames, const struct section *section,
                                         uint64_t svma)
{
    if (section_is_of_stubs(section))
        return (struct neighbours){.none_from_svma = section->svma};
    if (!frames->has_starts)
        read_starts(frames);
    return find_among_symbols(frames, section, svma);
}

/*
 * The code of the function that holds the address, from its symbol on, up to its end or the next one. False
 * where there is none: `out` is then the stretch around the address that is no function's.
 */
static bool find_code(struct code_frames *frames, const struct section *section, uint64_t svma,
                      struct function *out)
{
    struct neighbours found = find_neighbours(frames, section, svma);
    uint64_t end_svma = section->svma + section->file_bytes;

    if (found.behind && found.behind->svma < end_svma)
        end_svma = found.behind->svma;
    *out = (struct function){.start_svma = found.none_from_svma, .end_svma = end_svma};
    if (!found.before || found.before->svma < section->svma)
        return false;
    out->start_svma = found.before->svma;
    out->is_as_read = found.before->size_bytes == 0 && frames->symbols.source != SYMBOLS_FULL;
    if (found.before->size_bytes == 0 || found.before->size_bytes >= end_svma - out->start_svma)
        return true;
    end_svma = out->start_svma + found.before->size_bytes;
    if (svma >= end_svma) {
        out->start_svma = end_svma;
        return false;
    }
    out->end_svma = end_svma;
    return true;
}

/* --- Their frames --------------------------------------------------------------------------------------- */

/* What cannot be read has none. */
static void read_shapes(const struct image *image, const struct section *section, struct function *function)
{
    SCOPED(text_done) struct text bytes = {0};
    struct error unread = {0};
    uint64_t length = function->end_svma - function->start_svma;
    uint64_t offset = section->file_offset + (function->start_svma - section->svma);
    struct code_bytes code = {.svma = function->start_svma};

    length = length < FRAME_SHAPES_MOST_BYTES ? length : FRAME_SHAPES_MOST_BYTES;
    if (image_read_at(image, offset, text_extend(&bytes, length), length, &unread) < 0)
        return;
    code.bytes = text_slice(&bytes);
    if (image->machine == EM_AARCH64)
        function->of_aarch64 = aarch64_frame_read(&code);
    else
        (void)(frame_shapes_read(&code, &function->shapes, &unread) == 0);
}

static const struct function *read_function(struct code_frames *frames, uint64_t svma)
{
    const struct section *section = sections_code_at(&frames->image->sections, svma);
    struct function function = {0};

    if (!section)
        return NULL;
    if (find_code(frames, section, svma, &function))
        read_shapes(frames->image, section, &function);
    else
        function.is_between = true;
    *vec_add(&frames->functions) = function;
    return &frames->functions.items[frames->functions.count - 1];
}

/* Whether a function begins there as it was called: parts of functions have entries of their own, too. */
static bool is_as_called(const struct code_frames *frames, uint64_t svma)
{
    enum { RETURN_ADDRESS_BYTES = 8 };
    uint32_t return_register = 0;
    const struct cfi_row *row = cfi_lookup_find(frames->entries, svma, &return_register);

    return row && !row->is_signal_frame && row->cfa_rule == CFI_CFA_REGISTER &&
           row->cfa_register == REGISTERS_SP && row->cfa_offset == RETURN_ADDRESS_BYTES;
}

/* The function that an entry tells. */
static const struct function *read_entry(struct code_frames *frames, uint64_t svma)
{
    const struct section *section = sections_code_at(&frames->image->sections, svma);
    struct function function = {0};

    if (frames->image->machine != EM_X86_64 || !section ||
        !cfi_lookup_range(frames->entries, svma, &function.start_svma, &function.end_svma) ||
        function.start_svma < section->svma || function.end_svma > section->svma + section->file_bytes ||
        !is_as_called(frames, function.start_svma))
        return NULL;
    read_shapes(frames->image, section, &function);
    *vec_add(&frames->functions) = function;
    return &frames->functions.items[frames->functions.count - 1];
}

/* What was read of the address: its function or, of what is in none, the code between. */
static const struct function *find_read(const struct code_frames *frames, uint64_t svma)
{
    const struct function *between = NULL;

    for (size_t i = 0; i < frames->functions.count; i++) {
        const struct function *function = &frames->functions.items[i];

        if (svma < function->start_svma || svma >= function->end_svma)
            continue;
        if (!function->is_between)
            return function;
        between = function;
    }
    return between;
}

/* Of a large file all symbols take long to read: they are asked where no entry tells the function. */
static const struct function *find_function(struct code_frames *frames, uint64_t svma)
{
    const struct function *known = find_read(frames, svma);
    const struct function *entry = known && !known->is_between ? known : read_entry(frames, svma);

    if (entry)
        return entry;
    return known ? known : read_function(frames, svma);
}

static uint8_t rule_of(const struct frame_register *value)
{
    static const uint8_t rules[] = {
        [FRAME_IN_REGISTER] = CFI_SAME, [FRAME_STORED] = CFI_AT_CFA, [FRAME_LOST] = CFI_UNDEFINED};

    return value->is_by_register ? CFI_AT_BASE : rules[value->saved];
}

/* --- Of AArch64 ----------------------------------------------------------------------------------------- */

/*
 * Whether the address is in an entry of the PLT behind the first, which alone has a frame (ELF for the Arm
 * 64-bit architecture, "Procedure Linkage Table").
 */
static bool is_plt_entry(const struct code_frames *frames, uint64_t svma)
{
    enum { FIRST_ENTRY_BYTES = 32 };
    const struct section *section = sections_code_at(&frames->image->sections, svma);

    return section && slice_is(section->name, ".plt") && svma - section->svma >= FIRST_ENTRY_BYTES;
}

static const struct cfi_row *find_of_aarch64(struct code_frames *frames, uint64_t svma)
{
    /* The kernel's vdso signs return addresses where the processor can. */
    static const struct cfi_row as_called = {.cfa_rule = CFI_CFA_REGISTER,
                                             .cfa_register = AARCH64_STACK_POINTER,
                                             .return_rule = CFI_SAME,
                                             .has_signed_return_address = 1};
    const struct function *function = NULL;

    if (is_plt_entry(frames, svma))
        return &as_called;
    function = find_function(frames, svma);
    return function && svma < function->of_aarch64.as_called_until_svma ? &as_called : NULL;
}

/* Where the frame is, is told by the frame pointer alone. */
static struct code_frame_hints hints_of_aarch64(const struct function *function, uint64_t svma)
{
    if (!function || function->is_between || svma < function->of_aarch64.as_called_until_svma)
        return (struct code_frame_hints){0};
    return (struct code_frame_hints){.moved_stack = true,
                                     .fp_is_callers = !function->of_aarch64.has_frame_pointer};
}

/* --- Answers -------------------------------------------------------------------------------------------- */

uint32_t code_frames_return_register(const struct code_frames *frames)
{
    return frames->image->machine == EM_AARCH64 ? AARCH64_LINK_REGISTER : 0;
}

const struct cfi_row *code_frames_find(struct code_frames *frames, uint64_t svma)
{
    enum { RETURN_ADDRESS = -8, WORD = 8, MOST_WORDS = 1 << 13 };
    bool is_aarch64 = frames->image->machine == EM_AARCH64;
    const struct function *function = is_aarch64 ? NULL : find_function(frames, svma);
    const struct frame_shape *shape = function ? frame_shapes_find(&function->shapes, svma) : NULL;

    if (is_aarch64)
        return find_of_aarch64(frames, svma);
    if (!shape || shape->stored_below / WORD >= MOST_WORDS)
        return NULL;
    frames->row = (struct cfi_row){
        .svma = shape->svma,
        .cfa_rule = shape->is_in_memory ? CFI_CFA_MEMORY : CFI_CFA_REGISTER,
        .cfa_register = shape->cfa_register,
        .cfa_offset = shape->cfa_offset,
        .cfa_words = (uint16_t)(shape->stored_below / WORD) % MOST_WORDS,
        .return_rule = CFI_AT_CFA,
        .return_offset = RETURN_ADDRESS,
        .frame_rule = rule_of(&shape->frame),
        .frame_offset = shape->frame.offset,
        .base_rule = rule_of(&shape->base),
        .base_offset = shape->base.offset,
    };
    return &frames->row;
}

struct code_frame_hints code_frames_hints(struct code_frames *frames, uint64_t svma)
{
    const struct function *function = find_function(frames, svma);
    const struct frame_shape *shape = function ? frame_shapes_at(&function->shapes, svma) : NULL;

    if (frames->image->machine == EM_AARCH64)
        return hints_of_aarch64(function, svma);
    if (!shape || frame_shape_is_by_stack(shape))
        return (struct code_frame_hints){0};
    return (struct code_frame_hints){.moved_stack = true,
                                     .fp_is_callers = shape->frame.saved == FRAME_IN_REGISTER};
}

bool code_frames_range(struct code_frames *frames, uint64_t svma, uint64_t *start_svma, uint64_t *end_svma)
{
    const struct function *function = find_function(frames, svma);

    if (!function || function->is_between ||
        (function->is_as_read && !frame_shapes_at(&function->shapes, svma)))
        return false;
    *start_svma = function->start_svma;
    *end_svma = function->end_svma;
    return true;
}
