/* The modules of a profile that samples were taken in: files, and code that processes make. */
#ifndef COLLECT_SAMPLED_MODULES_H
#define COLLECT_SAMPLED_MODULES_H

#include "process/jit_map.h"
#include "process/processes.h"
#include "profile/profile.h"

/* To be released with sampled_modules_done. Zero-initialised is none. */
struct sampled_modules {
    VEC(uint32_t) ids;            /* the profile's, by the one in `struct modules`; PROFILE_NONE: none yet */
    struct pair_index jit_index;  /* 0, pid */
    VEC(uint32_t) jit_ids;        /* the profile's of a process's code in no file, */
    VEC(struct jit_map) jit_maps; /* and where it tells of that */
};

/* Descriptors, and what processes tell of their code. Zero-initialised is none; to be released with
 * open_files_close, which leaves none. */
struct open_files {
    VEC(int) items;
    struct jit_dumps jit_dumps; /* each use with the profile's module; PROFILE_NONE: no sample was in that */
};

void open_files_close(struct open_files *files);

void sampled_modules_done(struct sampled_modules *sampled);

/* The profile's module for the file `id`, which `module` is. */
uint32_t sampled_modules_file(struct sampled_modules *sampled, struct profile *profile, uint32_t id,
                              const struct module *module);

/*
 * That for code of a process that is in no file that can be read: only the process can tell what it is, or
 * the one that it was forked from.
 */
uint32_t sampled_modules_jit(struct sampled_modules *sampled, struct profile *profile,
                             struct processes *processes, uint32_t pid);

/* Notes in the profile which files are others by now. */
void sampled_modules_note_replaced(const struct sampled_modules *sampled, const struct modules *modules,
                                   struct profile *profile);

/*
 * Keeps the files open that paths do not lead us to (module.is_elsewhere, module_is_unlinked), and tells the
 * profile's modules where they are. Their descriptors, and those of modules.roots, are added to `files`, and
 * are the caller's to close once all names are found. A file that cannot be kept has no names.
 */
void sampled_modules_keep_files(const struct sampled_modules *sampled, struct modules *modules,
                                struct profile *profile, struct open_files *files);

/* Moves what processes tell of their code to `files`. */
void sampled_modules_keep_dumps(const struct sampled_modules *sampled, struct processes *processes,
                                struct open_files *files);

#endif
