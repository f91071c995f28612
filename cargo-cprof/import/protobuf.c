#include "import/protobuf.h"

enum { TYPE_BITS = 3 };

/* Groups, which begin and end by a field of their own, are in no message that is read here. */
static bool take_value(struct bytes *message, struct protobuf_field *out)
{
    switch (out->type) {
    case PROTOBUF_NUMBER:
        out->number = bytes_uleb128(message);
        break;
    case PROTOBUF_FIXED64:
        out->number = bytes_u64(message);
        break;
    case PROTOBUF_FIXED32:
        out->number = bytes_u32(message);
        break;
    case PROTOBUF_BYTES:
        out->bytes = bytes_take(message, bytes_uleb128(message));
        break;
    default:
        message->failed = true;
    }
    return !message->failed;
}

bool protobuf_next(struct bytes *message, struct protobuf_field *out)
{
    uint64_t key = 0;

    if (bytes_left(message) == 0)
        return false;
    key = bytes_uleb128(message);
    *out = (struct protobuf_field){
        .field = key >> TYPE_BITS,
        .type = (enum protobuf_type)(key & ((1 << TYPE_BITS) - 1)),
    };
    if (out->field == 0)
        message->failed = true;
    return !message->failed && take_value(message, out);
}

bool protobuf_add_numbers(const struct protobuf_field *field, struct protobuf_numbers *out)
{
    struct bytes packed = bytes_of(field->bytes, false);

    if (field->type == PROTOBUF_NUMBER)
        *vec_add(out) = field->number;
    else if (field->type != PROTOBUF_BYTES)
        return false;
    while (bytes_left(&packed) > 0) {
        uint64_t number = bytes_uleb128(&packed);

        if (packed.failed)
            return false;
        *vec_add(out) = number;
    }
    return true;
}
