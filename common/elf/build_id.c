#include "elf/build_id.h"

void build_id_add_path(struct text *path, struct slice build_id)
{
    text_add_string(path, "/.build-id/");
    text_add_hex_bytes(path, slice_range(build_id, 0, 1));
    text_add_byte(path, '/');
    text_add_hex_bytes(path, slice_range(build_id, 1, build_id.length));
}
