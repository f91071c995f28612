/* Processes for which paths lead elsewhere than for us: in a container, after chroot(2), with mounts of its
 * own. */
#ifndef PROCESS_OWN_ROOT_H
#define PROCESS_OWN_ROOT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether the process has another root folder than we, or its own mounts (mount_namespaces(7)). Its files are
 * then below /proc/PID/root. False for one that has ended or that we may not look into.
 */
bool process_is_elsewhere(uint32_t pid);

#endif
