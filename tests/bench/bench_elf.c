/*
 * What opening ELF files, reading their symbols and mapping .text costs, and what comes out:
 *
 *     bench_elf FILE...
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "elf/image.h"
#include "elf/symbols.h"
#include "size/code_map.h"

static double cpu_milliseconds(void)
{
    return (double)clock() * 1000 / CLOCKS_PER_SEC;
}

static int measure(const char *path, struct error *err)
{
    struct image image;
    struct symbols symbols;
    struct code_map map;
    double start = cpu_milliseconds();

    if (image_open(path, &image, err) < 0 || symbols_read(&image, &symbols, err) < 0 ||
        code_map_build(&image, &symbols, SLICE(".text"), &map, err) < 0)
        return -1;
    printf("%s: %.1f ms CPU, file %" PRIu64 ", .text %" PRIu64 ", %zu symbols, %zu functions, %zu ranges, "
           "padding %" PRIu64 ", unnamed %" PRIu64 "\n",
           path, cpu_milliseconds() - start, image.size_bytes, map.total_bytes, symbols.count,
           map.functions.count, map.ranges.count, map.padding_bytes, map.unnamed_bytes);
    code_map_done(&map);
    symbols_done(&symbols);
    image_close(&image);
    return 0;
}

int main(int argc, char **argv)
{
    int failed = 0;

    for (int i = 1; i < argc; i++) {
        struct error err = {0};

        if (measure(argv[i], &err) < 0) {
            fprintf(stderr, "%s\n", err.message);
            failed = 1;
        }
    }
    return failed;
}
