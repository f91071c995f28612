#include "dwarf/cfi_lookup.h"

#include <stdlib.h>

#include "base/memory.h"
#include "dwarf/cfi_entries.h"
#include "elf/compression.h"
#include "elf/find_debug.h"

/* A section's content. Of a large library few functions are asked for, so parts are read where that can be.
 */
struct content {
    struct slice bytes;
    struct section_parts *parts; /* owned; NULL: all is there */
    char *owned;                 /* what is not the image's */
};

static int content_open(struct image *image, const struct section *section, struct content *out,
                        struct error *err)
{
    enum { SMALL_BYTES = 4096 }; /* as much as a part takes at least */

    if (section->file_bytes <= SMALL_BYTES || !section_parts_can_be(image, section))
        return compression_read(image, section, &out->bytes, &out->owned, err);
    out->parts = section_parts_open(image, section);
    out->bytes = section_parts_bytes(out->parts);
    return 0;
}

/* False where they cannot be read. */
static bool content_has(const struct content *content, uint64_t at, uint64_t length)
{
    return !content->parts || section_parts_read(content->parts, at, length);
}

static void content_close(struct content *content)
{
    section_parts_close(content->parts);
    free(content->owned);
}

/* The table of .eh_frame_hdr in the one form that linkers write: pairs of 4 bytes, relative to the section.
 */
struct search_table {
    struct content content; /* of the section */
    uint64_t svma;          /* of the section */
    uint64_t count;         /* pairs from TABLE_START on */
    bool big_endian;
};

/* Version 1, then DW_EH_PE_pcrel|sdata4 for .eh_frame, udata4 for the count, datarel|sdata4 for the pairs. */
#define USUAL_FORM "\x01\x1b\x03\x3b"

enum { TABLE_START = 12, PAIR_BYTES = 8 };

/* An entry of it, and the addresses that it is the last one before. */
struct nearest {
    uint64_t entry_svma;
    uint64_t start;
    uint64_t end; /* 0: none was looked for */
};

struct cfi_lookup {
    struct cfi_reader reader;
    struct search_table table;
    struct nearest nearest; /* to what was looked up last */
    struct cfi_entry entry; /* that one, read up to its instructions, */
    struct cfi_description description;
    bool has_entry;  /* if it is one about code */
    bool has_rows;   /* they are this entry's */
    struct cfi rows; /* of one entry; all of the file where there is no table */
    bool has_all;
    struct image *image;
    struct cfi beside; /* of .debug_frame, which the table does not tell of: of the file or its debug file */
    bool has_beside;
    struct image separate; /* the debug file, */
    bool has_separate;     /* if the rows are of that */
    struct content entries;
};

static int open_table(struct image *image, struct search_table *table, struct error *err)
{
    const struct section *section = sections_find(&image->sections, SLICE(".eh_frame_hdr"));
    struct bytes cursor;
    struct slice form;

    if (!section)
        return 0;
    if (content_open(image, section, &table->content, err) < 0)
        return -1;
    if (!content_has(&table->content, 0, TABLE_START))
        return 0;
    table->svma = section->svma;
    table->big_endian = image->big_endian;
    cursor = image_cursor(image, table->content.bytes);
    form = bytes_take(&cursor, sizeof(USUAL_FORM) - 1);
    bytes_u32(&cursor); /* where .eh_frame is: the section table tells */
    table->count = bytes_u32(&cursor);
    if (!slice_is(form, USUAL_FORM) || table->count > bytes_left(&cursor) / PAIR_BYTES)
        table->count = 0;
    return 0;
}

/* One half of a pair, as an address; of what cannot be read one that nothing is at. */
static uint64_t table_number(const struct search_table *table, uint64_t index, unsigned half)
{
    struct bytes cursor = bytes_of(table->content.bytes, table->big_endian);
    uint64_t at = TABLE_START + PAIR_BYTES * index + 4 * (uint64_t)half;

    if (!content_has(&table->content, at, sizeof(uint32_t)))
        return UINT64_MAX;
    bytes_seek(&cursor, at);
    return table->svma + (uint64_t)(int32_t)bytes_u32(&cursor);
}

/* The entry that starts last up to `svma`; false when none does. */
static bool search(const struct search_table *table, uint64_t svma, struct nearest *out)
{
    uint64_t low = 0;
    uint64_t high = table->count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (table_number(table, middle, 0) <= svma)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0)
        *out = (struct nearest){table_number(table, low - 1, 1), table_number(table, low - 1, 0),
                                low < table->count ? table_number(table, low, 0) : UINT64_MAX};
    return low > 0;
}

static int open_entries(struct image *image, struct cfi_lookup *lookup, struct error *err)
{
    const struct section *section = sections_find(&image->sections, SLICE(".eh_frame"));

    lookup->reader = (struct cfi_reader){
        .image = image, .code = sections_code_bounds(&image->sections), .cfi = &lookup->rows};
    if (!section)
        return 0;
    if (content_open(image, section, &lookup->entries, err) < 0)
        return -1;
    cfi_set_section(&lookup->reader, section, lookup->entries.bytes);
    lookup->reader.parts = lookup->entries.parts;
    lookup->rows.sections[0] = lookup->entries.bytes;
    return 0;
}

static int fill_lookup(struct image *image, struct cfi_lookup *lookup, struct error *err)
{
    if (open_table(image, &lookup->table, err) < 0)
        return -1;
    if (lookup->table.count > 0)
        return open_entries(image, lookup, err);
    lookup->has_all = true;
    return cfi_read(image, &lookup->rows, err);
}

int cfi_lookup_open(struct image *image, struct cfi_lookup **out, struct error *err)
{
    struct cfi_lookup *lookup = memory_new(1, sizeof(*lookup));

    lookup->image = image;
    if (fill_lookup(image, lookup, err) < 0) {
        cfi_lookup_close(lookup);
        return -1;
    }
    *out = lookup;
    return 0;
}

void cfi_lookup_close(struct cfi_lookup *lookup)
{
    if (!lookup)
        return;
    vec_done(&lookup->reader.runs);
    cfi_done(&lookup->rows);
    cfi_done(&lookup->beside);
    if (lookup->has_separate)
        image_close(&lookup->separate);
    content_close(&lookup->entries);
    content_close(&lookup->table.content);
    free(lookup);
}

static bool entry_holds(const struct cfi_lookup *lookup, uint64_t svma)
{
    return lookup->has_entry && svma >= lookup->description.start && svma < lookup->description.end;
}

/* Goes to the entry that should hold the address, and tells whether it does. */
static bool find_entry(struct cfi_lookup *lookup, uint64_t svma)
{
    struct cfi_reader *reader = &lookup->reader;
    struct nearest *nearest = &lookup->nearest;

    /* Neighbouring addresses are asked for often, also such as no entry holds. */
    if (entry_holds(lookup, svma))
        return true;
    if (svma >= nearest->start && svma < nearest->end)
        return false;
    reader->common_bytes_left = reader->content.length * CFI_COMMON_OVERLAPS;
    *nearest = (struct nearest){0};
    lookup->has_rows = false;
    lookup->has_entry = search(&lookup->table, svma, nearest) && nearest->entry_svma >= reader->svma &&
                        nearest->entry_svma - reader->svma < reader->content.length &&
                        cfi_take_entry(reader, nearest->entry_svma - reader->svma, &lookup->entry) &&
                        bytes_left(&lookup->entry.cursor) > 0 && !cfi_is_common(reader, &lookup->entry) &&
                        cfi_take_description(reader, &lookup->entry, &lookup->description) &&
                        cfi_has_code(reader, &lookup->description);
    return entry_holds(lookup, svma);
}

/* Makes `rows` those of the entry. Where functions begin and end is asked for more often. */
static void read_rows(struct cfi_lookup *lookup)
{
    if (lookup->has_rows)
        return;
    lookup->has_rows = true;
    lookup->reader.runs.count = 0;
    lookup->rows.rows.count = 0;
    (void)cfi_read_rows(&lookup->reader, &lookup->entry, &lookup->description);
}

static bool has_debug_frame(const struct image *image)
{
    return sections_find(&image->sections, SLICE(".debug_frame")) != NULL;
}

/* Stripping a file takes .debug_frame to its debug file. */
static void read_separate(struct cfi_lookup *lookup)
{
    struct error unread = {0};

    if (!lookup->image->name || find_debug_is_inside(lookup->image) ||
        find_debug_open(lookup->image, &lookup->separate, &unread) < 0)
        return;
    lookup->has_separate = has_debug_frame(&lookup->separate) &&
                           cfi_read_debug_frame(&lookup->separate, &lookup->beside, &unread) == 0;
    if (!lookup->has_separate)
        image_close(&lookup->separate);
}

/* Where nothing can be read there are no rows. */
static void read_beside(struct cfi_lookup *lookup)
{
    struct error unread = {0};

    if (!has_debug_frame(lookup->image))
        read_separate(lookup);
    else if (!lookup->has_all && cfi_read_debug_frame(lookup->image, &lookup->beside, &unread) < 0)
        lookup->beside = (struct cfi){0};
}

/* Of what .eh_frame leaves out. */
static const struct cfi_row *find_beside(struct cfi_lookup *lookup, uint64_t svma, uint32_t *return_register)
{
    const struct cfi_row *row = NULL;

    if (!lookup->has_beside) {
        lookup->has_beside = true;
        read_beside(lookup);
    }
    row = cfi_find(&lookup->beside, svma);
    if (row)
        *return_register = lookup->beside.return_register;
    return row;
}

const struct cfi_row *cfi_lookup_find(struct cfi_lookup *lookup, uint64_t svma, uint32_t *return_register)
{
    const struct cfi_row *row = NULL;

    if (!lookup)
        return NULL;
    if (!lookup->has_all && find_entry(lookup, svma))
        read_rows(lookup);
    if (lookup->has_all || entry_holds(lookup, svma))
        row = cfi_find(&lookup->rows, svma);
    if (!row)
        return find_beside(lookup, svma, return_register);
    *return_register = lookup->rows.return_register;
    return row;
}

bool cfi_lookup_last(struct cfi_lookup *lookup, uint64_t svma, uint64_t *start_svma, uint64_t *end_svma)
{
    if (!lookup || lookup->has_all)
        return false;
    (void)find_entry(lookup, svma);
    if (!lookup->has_entry || lookup->description.start > svma)
        return false;
    *start_svma = lookup->description.start;
    *end_svma = lookup->description.end;
    return true;
}

bool cfi_lookup_range(struct cfi_lookup *lookup, uint64_t svma, uint64_t *start_svma, uint64_t *end_svma)
{
    uint64_t start = 0;
    uint64_t end = 0;

    if (!cfi_lookup_last(lookup, svma, &start, &end) || svma >= end)
        return false;
    *start_svma = start;
    *end_svma = end;
    return true;
}

struct slice cfi_lookup_section(const struct cfi_lookup *lookup, const struct cfi_row *row)
{
    const struct cfi *cfi =
        row->is_debug_frame && lookup->beside.rows.count > 0 ? &lookup->beside : &lookup->rows;

    return cfi_section_of(cfi, row);
}
