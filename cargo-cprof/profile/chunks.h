/*
 * The frame of a profile file: a header, chunks of packed bytes one after the other, an index of them, an
 * end that says where the index is. It can be written to a pipe, a reader unpacks only what it needs, and
 * every byte is under a checksum. docs/formats.md has it byte by byte.
 */
#ifndef PROFILE_CHUNKS_H
#define PROFILE_CHUNKS_H

#include "base/error.h"
#include "base/sink.h"
#include "base/text.h"
#include "base/vec.h"

/* What a chunk holds. Readers pass over kinds that they do not know. */
enum chunk_kind {
    CHUNK_FACTS = 1,
    CHUNK_STRINGS,
    CHUNK_MODULES,
    CHUNK_FUNCTIONS,
    CHUNK_LOCATIONS,
    CHUNK_STACKS,
    CHUNK_THREADS,
    CHUNK_SERIES,  /* one a series: what it is, its sums */
    CHUNK_SAMPLES, /* a block of one series */
    CHUNK_FUTURES, /* which frames are code of futures; not in files of older writers */
    CHUNK_COUNTS,  /* one a series: what the kernel counted of it; not in files of older writers */
    CHUNK_SUMMED,  /* one a series whose samples are each of any number of samples */
    CHUNK_RUNS,    /* of which run threads are; not in files of one run, nor of older writers */
    CHUNK_HEAP,    /* what the heap's figures lack; not in files without these, nor of older writers */
};

/* What the index says of one chunk. */
struct chunk {
    uint32_t kind;
    uint32_t series;        /* of CHUNK_SERIES, _COUNTS, _SUMMED and _SAMPLES: whose it is, from 0 */
    uint64_t count;         /* of CHUNK_SAMPLES: how many samples; */
    uint64_t first_time_ns; /* the time of the first; */
    uint64_t last_time_ns;  /* and of the last */
    uint64_t offset;        /* of its bytes in the file; */
    uint64_t stored_bytes;  /* how many these are; */
    uint64_t content_bytes; /* and unpacked: the same when they are not packed */
    uint64_t checksum;      /* of the stored bytes */
};

struct chunks {
    VEC(struct chunk) items;
};

void chunks_done(struct chunks *chunks);

/* Whether a file that begins so is a profile file, whole or damaged, of whatever version. */
bool chunks_begin_file(struct slice start);

/*
 * Appends `content` as it is stored: packed, or as it is where that is of no use. Returns 0, or -1 with
 * ERROR_MISSING (zstd).
 */
MUST_CHECK int chunks_pack(struct text *stored, struct slice content, struct error *err);

/* Appends the `content_bytes` bytes that chunks_pack has stored so. False when they are damaged. */
bool chunks_unpack(struct slice stored, size_t content_bytes, struct text *content);

/* A file that is being written. Zero-initialised but for `sink`; to be released with chunk_writer_done. */
struct chunk_writer {
    struct sink sink;
    uint64_t offset;      /* of the next byte in the file */
    struct chunks chunks; /* written so far */
    struct text stored;   /* scratch */
};

void chunk_writer_done(struct chunk_writer *writer);

/* Each returns 0, or -1 as the sink does or with ERROR_MISSING (zstd). First of all, the header: */
MUST_CHECK int chunk_writer_begin(struct chunk_writer *writer, struct error *err);

/* `content` as the next chunk; of `chunk` kind, series, count and times are set. */
MUST_CHECK int chunk_writer_add(struct chunk_writer *writer, struct chunk chunk, struct slice content,
                                struct error *err);

/* The same of what chunks_pack has packed; `chunk` also tells how many bytes it unpacks to. */
MUST_CHECK int chunk_writer_add_packed(struct chunk_writer *writer, struct chunk chunk, struct slice stored,
                                       struct error *err);

/* Index and end. */
MUST_CHECK int chunk_writer_end(struct chunk_writer *writer, struct error *err);

/*
 * Reads header, end and index. Returns 0, or -1 with ERROR_FORMAT when the file is none, of a newer version,
 * cut short or damaged there, with ERROR_MISSING when zstd is not installed. Chunks lie within the file.
 */
MUST_CHECK int chunks_read_index(struct slice file, struct chunks *out, struct error *err);

/* The chunk's bytes as they stand in the file, packed or not; false when they are damaged. */
bool chunks_stored(struct slice file, const struct chunk *chunk, struct slice *stored);

/* Appends what the chunk holds. False when it is damaged. */
bool chunks_read(struct slice file, const struct chunk *chunk, struct text *content);

#endif
