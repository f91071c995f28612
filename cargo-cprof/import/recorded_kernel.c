#include "import/recorded_kernel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/scan.h"
#include "elf/notes.h"

enum { NO_ADDRESS = 1 }; /* of what is nowhere now: no function is there */

#define KERNEL_NAME "[kernel.kallsyms]"

static const char *const running_list = "/proc/kallsyms";

/* --- Which kernel --------------------------------------------------------------------------------- */

/* Whether the kernel that runs is the one that was recorded, as far as can be known. */
static bool is_running(const struct perf_data_about *about, const struct utsname *running)
{
    enum { MOST_BYTES = 1 << 16 };
    SCOPED(text_done) struct text notes = {0};
    struct error unread = {0};
    struct slice recorded = about_build_id(about, SLICE(KERNEL_NAME));
    struct slice own = {0};

    if (file_read("/sys/kernel/notes", MOST_BYTES, &notes, &unread) == 0)
        own = notes_build_id(bytes_of_ours(text_slice(&notes)), 4);
    if (recorded.length > 0 && own.length > 0)
        return slice_equal(recorded, own);
    return slice_is(about->release, running->release);
}

void recorded_kernel_init(struct recorded_kernel *kernel, const struct perf_data_about *about,
                          struct slice copies)
{
    struct utsname running = {0};

    *kernel = (struct recorded_kernel){0};
    (void)uname(&running);
    kernel->is_ours = is_running(about, &running);
    if (!kernel->is_ours)
        (void)kept_kernel_read(about_build_id(about, SLICE(KERNEL_NAME)), copies, &kernel->kept);
    if (about->release.length > 0)
        snprintf(
            kernel->why, sizeof(kernel->why),
            "it was recorded on another kernel than the one that runs here, Linux %.*s, of which perf keeps "
            "no list of names here",
            SLICE_ARGUMENTS(about->release));
    else
        snprintf(kernel->why, sizeof(kernel->why),
                 "the file does not tell which kernel it was recorded on, which alone has its names");
}

void recorded_kernel_done(struct recorded_kernel *kernel)
{
    vec_done(&kernel->parts);
    vec_done(&kernel->calls);
    text_done(&kernel->modules);
    kept_kernel_done(&kernel->kept);
}

const char *recorded_kernel_list(struct recorded_kernel *kernel)
{
    if (kernel->is_ours)
        return running_list;
    return kernel->kept.list.length > 0 ? text_string(&kernel->kept.path) : NULL;
}

/* --- Where its parts are now ---------------------------------------------------------------------- */

/* The address of a symbol of the kernel's own, which is one of the first; 0 where that may not be seen. */
static uint64_t symbol_now(struct slice symbol)
{
    SCOPED(file_close) FILE *list = fopen(running_list, "re");
    SCOPED(memory_free_at) char *line = NULL;
    size_t room = 0;

    while (list && getline(&line, &room, list) > 0) {
        struct scan scan = scan_of(slice_trim(slice_of(line)));
        struct slice type = {0};
        struct slice name = {0};
        uint64_t address = 0;

        if (scan_hex(&scan, &address) && scan_byte(&scan, ' ') && scan_word(&scan, &type) &&
            scan_byte(&scan, ' ') && scan_word(&scan, &name) && slice_equal(name, symbol))
            return address;
    }
    return 0;
}

/* "ext4" of "[ext4]" and of "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz". */
static struct slice module_name(struct slice told)
{
    struct slice name = slice_file_name(told);

    if (slice_starts_with(name, SLICE("[")))
        return slice_range(name, 1, slice_find_byte(name, ']'));
    return slice_range(name, 0, slice_find(name, SLICE(".ko")));
}

/* Files have dashes where the kernel has underscores. */
static bool is_same_module(struct slice a, struct slice b)
{
    if (a.length != b.length)
        return false;
    for (size_t i = 0; i < a.length; i++)
        if (a.data[i] != b.data[i] && !(a.data[i] == '-' && b.data[i] == '_'))
            return false;
    return a.length > 0;
}

bool recorded_kernel_find_module(struct slice list, struct slice told, uint64_t *start)
{
    struct scan scan = scan_of(list);
    struct slice line;

    while (scan_line(&scan, &line)) {
        size_t address_at = slice_find(line, SLICE(" 0x"));
        struct scan words = scan_of(slice_range(line, address_at + sizeof(" 0x") - 1, line.length));

        if (is_same_module(module_name(told), slice_range(line, 0, slice_find_byte(line, ' '))) &&
            scan_hex(&words, start))
            return true;
    }
    return false;
}

static void read_modules(struct recorded_kernel *kernel)
{
    enum { MOST_BYTES = 16 << 20 };
    struct error unread = {0};

    if (kernel->modules.length > 0)
        return;
    if (file_read("/proc/modules", MOST_BYTES, &kernel->modules, &unread) < 0)
        text_add_byte(&kernel->modules, '\n'); /* it has none */
}

static uint64_t symbol_there(const struct recorded_kernel *kernel, struct slice symbol)
{
    return kernel->is_ours ? symbol_now(symbol) : kept_kernel_symbol(&kernel->kept, symbol);
}

static void add_part(struct recorded_kernel *kernel, const struct perf_data_kernel_part *told)
{
    struct recorded_part *part = vec_add(&kernel->parts);
    struct slice own = SLICE(KERNEL_NAME);
    uint64_t now = 0;

    *part = (struct recorded_part){.start_avma = told->start_avma,
                                   .end_avma = told->start_avma + told->size_bytes};
    if (part->end_avma < part->start_avma)
        part->end_avma = UINT64_MAX;
    if (slice_starts_with(told->name, own)) {
        now = symbol_there(kernel, slice_range(told->name, own.length, told->name.length));
        part->moved = now > 0 ? now - told->symbol_avma : 0;
        part->is_elsewhere = now == 0 && !kernel->is_ours;
        return;
    }
    if (!kernel->is_ours) {
        part->is_elsewhere =
            !kept_kernel_has_module(&kernel->kept, module_name(told->name), part->start_avma, part->end_avma);
        return;
    }
    read_modules(kernel);
    part->is_elsewhere = !recorded_kernel_find_module(text_slice(&kernel->modules), told->name, &now);
    part->moved = now > 0 ? now - told->start_avma : 0; /* 0: that may not be seen, and nothing has names */
}

static uint64_t address_now(const struct recorded_kernel *kernel, uint64_t address)
{
    bool has_moved = false;

    for (size_t i = kernel->parts.count; i > 0; i--) {
        const struct recorded_part *part = &kernel->parts.items[i - 1];

        has_moved = has_moved || part->moved != 0;
        if (address >= part->start_avma && address < part->end_avma)
            return part->is_elsewhere ? NO_ADDRESS : address + part->moved;
    }
    /* Code that the kernel has made for itself is another one at each start, and when a list was kept is not
     * told. */
    return has_moved || !kernel->is_ours ? NO_ADDRESS : address;
}

void recorded_kernel_move(struct recorded_kernel *kernel, const struct perf_data *data,
                          struct sample_raw *sample)
{
    size_t count = sample_kernel_call_count(sample);

    if (!recorded_kernel_list(kernel) || (!sample->in_kernel && count == 0))
        return;
    while (kernel->parts.count < perf_data_kernel_count(data))
        add_part(kernel, perf_data_kernel_part(data, kernel->parts.count));
    if (sample->in_kernel)
        sample->address = address_now(kernel, sample->address);
    kernel->calls.count = 0;
    for (size_t i = 0; i < count; i++) {
        /* What sample_kernel_call takes off comes back when it is asked again. */
        *vec_add(&kernel->calls) = address_now(kernel, sample_kernel_call(sample, i)) + (i > 0);
    }
    sample->kernel_calls = (struct slice){(const char *)kernel->calls.items, count * sizeof(uint64_t)};
}
