/*
 * One ELF file, opened for reading: program, shared library or object file; 32 or 64 bit,
 * either byte order, any machine. Only the parts asked for are read, and they are read,
 * not mapped: a file that is rewritten or cut meanwhile gives an error, never SIGBUS.
 */
#ifndef ELF_IMAGE_H
#define ELF_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/slice.h"
#include "elf/sections.h"

struct image {
    const char *name;       /* for messages: the path, or what image_open_bytes was given */
    const char *place;      /* by which others are found beside it: NAME, where nothing else was told; of a */
                            /* separate debug file that of what it is of, borrowed */
    size_t root_length;     /* of the place: the folder that its system's paths begin in; 0: our own root */
    uint64_t size_bytes;    /* of the whole file */
    uint16_t machine;       /* EM_* */
    uint16_t type;          /* ET_REL object, ET_EXEC, ET_DYN program or library, ET_CORE */
    uint32_t flags;         /* e_flags, of the machine's own meaning */
    unsigned address_bytes; /* 4 or 8 */
    bool big_endian;        /* order of the numbers in the file */
    uint64_t entry_svma;    /* where a program begins; 0 for what cannot be started */
    struct slice build_id;  /* raw bytes; empty when there is none */
    uint64_t program_offset; /* of the program header table: offset, entries, bytes of each */
    uint32_t program_count;
    uint32_t program_entry_bytes;
    uint32_t header_bytes;         /* of the ELF header itself */
    uint64_t section_table_offset; /* of the section headers; 0 when there are none */
    uint64_t section_table_bytes;
    struct sections sections;
    bool is_linked_alone; /* an object whose sections got addresses in memory (elf/link_alone.h) */

    struct slice bytes;      /* borrowed; the file itself when it was opened from memory */
    int descriptor;          /* owned; -1 when opened from memory */
    char **section_data;     /* owned, by section index; NULL until read */
    uint64_t unpacked_bytes; /* that compressed sections held which were read, */
    uint64_t packed_bytes;   /* and what they take in the file */
    bool *unsettled;         /* in the arena, by section index: see image_is_settled; NULL: all are */
    struct arena arena;      /* sections and names */
};

/*
 * Opens the file at `path`. Returns 0, or -1 with ERROR_IO (not there, a folder, no right, not a
 * regular file) or ERROR_FORMAT: empty, not ELF (the message says what it is instead),
 * cut short, of an unknown class or byte order, a section table, a section or a table of program headers
 * that ends past the end of the file. Every message names the file. `out` is untouched then, and is
 * to be closed with image_close otherwise.
 */
MUST_CHECK int image_open(const char *path, struct image *out, struct error *err);

/* The same from memory. `bytes` is borrowed until image_close; `name` is copied. */
MUST_CHECK int image_open_bytes(struct slice bytes, const char *name, struct image *out, struct error *err);

/*
 * Tells where the file stands, when that is not where it was opened: at `path` of the system whose root
 * folder is at `root`, such as a container's; empty: ours. Both are copied.
 */
void image_set_place(struct image *image, struct slice root, struct slice path);

/* Where a file and what belongs to it are found: as of struct image, and borrowed from it. */
struct file_place {
    const char *name;
    const char *place;
    size_t root_length;
};

struct file_place image_file_place(const struct image *image);

/* The folder that the file's system's paths begin in; empty: our own root. */
struct slice file_place_root(const struct file_place *file);

/* One that was never opened, zero-initialised, is let pass: 0 is not its descriptor. */
void image_close(struct image *image);

/*
 * Gives the section's bytes as they are in the file (compressed ones stay so), valid until image_close
 * or image_release_section; empty for a section without bytes in the file. A section is read once.
 * Returns 0, or -1 with ERROR_IO when the file could not be read or has become shorter.
 */
MUST_CHECK int image_read_section(struct image *image, const struct section *section, struct slice *out,
                                  struct error *err);

/*
 * Reads exactly `length` bytes of the file at `offset` into `into`. Returns 0, or -1 with ERROR_FORMAT when
 * the file has not so many, ERROR_IO when it could not be read or has become shorter.
 */
MUST_CHECK int image_read_at(const struct image *image, uint64_t offset, char *into, uint64_t length,
                             struct error *err);

/* Frees what was read of the section; asked for again, it is read again. What was changed in memory stays. */
void image_release_section(struct image *image, const struct section *section);

/*
 * For elf/link_alone.h: the table of sections and the bytes of one, to be changed in memory, where later
 * reads see it; the bytes are file_bytes many. Returns as image_read_section does.
 */
struct section *image_edit_sections(struct image *image);
MUST_CHECK int image_edit_bytes(struct image *image, const struct section *section, char **out,
                                struct error *err);

/* Notes that what the section refers to could not be put into it; and whether that is not so. */
void image_mark_unsettled(struct image *image, const struct section *section);
bool image_is_settled(const struct image *image, const struct section *section);

/* A cursor over such bytes in the file's byte order, and a number as wide as its addresses. */
struct bytes image_cursor(const struct image *image, struct slice data);
uint64_t image_read_address(const struct image *image, struct bytes *cursor);

#endif
