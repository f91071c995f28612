/*
 * Whether the file at a path is still the one that was mapped. A build id tells it better; this is for files
 * that have none, and for mappings that came without.
 */
#ifndef PROCESS_FILE_IDENTITY_H
#define PROCESS_FILE_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* What is known of a file when it is mapped. */
struct file_seen {
    uint64_t inode;   /* 0: unknown */
    uint64_t time_ns; /* CLOCK_MONOTONIC; 0: unknown */
    uint64_t device;  /* as of struct sample_mapping: not always what stat(2) tells, as on btrfs */
};

/*
 * Whether the file, which is there now, was put there or written after it was seen, or within the kernel's
 * tick before, which is how finely it tells when a file was changed. Time alone does not tell: a new link to
 * a file or other rights change its time of change too; the inode alone does not either: overlayfs shows
 * another one than the kernel. False where either is unknown.
 */
bool file_is_later(const struct file_seen *seen, const struct stat *now);

/*
 * Whether the open file has another inode than what was seen, where that tells: false on overlayfs, which
 * shows another one than the kernel, and where it is unknown. Unlike time this does not depend on clocks that
 * are set meanwhile.
 */
bool file_has_another_inode(const struct file_seen *seen, int descriptor, const struct stat *now);

/* Whether two looks at a path found different files. */
bool file_is_another(const struct stat *before, const struct stat *after);

/* Whether they did, or the same one written to in between. */
bool file_differs(const struct stat *before, const struct stat *after);

/* Whether what is at the path, not on overlayfs, was there by then already, and has another inode. */
bool file_was_another(const char *path, uint64_t inode, uint64_t then_unix_ns);

#endif
