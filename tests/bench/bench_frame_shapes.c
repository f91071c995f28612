/*
 * How far frames that are read from code alone are those that a file's call frame information tells, and what
 * the reading costs:
 *
 *     bench_frame_shapes FILE
 *     bench_frame_shapes FILE -      prints each function with a first place where they differ
 */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "code/frame_shapes.h"
#include "dwarf/cfi.h"
#include "elf/symbols.h"

/* In bytes of code that call frame information covers. */
struct counts {
    uint64_t all;
    uint64_t equal;
    uint64_t other_register; /* the CFA is told by another one: not compared */
    uint64_t unknown;
    uint64_t different;
};

struct comparison {
    const struct cfi *cfi;
    struct counts counts;
    bool is_printed;
};

/* Whether both tell the CFA by what the same register holds, or by what is stored there. */
static bool is_comparable(const struct frame_shape *shape, const struct cfi_row *row)
{
    return shape->cfa_register == row->cfa_register &&
           shape->is_in_memory == (row->cfa_rule == CFI_CFA_MEMORY);
}

static bool is_equal(const struct frame_shape *shape, const struct cfi_row *row)
{
    return shape->cfa_offset == row->cfa_offset && shape->stored_below == row->cfa_words * 8;
}

static void compare_at(struct comparison *comparison, const struct elf_symbol *symbol,
                       const struct frame_shapes *shapes, uint64_t svma, bool *differs)
{
    const struct cfi_row *row = cfi_find(comparison->cfi, svma);
    const struct frame_shape *shape = frame_shapes_find(shapes, svma);
    struct counts *counts = &comparison->counts;

    if (!row || (row->cfa_rule != CFI_CFA_REGISTER && row->cfa_rule != CFI_CFA_MEMORY))
        return;
    counts->all++;
    if (!shape) {
        counts->unknown++;
    } else if (!is_comparable(shape, row)) {
        counts->other_register++;
    } else if (is_equal(shape, row)) {
        counts->equal++;
    } else {
        counts->different++;
        if (comparison->is_printed && !*differs)
            printf("%.*s+%" PRIu64 ": %d instead of %d\n", SLICE_ARGUMENTS(symbol->name), svma - symbol->svma,
                   shape->cfa_offset, row->cfa_offset);
        *differs = true;
    }
}

static void compare_function(struct comparison *comparison, struct image *image,
                             const struct elf_symbol *symbol, double *seconds)
{
    const struct section *section = &image->sections.items[symbol->section];
    uint64_t at = symbol->svma - section->svma;
    struct frame_shapes shapes = {0};
    struct code_bytes code = {.svma = symbol->svma};
    struct error err = {0};
    clock_t start = 0;
    bool differs = false;

    if (image_read_section(image, section, &code.bytes, &err) < 0)
        return;
    code.bytes = slice_range(code.bytes, at, at + symbol->size_bytes);
    start = clock();
    if (frame_shapes_read(&code, &shapes, &err) < 0)
        return;
    *seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
    for (uint64_t i = 0; i < code.bytes.length; i++)
        compare_at(comparison, symbol, &shapes, symbol->svma + i, &differs);
    frame_shapes_done(&shapes);
}

static void print(const struct counts *counts, size_t functions, double seconds)
{
    double percent = counts->all > 0 ? 100.0 / (double)counts->all : 0;

    printf("%zu functions, %" PRIu64
           " bytes with call frame information: %.2f %% equal, %.2f %% by the other "
           "register, %.2f %% unknown, %.3f %% different\n",
           functions, counts->all, (double)counts->equal * percent, (double)counts->other_register * percent,
           (double)counts->unknown * percent, (double)counts->different * percent);
    printf("%.0f us of CPU a function\n", functions > 0 ? seconds * 1e6 / (double)functions : 0);
}

int main(int argc, char **argv)
{
    struct error err = {0};
    struct image image;
    struct cfi cfi;
    struct symbols symbols;
    struct comparison comparison = {.cfi = &cfi, .is_printed = argc > 2};
    size_t functions = 0;
    double seconds = 0;

    if (argc < 2 || image_open(argv[1], &image, &err) < 0 || cfi_read(&image, &cfi, &err) < 0 ||
        symbols_read(&image, &symbols, &err) < 0) {
        fprintf(stderr, "%s\n", argc < 2 ? "usage: bench_frame_shapes FILE [-]" : err.message);
        return 1;
    }
    for (size_t i = 0; i < symbols.count; i++) {
        const struct elf_symbol *symbol = &symbols.items[i];
        bool is_alias = i > 0 && symbols.items[i - 1].svma == symbol->svma;

        if (symbol->type != STT_FUNC || symbol->size_bytes == 0 || is_alias ||
            slice_find(symbol->name, SLICE(".cold")) < symbol->name.length)
            continue;
        compare_function(&comparison, &image, symbol, &seconds);
        functions++;
    }
    print(&comparison.counts, functions, seconds);
    symbols_done(&symbols);
    cfi_done(&cfi);
    image_close(&image);
    return 0;
}
