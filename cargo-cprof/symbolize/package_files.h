/*
 * C and assembly whose build script takes the package's folder off their paths (-ffile-prefix-map), as that
 * of aws-lc-sys does: "/aws-lc/crypto/bio/bio.c" is of the package of the build that has such a file.
 */
#ifndef SYMBOLIZE_PACKAGE_FILES_H
#define SYMBOLIZE_PACKAGE_FILES_H

#include "base/intern.h"
#include "base/text.h"

/* One package that was built. Borrowed. */
struct package_folder {
    struct slice name;   /* "aws-lc-sys" */
    struct slice folder; /* that of its Cargo.toml: absolute */
};

/* Zero-initialised knows none; to be released with package_files_done. */
struct package_files {
    const struct package_folder *packages; /* borrowed */
    size_t package_count;
    struct intern paths;       /* those that were looked for */
    VEC(struct slice) of_path; /* the package's name; empty: none has it */
    struct text path;          /* scratch */
};

/*
 * The name of the only package that has the file in its folder, at the path that it has in debug information,
 * absolute or of a compiler whose folder was taken off too; empty where an absolute one is of a file itself,
 * or none or several packages have it.
 */
struct slice package_files_find(struct package_files *files, struct slice path);

void package_files_done(struct package_files *files);

#endif
