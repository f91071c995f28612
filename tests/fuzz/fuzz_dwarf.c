/* Any bytes as an ELF file with debug information: units, functions, lines and call frame information. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "dwarf/cfi.h"
#include "dwarf/debug_info.h"
#include "dwarf/source_path.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says which promise was broken, then crashes. */
#define require(holds) ((holds) ? (void)0 : (fprintf(stderr, "broken: %s\n", #holds), abort()))

static void check_functions(const struct functions *functions)
{
    for (size_t i = 0; i < functions->frames.count; i++) {
        const struct function_frame *frame = &functions->frames.items[i];

        require(frame->parent == FRAME_NONE || frame->parent < i);
        require(frame->name < functions->names.count);
    }
    for (size_t i = 1; i < functions->rows.count; i++)
        require(functions->rows.items[i - 1].start < functions->rows.items[i].start);
}

static void check_lines(const struct line_table *lines)
{
    for (size_t i = 1; i < lines->rows.count; i++)
        require(lines->rows.items[i - 1].svma < lines->rows.items[i].svma);
    require(lines->rows.count == 0 || lines->rows.items[lines->rows.count - 1].file == LINE_NO_FILE);
}

/* The files that the unit names are not opened: they would be files of this machine. */
static void forget_split_files(struct units *units)
{
    for (size_t i = 0; i < units->items.count; i++)
        units->items.items[i].split_name = (struct slice){0};
}

/* Appends what is found. */
static void look_up(struct debug_info *info, uint64_t svma, struct text *found)
{
    struct source_frame frames[SOURCE_FRAMES_MOST];
    SCOPED(text_done) struct text path = {0};
    size_t count = debug_info_find(info, svma, frames);

    for (size_t i = 0; i < count; i++) {
        if (debug_info_add_path(info, &frames[i], &path))
            source_path_origin(text_slice(&path));
        text_add(found, frames[i].name.text);
        text_add_decimal(found, frames[i].line);
    }
    text_add(found, text_slice(&path));
}

static void read_debug_info(struct image *image)
{
    SCOPED(text_done) struct text found = {0};
    struct debug_info info;
    struct error err = {0};

    if (debug_info_open(image, DEBUG_WHOLE, &info, &err) < 0)
        return;
    forget_split_files(&info.units);
    debug_info_read_all(&info, 1);
    for (size_t i = 0; i < info.units.items.count; i++) {
        check_functions(&info.details[i].functions);
        check_lines(&info.details[i].lines);
    }
    for (size_t i = 0; i < info.units.rows.count; i++)
        look_up(&info, info.units.rows.items[i].start, &found);
    debug_info_close(&info);
}

/* Where units begin, asked for at once; and what is behind that, which nobody asked for. */
static void read_places(struct image *image, enum debug_extent extent, struct text *found)
{
    struct debug_info info;
    struct error err = {0};
    VEC(uint64_t) starts = {0};

    if (debug_info_open(image, extent, &info, &err) < 0)
        return;
    forget_split_files(&info.units);
    text_add_decimal(found, info.units.damaged_count);
    for (size_t i = 0; i < info.units.rows.count; i++)
        *vec_add(&starts) = info.units.rows.items[i].start;
    debug_info_read_places(&info, starts.items, starts.count, 1);
    for (size_t i = 0; i < info.units.items.count; i++)
        check_functions(&info.details[i].functions);
    for (size_t i = 0; i < starts.count; i++)
        look_up(&info, starts.items[i], found);
    for (size_t i = 0; i < starts.count; i++)
        look_up(&info, starts.items[i] + 1, found);
    vec_done(&starts);
    debug_info_close(&info);
}

/* A file of which parts are read gives what one does that is read whole. */
static void compare_extents(struct image *image, struct slice bytes)
{
    SCOPED(text_done) struct text whole = {0};
    SCOPED(text_done) struct text parts = {0};
    struct image file;
    struct error err = {0};
    int descriptor = memfd_create("input", MFD_CLOEXEC);
    char path[32];

    read_places(image, DEBUG_WHOLE, &whole);
    require(descriptor >= 0 && file_write(descriptor, bytes) == 0);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptor);
    require(image_open(path, &file, &err) == 0);
    read_places(&file, DEBUG_PARTS, &parts);
    require(slice_equal(text_slice(&whole), text_slice(&parts)));
    image_close(&file);
    close(descriptor);
}

static void read_frames(struct image *image)
{
    struct cfi cfi;
    struct error err = {0};

    if (cfi_read(image, &cfi, &err) < 0)
        return;
    for (size_t i = 1; i < cfi.rows.count; i++)
        require(cfi.rows.items[i - 1].svma < cfi.rows.items[i].svma);
    require(cfi.rows.count == 0 || cfi.rows.items[cfi.rows.count - 1].cfa_rule == CFI_CFA_NONE);
    cfi_done(&cfi);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct image image;
    struct error err = {0};

    if (image_open_bytes((struct slice){(const char *)data, size}, "input", &image, &err) < 0)
        return 0;
    read_debug_info(&image);
    compare_extents(&image, (struct slice){(const char *)data, size});
    read_frames(&image);
    image_close(&image);
    return 0;
}
