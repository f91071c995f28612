/* Lines of /proc/PID/maps: what stands where in the memory of a process (proc(5)). */
#ifndef PROCESS_MAPS_H
#define PROCESS_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct maps_line {
    uint64_t start_avma;
    uint64_t end_avma; /* past the last address, above start_avma */
    uint64_t file_offset;
    bool is_executable;
    uint64_t device;   /* of the file: its major number above the minor one, 32 bits each */
    uint64_t inode;    /* 0 for no file */
    struct slice path; /* borrowed, as it stands there: a line end in a name is "\012"; empty for none */
};

enum maps_found {
    MAPS_FOUND,
    MAPS_NONE,   /* it is the kernel's, or has ended */
    MAPS_DENIED, /* it belongs to another user, or forbids that it is looked into */
};

/* The text of a process or thread. */
enum maps_found maps_read(uint32_t pid, struct text *out);

/* Reads one line, without its end. False, with `out` untouched, when it is not of the kernel's form. */
bool maps_read_line(struct slice line, struct maps_line *out);

#endif
