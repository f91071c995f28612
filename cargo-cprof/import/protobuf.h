/*
 * Fields of a message of Protocol Buffers, one after the other, as they are written: what they mean is told
 * by the message's definition. Source: protobuf.dev, "Encoding".
 */
#ifndef IMPORT_PROTOBUF_H
#define IMPORT_PROTOBUF_H

#include "base/bytes.h"
#include "base/vec.h"

enum protobuf_type {
    PROTOBUF_NUMBER = 0,  /* a varint */
    PROTOBUF_FIXED64 = 1, /* a number, too, of eight bytes; */
    PROTOBUF_BYTES = 2,   /* text, a message, or packed numbers */
    PROTOBUF_FIXED32 = 5, /* of four */
};

struct protobuf_field {
    uint64_t field;          /* its number, from 1 */
    enum protobuf_type type; /* which of these it has: */
    uint64_t number;
    struct slice bytes; /* borrowed */
};

/*
 * Takes the next field of the message from `message`; false at its end, and when what follows is none, or
 * goes beyond the end, which fails the cursor: `out` has its number and type then, as far as these are there.
 */
bool protobuf_next(struct bytes *message, struct protobuf_field *out);

/* The numbers of a repeated field. Zero-initialised is empty; a VEC, to be released with vec_done. */
struct protobuf_numbers {
    uint64_t *items;
    size_t count;
    size_t capacity;
};

/* Adds what one field of them has: a number, or several packed. False when it has neither. */
bool protobuf_add_numbers(const struct protobuf_field *field, struct protobuf_numbers *out);

#endif
