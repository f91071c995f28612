/* The crates that source files are of. */
#ifndef SIZE_SOURCE_CRATES_H
#define SIZE_SOURCE_CRATES_H

#include "dwarf/crate_folders.h"
#include "size/build_package.h"
#include "size/unit_crates.h"

/* Of one file of code. All borrowed but `folders`. Zero-initialised knows none but by path. */
struct source_crates {
    const struct build_package *packages; /* of this build, NULL when it is not known */
    size_t package_count;
    struct crate_folders folders; /* of the units' root files: the crate */
};

/* Notes where the units have their source, whose crates are known. */
void source_crates_add_units(struct source_crates *sources, const struct units *units,
                             const struct unit_crates *unit_crates);

/*
 * The crate of the file, which is added to `crates` where it is new: as the path alone tells it, else the
 * package that it lies in, else the unit whose root file is closest. SIZE_NO_CRATE where none tells.
 */
uint32_t source_crates_find(const struct source_crates *sources, struct slice path,
                            struct size_crates *crates);

void source_crates_done(struct source_crates *sources);

#endif
