#include "dwarf/cfi.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "dwarf/cfi_entries.h"

static void read_entries(struct cfi_reader *reader)
{
    struct cfi_entry entry;
    uint64_t at = 0;

    while (at < reader->content.length) {
        if (!cfi_take_entry(reader, at, &entry)) {
            reader->cfi->damaged_count++;
            return;
        }
        at = entry.cursor.all.length;
        if (bytes_left(&entry.cursor) > 0 && !cfi_is_common(reader, &entry) &&
            !cfi_read_description(reader, &entry))
            reader->cfi->damaged_count++;
    }
}

static int compare_runs(const void *left, const void *right)
{
    const struct cfi_run *a = left;
    const struct cfi_run *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->first_row < b->first_row ? -1 : a->first_row > b->first_row;
}

/* The rows in the order of their addresses, with one of CFI_CFA_NONE wherever an entry ends. */
static void order_rows(struct cfi_reader *reader)
{
    struct cfi *cfi = reader->cfi;
    struct cfi_row *rows = memory_new(cfi->rows.count + reader->runs.count, sizeof(*rows));
    size_t count = 0;
    uint64_t end = 0;

    vec_sort(&reader->runs, compare_runs);
    for (size_t i = 0; i < reader->runs.count; i++) {
        const struct cfi_run *run = &reader->runs.items[i];

        if (run->start < end || run->row_count == 0)
            continue;
        if (count > 0 && run->start == end)
            count--;
        memcpy(&rows[count], &cfi->rows.items[run->first_row], run->row_count * sizeof(*rows));
        count += run->row_count;
        end = run->end;
        rows[count++] = (struct cfi_row){.svma = end};
    }
    free(cfi->rows.items);
    cfi->rows.items = memory_resize(rows, count, sizeof(*rows));
    cfi->rows.count = count;
    cfi->rows.capacity = count;
}

static int read_section(struct image *image, struct slice name, struct cfi_reader *reader, unsigned number,
                        struct error *err)
{
    struct cfi *cfi = reader->cfi;

    reader->content = (struct slice){0};
    if (cfi_open_section(image, name, reader, &cfi->owned[number], err) < 0)
        return -1;
    cfi->sections[number] = reader->content;
    read_entries(reader);
    return 0;
}

/* Reads the sections from this number on. */
static int read_sections(struct image *image, unsigned first, struct cfi *out, struct error *err)
{
    static const struct slice names[] = {SLICE(".eh_frame"), SLICE(".debug_frame")};
    struct cfi cfi = {.frame_register = cfi_frame_register(image->machine)};
    struct cfi_reader reader = {.image = image, .code = sections_code_bounds(&image->sections), .cfi = &cfi};
    int result = 0;

    for (unsigned number = first; result == 0 && number < ARRAY_COUNT(names); number++)
        result = read_section(image, names[number], &reader, number, err);
    if (result == 0)
        order_rows(&reader);
    vec_done(&reader.runs);
    if (result < 0)
        cfi_done(&cfi);
    else
        *out = cfi;
    return result;
}

int cfi_read(struct image *image, struct cfi *out, struct error *err)
{
    return read_sections(image, 0, out, err);
}

int cfi_read_debug_frame(struct image *image, struct cfi *out, struct error *err)
{
    return read_sections(image, 1, out, err);
}

void cfi_done(struct cfi *cfi)
{
    vec_done(&cfi->rows);
    free(cfi->owned[0]);
    free(cfi->owned[1]);
}

struct slice cfi_section_of(const struct cfi *cfi, const struct cfi_row *row)
{
    return cfi->sections[row->is_debug_frame];
}

const struct cfi_row *cfi_find(const struct cfi *cfi, uint64_t svma)
{
    size_t low = SEARCH_AFTER(cfi->rows.items, cfi->rows.count, svma, svma);

    if (low == 0 || cfi->rows.items[low - 1].cfa_rule == CFI_CFA_NONE)
        return NULL;
    return &cfi->rows.items[low - 1];
}
