/* A file of a profile as it is read, part by part; what is packed (base/unpacker.h) as what it holds. */
#ifndef IMPORT_INPUT_FILE_H
#define IMPORT_INPUT_FILE_H

#include "base/error.h"
#include "base/slice.h"
#include "base/text.h"
#include "base/unpacker.h"

/* Zero-initialised but for the first two, to be released with input_file_done. */
struct input_file {
    const char *name;          /* for messages; */
    int descriptor;            /* both borrowed */
    char *part;                /* the room for parts, */
    char *stored;              /* and for what they are unpacked from; */
    struct slice packed;       /* what is left there */
    struct unpacker *unpacker; /* NULL: nothing is */
    uint64_t stored_bytes;     /* read so far, */
    uint64_t content_bytes;    /* and unpacked of it */
    bool has_ended;            /* there is no more to be read */
};

void input_file_done(struct input_file *file);

/* How the file is called without what its packing has added: "app.cprof" of "app.cprof.gz". */
struct slice input_file_plain_name(const char *name);

/*
 * The next bytes that the file holds, valid until the next call: all for which there is room, some 256 KiB,
 * fewer only at its end, none behind that. Returns 0, or -1 with ERROR_IO, and of what is packed with
 * ERROR_MISSING without the library, and ERROR_FORMAT when it is cut short, damaged, or more than a profile
 * may be or is thought to shrink to so little.
 */
MUST_CHECK int input_file_next(struct input_file *file, struct slice *out, struct error *err);

/*
 * Appends `part`, which input_file_next gave, and all behind it, `limit_bytes` at most. Returns 0, or -1 as
 * that, or with ERROR_FORMAT when there is more.
 */
MUST_CHECK int input_file_rest(struct input_file *file, struct slice part, size_t limit_bytes,
                               struct text *out, struct error *err);

/*
 * The same as a file that can be read anywhere, and is the caller's: written when the one was that is read,
 * if that is a file. Returns 0, or -1 with ERROR_IO, too, when there is no room for it.
 */
MUST_CHECK int input_file_keep(struct input_file *file, struct slice part, int *out, struct error *err);

#endif
