/*
 * What reading the call frame information of a file costs, and a lookup in it:
 *
 *     bench_cfi FILE
 *     bench_cfi FILE -      prints the rows: address, CFA, return address, frame pointer
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "dwarf/cfi.h"

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void print_rows(const struct cfi *cfi)
{
    static const char *const cfa_rules[] = {"none", "register", "memory", "plt", "other"};
    static const char *const rules[] = {"same", "undefined", "at", "is", "at-base", "in", "other"};

    for (size_t i = 0; i < cfi->rows.count; i++) {
        const struct cfi_row *row = &cfi->rows.items[i];

        printf("%" PRIx64 " %s %u %d %s %d %s %d\n", row->svma, cfa_rules[row->cfa_rule], row->cfa_register,
               row->cfa_offset, rules[row->return_rule], row->return_offset, rules[row->frame_rule],
               row->frame_offset);
    }
}

static void measure_lookups(const struct cfi *cfi)
{
    enum { LOOKUPS = 1000000 };
    uint64_t first = cfi->rows.items[0].svma;
    uint64_t span = cfi->rows.items[cfi->rows.count - 1].svma - first;
    uint64_t random = 1;
    size_t found = 0;
    double start = cpu_seconds();

    for (int i = 0; i < LOOKUPS && span > 0; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        found += cfi_find(cfi, first + (random >> 20) % span) != NULL;
    }
    printf("lookups: %.0f ns each, %.1f%% found\n", (cpu_seconds() - start) * 1e9 / LOOKUPS,
           (double)found * 100 / LOOKUPS);
}

int main(int argc, char **argv)
{
    double start = cpu_seconds();
    struct error err = {0};
    struct image image;
    struct cfi cfi;

    if (argc < 2 || image_open(argv[1], &image, &err) < 0 || cfi_read(&image, &cfi, &err) < 0) {
        fprintf(stderr, "%s\n", argc < 2 ? "usage: bench_cfi FILE [-]" : err.message);
        return 1;
    }
    if (argc > 2) {
        print_rows(&cfi);
    } else {
        printf("%zu rows in %.1f ms CPU, %zu KB, %zu damaged\n", cfi.rows.count,
               (cpu_seconds() - start) * 1e3, cfi.rows.count * sizeof(struct cfi_row) / 1024,
               cfi.damaged_count);
        if (cfi.rows.count > 0)
            measure_lookups(&cfi);
    }
    cfi_done(&cfi);
    image_close(&image);
    return 0;
}
