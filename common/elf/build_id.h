/* Where files are kept by the build id that they, or what they belong to, have. */
#ifndef ELF_BUILD_ID_H
#define ELF_BUILD_ID_H

#include "base/text.h"

/* Appends "/.build-id/48/dc540c...9444" (GDB manual, "Separate Debug Files"), of an id of two bytes at least.
 */
void build_id_add_path(struct text *path, struct slice build_id);

#endif
