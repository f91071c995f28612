/*
 * Functions of a program's own crate that have names as C's: handlers of interrupts, callbacks, kernels, what
 * #[no_mangle] or #[export_name] stands before. Their names show no crate; where they stand does.
 */
#ifndef SIZE_UNMANGLED_H
#define SIZE_UNMANGLED_H

#include "size/code_map.h"
#include "size/crates.h"
#include "size/used/used.h"

/* A linked program, of which all that names, units and libraries tell is known. All borrowed. */
struct unmangled_program {
    const struct code_map *map;
    const struct size_crates *crates;
    uint32_t crate;   /* whose program it is */
    bool is_merged;   /* link-time optimisation made one unit of all crates */
    bool is_alone;    /* no library of its build told what that one defines; */
    bool is_beside_c; /* then whether code of C's may stand before that of the program's own */
};

/* Whether other files could refer to one of the function's names. */
bool unmangled_is_exported(const struct code_function *function);

/*
 * rustc hands the linker the program's own objects first, then the libraries, C's last: what no library of
 * the build has among the code of the program's crate, or between that and the next crate's, is that crate's.
 * Of a file alone that is what stands between functions of the crate's own. `used` is by function; those
 * that are found become USED_INFERRED, all others are left.
 */
void unmangled_find(const struct unmangled_program *program, struct used *used);

/*
 * The same of an object that link-time optimisation made of all crates: C's objects are no part of what that
 * merges, so that what has names as C's is a crate's, mostly the last one's, which is given.
 */
void unmangled_give(const struct code_map *map, uint32_t crate, struct used *used);

#endif
