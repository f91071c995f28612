/*
 * The files that mappings of a profile of pprof are of, and where in them the addresses lie: these are of the
 * process, and those of a profile of ours are of the file.
 */
#ifndef IMPORT_PPROF_MODULES_H
#define IMPORT_PPROF_MODULES_H

#include "elf/image.h"
#include "import/pprof_message.h"
#include "profile/profile.h"

/* What is known of a module. */
struct pprof_module {
    bool is_looked_at; /* whether its file is there */
    bool is_open;      /* it is, and has the build id that it is to have, or nothing tells which */
    struct image image;
};

/* Zero-initialised but for `message` and `profile`, both borrowed, is ready. */
struct pprof_modules {
    const struct pprof_message *message;
    struct profile *profile;         /* gets the modules */
    struct pair_index files;         /* path and build id, as strings of the profile: */
    VEC(uint32_t) of_file;           /* their modules */
    VEC(struct pprof_module) opened; /* by module */
    size_t open_count;
};

void pprof_modules_done(struct pprof_modules *modules);

/* Adds the location to the profile; it has no frames then. Its number there. */
uint32_t pprof_modules_add_location(struct pprof_modules *modules, const struct pprof_location *location);

/* Whether the module's file is there with the build id that the code had. */
bool pprof_modules_has_file(struct pprof_modules *modules, uint32_t module);

#endif
