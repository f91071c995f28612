/* The files of code at a path: one that is linked, one object, or all objects of an archive. */
#ifndef SIZE_IMAGES_H
#define SIZE_IMAGES_H

#include "elf/image.h"
#include "size/crates.h"

struct images_visitor {
    void *context;
    /*
     * Takes over one image. `library` is the crate whose object it is, without a name when that is not known
     * or the file is none of an archive. Returns 0, or -1; ERROR_MISSING of an archive's member means that
     * the member has nothing to visit, and is no failure.
     */
    int (*visit)(void *context, struct image *image, const struct crate_fact *library, struct error *err);
};

/* What was found; zero-initialised before the visit. */
struct images_seen {
    uint64_t file_bytes;
    bool is_archive;
    bool is_merged;    /* an archive in which link-time optimisation made one unit of all crates; set first */
    bool has_builtins; /* an archive with units of compiler_builtins; set first */
    uint64_t image_bytes;   /* of the images that were visited and had something to visit */
    uint64_t foreign_bytes; /* of an archive's members that are no objects */
    size_t member_count;    /* of an archive, whatever they are */
    size_t bitcode_count; /* of these, codegen units that are no objects: LLVM's for link-time optimisation */
};

/*
 * Visits all images in the order of the file; members that are none are passed over. Returns 0, or -1: as of
 * image_open, archive_open and archive_open_object, or what a visit failed with. `seen` is set as far as it
 * came.
 */
MUST_CHECK int images_visit(const char *path, const struct images_visitor *visitor, struct images_seen *seen,
                            struct error *err);

#endif
