#include "dwarf/line_table.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "dwarf/line_header.h"

/* A run of rows that the program ended: its code goes from the first row's address to `end`. */
struct sequence {
    uint64_t start;
    uint64_t end;
    size_t first_row;
    size_t row_count; /* 0 when nobody asked for them */
};

/*
 * The machine that a line program runs on (DWARF 5, §6.2.2). Where some places alone are wanted, each
 * sequence is run without rows first, which most never need.
 */
struct run {
    const struct line_header *header;
    const struct debug_sections *sections;
    const struct places *wanted; /* NULL: everything */
    struct line_table *table;
    struct bytes cursor;
    VEC(struct sequence) sequences;
    /* Of the sequence that is run: */
    bool makes_rows;
    bool has_start;   /* there was a row */
    bool has_ended;   /* its end was read */
    size_t first_row; /* in the table */
    uint64_t start;   /* of the first row */
    uint64_t svma;
    uint32_t file;
    uint32_t line;
};

/* Of rows at one address the last counts; a row that says what the one before it says is left out. */
static void keep_row(struct run *run)
{
    struct line_row row = {run->svma, run->file, run->line};
    size_t count = run->table->rows.count - run->first_row;
    struct line_row *last = count > 0 ? &run->table->rows.items[run->table->rows.count - 1] : NULL;

    if (last && row.svma < last->svma) {
        run->table->is_damaged = true;
        return;
    }
    if (last && row.svma == last->svma)
        *last = row;
    else if (!last || last->file != row.file || last->line != row.line)
        *vec_add(&run->table->rows) = row;
}

static void add_row(struct run *run)
{
    if (!run->has_start)
        run->start = run->svma;
    run->has_start = true;
    if (run->makes_rows)
        keep_row(run);
}

/* Adds the sequence that has ended. */
static void add_sequence(struct run *run)
{
    struct line_table *table = run->table;
    size_t count = table->rows.count - run->first_row;

    /* Rows at or past the end cover nothing. */
    while (count > 0 && table->rows.items[run->first_row + count - 1].svma >= run->svma)
        count--;
    table->rows.count = run->first_row + count;
    *vec_add(&run->sequences) = (struct sequence){run->start, run->svma, run->first_row, count};
}

static void run_extended(struct run *run)
{
    uint64_t length = bytes_uleb128(&run->cursor);
    struct bytes operands = bytes_of(bytes_take(&run->cursor, length), run->cursor.big_endian);

    switch (bytes_u8(&operands)) {
    case DW_LNE_end_sequence:
        run->has_ended = true;
        break;
    case DW_LNE_set_address:
        run->svma = bytes_unsigned(&operands, (unsigned)bytes_left(&operands));
        break;
    default: /* DW_LNE_define_file is deprecated, set_discriminator of no use here */
        break;
    }
    if (operands.failed)
        run->cursor.failed = true;
}

static void run_special(struct run *run, uint8_t opcode)
{
    run->svma += run->header->advances[opcode];
    run->line += (uint32_t)run->header->line_advances[opcode];
    add_row(run);
}

static void skip_unknown(struct run *run, uint8_t opcode)
{
    uint8_t operands = (uint8_t)run->header->opcode_lengths.data[opcode - 1];

    while (operands-- > 0)
        bytes_uleb128(&run->cursor);
}

static void run_standard(struct run *run, uint8_t opcode)
{
    switch (opcode) {
    case DW_LNS_copy:
        add_row(run);
        break;
    case DW_LNS_advance_pc:
        run->svma += bytes_uleb128(&run->cursor) * run->header->minimum_instruction_bytes;
        break;
    case DW_LNS_advance_line:
        run->line += (uint32_t)bytes_sleb128(&run->cursor);
        break;
    case DW_LNS_set_file:
        run->file = (uint32_t)bytes_uleb128(&run->cursor);
        break;
    case DW_LNS_const_add_pc:
        run->svma += run->header->advances[UINT8_MAX];
        break;
    case DW_LNS_fixed_advance_pc:
        run->svma += bytes_u16(&run->cursor);
        break;
    default: /* set_column, negate_stmt and the like: one operand or none, as the header says */
        skip_unknown(run, opcode);
        break;
    }
}

/* Up to the sequence's end, or the program's. */
static void run_sequence(struct run *run, bool makes_rows)
{
    run->makes_rows = makes_rows;
    run->has_start = false;
    run->has_ended = false;
    run->first_row = run->table->rows.count;
    run->svma = 0;
    run->file = 1;
    run->line = 1;
    while (!run->has_ended && bytes_left(&run->cursor) > 0) {
        uint8_t opcode = bytes_u8(&run->cursor);

        if (opcode >= run->header->opcode_base)
            run_special(run, opcode);
        else if (opcode == 0)
            run_extended(run);
        else
            run_standard(run, opcode);
    }
}

static void run_program(struct run *run)
{
    while (bytes_left(&run->cursor) > 0) {
        struct bytes start = run->cursor;

        run_sequence(run, !run->wanted);
        /* Rows without an end_sequence cover nobody knows what. */
        if (!run->has_ended || !run->has_start ||
            !code_bounds_hold(&run->sections->code, run->start, run->svma)) {
            run->table->rows.count = run->first_row;
            continue;
        }
        if (run->wanted && places_are_within(run->wanted, run->start, run->svma)) {
            run->cursor = start;
            run_sequence(run, true);
        }
        add_sequence(run);
    }
    run->table->is_damaged = run->table->is_damaged || run->cursor.failed;
}

static int compare_sequences(const void *left, const void *right)
{
    const struct sequence *a = left;
    const struct sequence *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->first_row < b->first_row ? -1 : a->first_row > b->first_row;
}

/* The rows in the order of their addresses, with a row of LINE_NO_FILE wherever code ends. */
static void order_rows(struct run *run)
{
    struct line_table *table = run->table;
    struct line_row *rows = memory_resize(NULL, table->rows.count + run->sequences.count, sizeof(*rows));
    size_t count = 0;
    uint64_t start = 0;
    uint64_t end = 0;

    vec_sort(&run->sequences, compare_sequences);
    for (size_t i = 0; i < run->sequences.count; i++) {
        const struct sequence *sequence = &run->sequences.items[i];

        if (sequence->start < end) {
            /* Of functions that the linker found to be alike one is left, under all their lines. */
            table->is_damaged |= sequence->start != start;
            continue;
        }
        start = sequence->start;
        end = sequence->end;
        if (sequence->row_count == 0)
            continue;
        if (count > 0 && rows[count - 1].svma == sequence->start)
            count--;
        memcpy(&rows[count], &table->rows.items[sequence->first_row], sequence->row_count * sizeof(*rows));
        count += sequence->row_count;
        rows[count++] = (struct line_row){end, LINE_NO_FILE, 0};
    }
    free(table->rows.items);
    table->rows.items = memory_resize(rows, count, sizeof(*rows));
    table->rows.count = count;
    table->rows.capacity = count;
}

void line_table_read(const struct debug_sections *sections, const struct unit *unit,
                     const struct places *wanted, struct line_table *out)
{
    struct line_header header;
    struct run run = {.header = &header, .sections = sections, .wanted = wanted, .table = out};

    *out = (struct line_table){.directory = unit->directory};
    if (unit->line_offset == UNIT_NO_OFFSET || sections->data[DEBUG_LINE].length == 0)
        return;
    if (!line_header_read(sections, unit, out, &header)) {
        out->is_damaged = true;
        return;
    }
    run.cursor = header.program;
    run_program(&run);
    order_rows(&run);
    vec_done(&run.sequences);
}

void line_table_done(struct line_table *table)
{
    vec_done(&table->rows);
    vec_done(&table->files);
}

size_t line_table_after(const struct line_table *table, uint64_t svma)
{
    return SEARCH_AFTER(table->rows.items, table->rows.count, svma, svma);
}

const struct line_row *line_table_find(const struct line_table *table, uint64_t svma)
{
    size_t after = line_table_after(table, svma);

    if (after == 0 || table->rows.items[after - 1].file == LINE_NO_FILE)
        return NULL;
    return &table->rows.items[after - 1];
}

static void add_part(struct text *path, struct slice part)
{
    text_add(path, part);
    if (part.length > 0 && part.data[part.length - 1] != '/')
        text_add_byte(path, '/');
}

static bool is_absolute(struct slice path)
{
    return slice_starts_with(path, SLICE("/"));
}

bool line_table_add_path(const struct line_table *table, uint32_t file, struct text *path)
{
    const struct line_file *found = file < table->files.count ? &table->files.items[file] : NULL;

    if (!found || found->name.length == 0)
        return false;
    if (!is_absolute(found->name)) {
        if (!is_absolute(found->directory))
            add_part(path, table->directory);
        add_part(path, found->directory);
    }
    text_add(path, found->name);
    return true;
}
