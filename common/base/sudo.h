/* Who called us through sudo (sudo(8), "ENVIRONMENT": SUDO_UID and SUDO_GID). */
#ifndef BASE_SUDO_H
#define BASE_SUDO_H

#include <stdbool.h>
#include <stdint.h>

/* Whether we act as root, and sudo has made us that. */
bool sudo_has_called(void);

/* User and group of who called; false when the variables are none that sudo sets. */
bool sudo_read_caller(uint32_t *user, uint32_t *group);

#endif
