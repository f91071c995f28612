/*
 * Archives as ar(1) makes them: rlibs and static libraries. Names and places of the members, the index of
 * the symbols they define; the form of System V and GNU, with BSD's long names.
 */
#ifndef ELF_ARCHIVE_H
#define ELF_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"
#include "base/vec.h"

struct archive_member {
    struct slice name; /* as it was added: "zstd_compress.o"; in the archive's arena */
    uint64_t offset;   /* of its header */
    uint64_t data_offset;
    uint64_t size_bytes; /* of its data, which lie within the file */
};

struct archive_symbol {
    struct slice name; /* in the archive's arena */
    uint32_t member;   /* index in `members` */
};

struct archive {
    const char *name; /* for messages */
    struct arena arena;
    VEC(struct archive_member) members; /* by offset; without the index and the table of names */
    VEC(struct archive_symbol) symbols; /* as the index lists them; empty when it has none */
    size_t damaged_count;               /* entries of the index that point nowhere */
    uint64_t size_bytes;                /* of the whole file */
    struct slice bytes;                 /* borrowed, when it was opened from memory */
    int descriptor;                     /* owned; -1 when opened from memory */
};

/*
 * Whether the file at `path` is one; false for one that cannot be read. Thin archives, which hold no members,
 * are none.
 */
bool archive_is_at(const char *path);

/*
 * Opens the archive at `path`, reading headers and index, not the members. Returns 0, or -1 with ERROR_IO, or
 * ERROR_FORMAT for what is no archive or is damaged: a header that is not of the form, a member that goes
 * past the end. `out` is untouched then, and is to be closed with archive_close otherwise.
 */
MUST_CHECK int archive_open(const char *path, struct archive *out, struct error *err);

/* The same from memory, which is borrowed until archive_close; `name` is copied. */
MUST_CHECK int archive_open_bytes(struct slice bytes, const char *name, struct archive *out,
                                  struct error *err);

void archive_close(struct archive *archive);

/* Reads a member's data into `arena`. Returns 0, or -1 with ERROR_IO. */
MUST_CHECK int archive_read_member(const struct archive *archive, const struct archive_member *member,
                                   struct arena *arena, struct slice *out, struct error *err);

/* Reads `length` bytes of a member's data from `offset` on, all of which it has, into `into`. As above. */
MUST_CHECK int archive_read_part(const struct archive *archive, const struct archive_member *member,
                                 uint64_t offset, char *into, size_t length, struct error *err);

#endif
