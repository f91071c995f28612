/*
 * What reading all debug information of a file costs, and a lookup in it:
 *
 *     bench_dwarf FILE [THREADS]
 *
 * With addresses (hexadecimal, one a line) on standard input and "-" instead of THREADS it prints the calls
 * at each, innermost first, as llvm-symbolizer does: a name and a "file:line" line each, then an empty line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "dwarf/debug_info.h"

static double seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static long peak_kilobytes(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void print_calls(struct debug_info *info)
{
    struct source_frame frames[SOURCE_FRAMES_MOST];
    char line[64];

    while (fgets(line, sizeof(line), stdin)) {
        size_t count = debug_info_find(info, strtoull(line, NULL, 16), frames);

        for (size_t i = 0; i < count; i++) {
            SCOPED(text_done) struct text path = {0};
            struct slice name = frames[i].name.text;

            if (!debug_info_add_path(info, &frames[i], &path))
                text_add_string(&path, "??");
            printf("%.*s\n%s:%" PRIu32 "\n", name.length ? (int)name.length : 2,
                   name.length ? name.data : "??", text_string(&path), frames[i].line);
        }
        if (count == 0)
            puts("??\n??:0");
        puts("");
    }
}

static void measure_lookups(struct debug_info *info)
{
    enum { LOOKUPS = 1000000 };
    struct source_frame frames[SOURCE_FRAMES_MOST];
    uint64_t span = info->sections.code.end - info->sections.code.start;
    uint64_t random = 1;
    size_t found = 0;
    double start = seconds(CLOCK_PROCESS_CPUTIME_ID);

    for (int i = 0; i < LOOKUPS && span > 0; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        found += debug_info_find(info, info->sections.code.start + (random >> 20) % span, frames);
    }
    printf("lookups: %.3f us each, %.2f frames on average\n",
           (seconds(CLOCK_PROCESS_CPUTIME_ID) - start) * 1e6 / LOOKUPS, (double)found / LOOKUPS);
}

static void print_counts(const struct debug_info *info)
{
    size_t frames = 0;
    size_t rows = 0;
    size_t names = 0;
    size_t damaged = info->units.damaged_count;

    for (size_t i = 0; i < info->units.items.count; i++) {
        frames += info->details[i].functions.frames.count;
        names += info->details[i].functions.names.count;
        rows += info->details[i].lines.rows.count;
        damaged += info->details[i].functions.is_damaged + info->details[i].lines.is_damaged;
    }
    printf("%zu units, %zu frames, %zu names, %zu line rows, %zu damaged\n", info->units.items.count, frames,
           names, rows, damaged);
}

static int measure(const char *path, const char *threads)
{
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    double wall = seconds(CLOCK_MONOTONIC);
    struct error err = {0};
    struct image image;
    struct debug_info info;

    if (image_open(path, &image, &err) < 0 || debug_info_open(&image, DEBUG_WHOLE, &info, &err) < 0) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    if (strcmp(threads, "-") == 0) {
        print_calls(&info);
    } else {
        printf("units: %.3f CPU-s\n", seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
        debug_info_read_all(&info, (unsigned)strtoul(threads, NULL, 10));
        printf("all: %.3f CPU-s, %.3f s, peak %ld KB, file %" PRIu64 "\n",
               seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, seconds(CLOCK_MONOTONIC) - wall, peak_kilobytes(),
               image.size_bytes);
        print_counts(&info);
        measure_lookups(&info);
    }
    debug_info_close(&info);
    image_close(&image);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: bench_dwarf FILE [THREADS | -]\n");
        return 2;
    }
    return measure(argv[1], argc > 2 ? argv[2] : "1");
}
