/* The source files of a profile's functions, for those of their places that tell none. */
#ifndef EMIT_FUNCTION_FILES_H
#define EMIT_FUNCTION_FILES_H

#include "profile/profile.h"

/* Zero-initialised knows of none. */
struct function_files {
    struct pair_index functions; /* function, module */
    VEC(uint32_t) files;         /* by function: string, the first that one of its frames tells */
};

/* Of all frames of the profile. To be released with function_files_done. */
void function_files_init(struct function_files *files, const struct profile *profile);
void function_files_done(struct function_files *files);

/* The frame's own file, or else its function's in that module; PROFILE_NO_STRING when none is known. */
uint32_t function_file(const struct function_files *files, const struct profile_frame *frame,
                       uint32_t module);

#endif
