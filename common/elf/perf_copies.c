#include "elf/perf_copies.h"

#include <stdlib.h>

void perf_copies_add_folder(struct text *path)
{
    const char *chosen = getenv("PERF_BUILDID_DIR");
    const char *home = getenv("HOME");

    if (chosen && chosen[0])
        text_add_string(path, chosen);
    else
        text_format(path, "%s/.debug", home ? home : "");
}
