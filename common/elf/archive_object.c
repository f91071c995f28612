#include "elf/archive_object.h"

#include <elf.h>

int archive_open_object(const struct archive *archive, const struct archive_member *member,
                        struct arena *arena, struct image *out, bool *is_object, struct error *err)
{
    struct slice data;

    if (archive_read_member(archive, member, arena, &data, err) < 0)
        return -1;
    *is_object = slice_starts_with(data, SLICE(ELFMAG));
    if (*is_object && image_open_bytes(data, archive->name, out, err) < 0)
        return error_wrap(err, "member %.*s", SLICE_ARGUMENTS(member->name));
    return 0;
}
