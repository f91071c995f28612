#include "elf/mini_debug.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/packing.h"

/* Names take most of it: libraries of a hundred megabytes have a tenth of this. */
enum { MOST_BYTES = 128 << 20 };

static void close_at(struct mini_debug **mini)
{
    mini_debug_close(*mini);
}

int mini_debug_open(struct image *image, struct mini_debug **out, struct error *err)
{
    const struct section *section = sections_find(&image->sections, SLICE(".gnu_debugdata"));
    SCOPED(close_at) struct mini_debug *mini = NULL;
    SCOPED(text_done) struct text name = {0};
    struct slice packed = {0};

    *out = NULL;
    if (!section || section->file_bytes == 0)
        return 0;
    mini = memory_new(1, sizeof(*mini));
    mini->image.descriptor = -1;
    text_format(&name, "%s: .gnu_debugdata", image->name);
    if (image_read_section(image, section, &packed, err) < 0)
        return -1;
    if (packing_unpack_xz(packed, MOST_BYTES, &mini->content, err) < 0)
        return error_wrap(err, "%s", text_string(&name));
    image_release_section(image, section);
    if (image_open_bytes(text_slice(&mini->content), text_string(&name), &mini->image, err) < 0)
        return -1;
    *out = mini;
    mini = NULL;
    return 0;
}

void mini_debug_close(struct mini_debug *mini)
{
    if (!mini)
        return;
    image_close(&mini->image);
    text_done(&mini->content);
    free(mini);
}
