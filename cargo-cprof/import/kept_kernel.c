#include "import/kept_kernel.h"

#include "base/file.h"
#include "base/scan.h"

void kept_kernel_done(struct kept_kernel *kept)
{
    text_done(&kept->path);
    text_done(&kept->list);
}

bool kept_kernel_read(struct slice build_id, struct slice folder, struct kept_kernel *out)
{
    enum { MOST_BYTES = 256 << 20 };
    struct error unread = {0};

    if (build_id.length == 0)
        return false;
    text_add(&out->path, folder);
    text_add_string(&out->path, "/[kernel.kallsyms]/");
    text_add_hex_bytes(&out->path, build_id);
    text_add_string(&out->path, "/kallsyms");
    return file_read(text_string(&out->path), MOST_BYTES, &out->list, &unread) == 0 && out->list.length > 0;
}

/* The address that the line begins with; 0 for a line of another form. */
static uint64_t address_of(struct slice line)
{
    struct scan scan = scan_of(line);
    uint64_t address = 0;

    return scan_hex(&scan, &address) && scan_byte(&scan, ' ') ? address : 0;
}

/* The next line of `rest` that ends so, which is taken off with it. False when there is none. */
static bool next_line(struct slice *rest, struct slice end, struct slice *line)
{
    size_t found = slice_find(*rest, end);
    struct slice before = slice_range(*rest, 0, found);
    size_t start = slice_find_last_byte(before, '\n');

    if (found == rest->length)
        return false;
    *line = slice_range(before, start < before.length ? start + 1 : 0, before.length);
    *rest = slice_range(*rest, found + end.length - 1, rest->length); /* the end of line stays */
    return true;
}

uint64_t kept_kernel_symbol(const struct kept_kernel *kept, struct slice symbol)
{
    SCOPED(text_done) struct text end = {0};
    struct slice rest = text_slice(&kept->list);
    struct slice line = {0};

    text_add_byte(&end, ' ');
    text_add(&end, symbol);
    text_add_byte(&end, '\n');
    return next_line(&rest, text_slice(&end), &line) ? address_of(line) : 0;
}

bool kept_kernel_has_module(const struct kept_kernel *kept, struct slice module, uint64_t start_avma,
                            uint64_t end_avma)
{
    SCOPED(text_done) struct text end = {0};
    struct slice rest = text_slice(&kept->list);
    struct slice line = {0};
    bool has_any = false;

    text_add_string(&end, "\t[");
    for (size_t i = 0; i < module.length; i++)
        text_add_byte(&end, module.data[i] == '-' ? '_' : module.data[i]); /* files have dashes instead */
    text_add_string(&end, "]\n");
    while (next_line(&rest, text_slice(&end), &line)) {
        uint64_t address = address_of(line);

        if (address < start_avma || address >= end_avma)
            return false;
        has_any = true;
    }
    return has_any;
}
