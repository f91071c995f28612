/* Where the file of a module is found: at its path, in a process that has it, or elsewhere. For
 * process/modules alone. */
#ifndef PROCESS_MODULE_FILE_H
#define PROCESS_MODULE_FILE_H

#include "process/modules.h"

/*
 * Opens the module's file and reads what is told of it in struct module. Returns whether what ran was found;
 * else nothing is changed.
 */
bool module_file_take(struct modules *modules, struct module *module);

/* Whether we may not read it, or not ask the process that would tell it. */
bool module_file_is_denied(const struct module *module);

/* NULL is let pass. */
void module_file_free_image(struct image *image);

/* A copy that lives as long as the modules, NUL-terminated. */
struct slice module_file_keep(struct modules *modules, struct slice bytes);

#endif
