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

/* Whether the process has another CLOCK_MONOTONIC than we (time_namespaces(7)). False as above. */
bool process_has_own_clock(uint32_t pid);

/* The root folder of one that is elsewhere, open, and what keeps its mounts in place when it ends; -1: not
 * open. */
struct own_root {
    int folder;
    int mounts;
};

/* To be released with own_root_close. */
void own_root_open(uint32_t pid, struct own_root *out);

/* Whether the process has the same folder and mounts. False where that is unknown. */
bool own_root_is_of(const struct own_root *root, uint32_t pid);

void own_root_close(struct own_root *root);

#endif
