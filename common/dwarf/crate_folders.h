/*
 * Which crate a source file is of whose path alone does not tell (dwarf/source_path.h): one of the workspace,
 * of a path dependency, of a git checkout. rustc names each unit after its crate's root file,
 * "util/src/lib.rs", and modules lie beside that or below.
 */
#ifndef DWARF_CRATE_FOLDERS_H
#define DWARF_CRATE_FOLDERS_H

#include "base/intern.h"
#include "base/text.h"
#include "dwarf/units.h"

#define CRATE_FOLDERS_NONE UINT32_MAX

/* Crates by path. Zero-initialised is empty. */
struct crates_by_path {
    struct intern paths;
    VEC(uint32_t) crates; /* by path; CRATE_FOLDERS_NONE: several have it */
};

/* Zero-initialised is empty. Paths are put together as line_table_add_path does. */
struct crate_folders {
    struct crates_by_path sources;   /* root files and their folders: "/ws/util/src/lib.rs", "/ws/util/src" */
    struct crates_by_path libraries; /* folders of packages, "/ws/util", by the crate of src/lib.rs */
    struct crates_by_path packages;  /* the same by their other crates: programs, tests, examples */
    struct text path;                /* scratch */
};

/*
 * Notes that the unit is of the crate, which is any number of the caller's but CRATE_FOLDERS_NONE. The unit's
 * names are to be known (units_read_names). One of another compiler's, of a package of cargo's registry or of
 * std is left out.
 */
void crate_folders_add(struct crate_folders *folders, const struct unit *unit, uint32_t crate);

/*
 * The crate that the Rust source file is of: that of the innermost folder which has one; CRATE_FOLDERS_NONE
 * where none has, or the root files of several crates lie there. O(length of the path).
 */
uint32_t crate_folders_of_rust(const struct crate_folders *folders, struct slice path);

/*
 * The same for a file of another language that a package's build script had compiled, by the package that it
 * lies in: its library's, which cargo links it into, where that has a unit; else that of the only crate of
 * the package that has one. `directory` is where it was compiled, mostly the package's own folder: below that
 * of the package found it is CRATE_FOLDERS_NONE, as there may be a package that has no unit.
 */
uint32_t crate_folders_of_foreign(const struct crate_folders *folders, struct slice path,
                                  struct slice directory);

void crate_folders_done(struct crate_folders *folders);

#endif
