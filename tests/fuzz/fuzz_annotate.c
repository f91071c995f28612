/*
 * Machine code as text: of any bytes for both machines, and of functions in a hostile file that a profile
 * names, at any addresses. The input is what is done (a byte), then the bytes, or how many addresses there
 * are (a byte), these (four each), and the file.
 */
#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "annotate/instruction_rows.h"
#include "base/bytes.h"
#include "report/render.h"

/* The bits of the first byte. */
enum { READS_FILE = 1, READS_AARCH64 = 2, WRITES_ATT = 4, SHOWS_ALL = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum instruction_syntax syntax_of(uint8_t chosen)
{
    return chosen & WRITES_ATT ? SYNTAX_ATT : SYNTAX_INTEL;
}

/* Every byte is in one instruction, and every instruction has a text. */
static void check_instructions(const struct instructions *found, const struct code_bytes *code)
{
    uint64_t svma = code->svma;

    for (size_t i = 0; i < found->items.count; i++) {
        const struct instruction *instruction = &found->items.items[i];

        if (instruction->svma != svma || instruction->size_bytes == 0 || instruction->text.length == 0)
            abort();
        svma += instruction->size_bytes;
    }
    if (svma != code->svma + code->bytes.length)
        abort();
}

static void read_bytes(struct slice bytes, uint8_t chosen)
{
    const struct code_bytes code = {bytes, 0x1000};
    SCOPED(instructions_done) struct instructions found = {0};
    struct error err = {0};

    if (instructions_read(chosen & READS_AARCH64 ? EM_AARCH64 : EM_X86_64, &code, syntax_of(chosen), &found,
                          &err) == 0)
        check_instructions(&found, &code);
}

static void show(const struct rows *rows)
{
    SCOPED(text_done) struct text out = {0};

    for (int format = RENDER_TABLE; format <= RENDER_MARKDOWN; format++)
        render(&out, rows, (enum render_format)format, (struct render_look){80, true});
}

/* One call at each address, in one of four functions by turns. */
static void add_samples(struct profile *profile, struct bytes *bytes, size_t count)
{
    enum { FUNCTIONS = 4 };

    for (size_t i = 0; i < count; i++) {
        uint32_t location = profile_location(profile, 0, bytes_u32(bytes));
        char name[16];
        uint32_t function = 0;

        snprintf(name, sizeof(name), "f%zu", i % FUNCTIONS);
        function = profile_function(
            profile, (struct profile_function){.name = profile_string(profile, slice_of(name))});
        if (profile->locations.items[location].frame_count == 0)
            profile_set_frames(profile, location, &(struct profile_frame){.function = function}, 1);
        profile_add_sample(profile, 0,
                           (struct profile_sample){.time_ns = i,
                                                   .stack = profile_stack(profile, PROFILE_NONE, location),
                                                   .value = 1});
    }
}

static void annotate(const struct profile *profile, uint8_t chosen)
{
    SCOPED(hot_code_done) struct hot_code code = {0};
    SCOPED(listing_rows_done) struct listing_rows rows = {0};
    const struct listing_look look = {.context = chosen & SHOWS_ALL ? LISTING_ALL : 4, .least_share = 0.005};
    bool wanted[8] = {0};
    struct error err = {0};

    for (size_t i = 0; i < ARRAY_COUNT(wanted); i++)
        wanted[i] = i % 2 == 0;
    if (hot_code_find(profile, 0, wanted, syntax_of(chosen), &code, &err) < 0)
        return;
    instruction_rows_fill(profile, 0, &code, &look, &rows);
    show(&rows.people);
    show(&rows.programs);
}

static void read_file(struct bytes *bytes, uint8_t chosen)
{
    int file = memfd_create("input", MFD_CLOEXEC);
    size_t addresses = bytes_u8(bytes);
    struct profile profile;
    struct error err = {0};
    struct slice content;
    char path[64];

    if (file < 0)
        abort();
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    profile_init(&profile);
    profile_add_module(&profile, MODULE_EXECUTABLE, slice_of(path), (struct slice){0});
    profile_add_thread(&profile, 1, 1, SLICE("app"));
    profile_add_series(&profile, SLICE("cpu-clock"), SLICE("ns"), 0);
    add_samples(&profile, bytes, addresses);
    content = bytes_take(bytes, bytes_left(bytes));
    if (write(file, content.data, content.length) == (ssize_t)content.length &&
        profile_finish(&profile, &err) == 0)
        annotate(&profile, chosen);
    profile_done(&profile);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes bytes = bytes_of((struct slice){(const char *)data, size}, false);
    uint8_t chosen = bytes_u8(&bytes);

    if (chosen & READS_FILE)
        read_file(&bytes, chosen);
    else
        read_bytes(bytes_take(&bytes, bytes_left(&bytes)), chosen);
    return 0;
}
