#include "revision/revision_path.h"

#include "base/scan.h"

/* "app" of "app-0123456789abcdef"; empty for what is not of that form. */
static struct slice repository_name(struct slice folder)
{
    size_t dash = slice_find_last_byte(folder, '-');
    bool has_hash = slice_is_hash(slice_range(folder, dash + 1, folder.length));

    return has_hash ? slice_range(folder, 0, dash) : (struct slice){0};
}

bool revision_path_add(struct text *text, struct slice path)
{
    const struct slice mark = SLICE("/" REVISION_CACHE_FOLDER "/");
    struct scan scan = scan_of(slice_range(path, slice_find(path, mark) + mark.length, path.length));
    struct slice folder;
    uint64_t slot = 0;

    if (!scan_until(&scan, '/', &folder) || !scan_decimal(&scan, &slot))
        return false;
    folder = repository_name(folder);
    if (folder.length > 0 && scan_text(&scan, "/tree/"))
        text_format(text, "%.*s/", SLICE_ARGUMENTS(folder));
    else if (folder.length > 0 && scan_text(&scan, "/around/"))
        text_add_byte(text, '/');
    else
        return false;
    text_add(text, scan.rest);
    return true;
}
