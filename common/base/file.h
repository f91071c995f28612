/*
 * Reading whole files, and writing outputs that are replaced all at once: a reader
 * sees the old content or the new, never half of it, and a failure leaves the old.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/slice.h"
#include "base/text.h"

/* For SCOPED: closes what is open and marks it closed. */
void file_close(FILE **file);
void file_close_descriptor(int *descriptor);

/*
 * Appends all of `path` to `content`. Returns 0, or -1 with ERROR_IO naming the path (not
 * there, a folder, no right, a read error) or ERROR_FORMAT when it holds more than
 * `limit_bytes`; the bytes of `content` are then as they were.
 */
MUST_CHECK int file_read(const char *path, size_t limit_bytes, struct text *content, struct error *err);

/*
 * The same of what is found in a folder, where nobody writes to a pipe: ERROR_IO, too, when it is no regular
 * file, which is then not read.
 */
MUST_CHECK int file_read_regular(const char *path, size_t limit_bytes, struct text *content,
                                 struct error *err);

/* Appends what `descriptor` gives until its end; `name` is for messages. Failures as of file_read. */
MUST_CHECK int file_read_descriptor(int descriptor, const char *name, size_t limit_bytes,
                                    struct text *content, struct error *err);

/*
 * Whether a read that failed with the errno `cause` is to be tried again: a signal came, or there is nothing
 * yet in a pipe, a socket or a terminal that is set not to wait (O_NONBLOCK), as whoever shares it may have
 * done. That is then waited for.
 */
bool file_read_again(int descriptor, int cause);

/*
 * Reads exactly `length` bytes at `offset` of an open file into `into`; `name` is for messages. Returns 0, or
 * -1 with ERROR_IO: a read error, or the file ends before. Part of `into` may be written then.
 */
MUST_CHECK int file_read_at(int descriptor, const char *name, uint64_t offset, char *into, size_t length,
                            struct error *err);

/* Writes all of `content` to an open file. Returns 0, or the errno of the write that failed. */
MUST_CHECK int file_write(int descriptor, struct slice content);

/*
 * Makes `content` the content of `path`, as of base/replacement.h. Returns 0, or -1 with ERROR_IO
 * naming the path; the old content is then as it was and nothing is left beside it.
 */
MUST_CHECK int file_replace(const char *path, struct slice content, struct error *err);

/*
 * The same for what can be made again and tells when it is damaged: nothing waits for the disk, so that part
 * of the content may be missing after a crash of the machine.
 */
MUST_CHECK int file_replace_cached(const char *path, struct slice content, struct error *err);

/*
 * Whether file_replace can be expected to succeed, asked before the work that makes the content: nothing is
 * opened, made or changed. Returns 0, or -1 with ERROR_IO as it would; the hint says what is the
 * matter with its folder, or what keeps an old file in its place.
 */
MUST_CHECK int file_check_replaceable(const char *path, struct error *err);

/* When the file was written last, in nanoseconds since 1970; 0 when that is not known. */
uint64_t file_changed_unix_ns(const char *path);

/* Whether the folder that `path` leads to is not there; appends its name then. */
bool file_lacks_folder(const char *path, struct text *folder);

/*
 * The path as people here would type it: what follows the folder we are in where it lies below, else all of
 * it. Part of `path`.
 */
const char *file_from_here(const char *path);

/*
 * Whether nothing here is called by this bare name, so that it may be meant as something else than a file.
 * Not what has a folder in it, nor "-", which is standard input.
 */
bool file_is_unknown_name(const char *name);

/* Whether there is a regular file, or a link to one. */
bool file_is_regular(const char *path);

/* Whether both paths lead to one regular file. */
bool file_is_one(const char *path, const char *other);

/* Whether both files are there, and the first was written before the other. */
bool file_is_older(const char *path, const char *other);

/*
 * Whether nothing of the file system that `path` is on can be run or mapped as code (mount(8), noexec).
 * False where that is not known.
 */
bool file_forbids_code(const char *path);

/*
 * Writes all of `content` to standard output. Returns 0 also when the reader has closed the
 * pipe, which is no failure of ours; -1 with ERROR_IO otherwise (a full disk).
 */
MUST_CHECK int file_write_stdout(struct slice content, struct error *err);

#endif
