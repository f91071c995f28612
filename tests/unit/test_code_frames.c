#include "cmocka_all.h"

#include "base/file.h"
#include "base/scan.h"
#include "base/text.h"
#include "code/frame_shapes.h"
#include "elf_builder.h"
#include "process/machine_code/frames.h"

enum { TEXT = 0x1000 };

/* Of 8 bytes each: push rbp; mov rbp, rsp; nop; nop; leave; ret - and: sub rsp, 24; nop; nop; nop; ret */
#define FRAMED "\x55\x48\x89\xe5\x90\x90\xc9\xc3"
#define BARE "\x48\x83\xec\x18\x90\x90\x90\xc3"

struct fixture {
    struct elf_builder builder;
    struct image image;
    struct code_frames *frames;
};

static int begin(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.builder = builder_new(true, false, EM_X86_64, ET_EXEC)};
    builder_code(&fixture.builder, ".text", TEXT, SLICE(FRAMED BARE FRAMED));
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    code_frames_close(f->frames);
    image_close(&f->image);
    builder_done(&f->builder);
    return 0;
}

static void open_file(struct fixture *f)
{
    struct error err = {0};

    builder_symtab(&f->builder);
    assert_int_equal(image_open_bytes(builder_finish(&f->builder), "program", &f->image, &err), 0);
    f->frames = code_frames_open(&f->image, NULL);
}

/* The rule is for the stack pointer this many bytes below the CFA; 0: there is none. */
static void assert_by_sp(struct fixture *f, uint64_t offset, int32_t cfa_offset)
{
    const struct cfi_row *row = code_frames_find(f->frames, TEXT + offset);

    if (cfa_offset == 0) {
        assert_null(row);
        return;
    }
    assert_non_null(row);
    assert_int_equal(row->cfa_rule, CFI_CFA_REGISTER);
    assert_int_equal(row->cfa_register, FRAME_RSP);
    assert_int_equal(row->cfa_offset, cfa_offset);
    assert_int_equal(row->return_rule, CFI_AT_CFA);
    assert_int_equal(row->return_offset, -8);
}

static void a_rule_says_where_the_return_address_and_the_callers_registers_are(void **state)
{
    struct fixture *f = *state;
    const struct cfi_row *row = NULL;

    builder_symbol(&f->builder, "framed", FUNCTION_GLOBAL, 1, TEXT, 8);
    open_file(f);
    assert_by_sp(f, 0, 8);
    assert_by_sp(f, 1, 16);
    row = code_frames_find(f->frames, TEXT + 5);
    assert_int_equal(row->cfa_register, FRAME_RBP);
    assert_int_equal(row->cfa_offset, 16);
    assert_int_equal(row->frame_rule, CFI_AT_CFA);
    assert_int_equal(row->frame_offset, -16);
    assert_int_equal(row->base_rule, CFI_SAME);
    assert_by_sp(f, 7, 8);
}

static void each_function_is_read_from_its_own_symbol_on(void **state)
{
    struct fixture *f = *state;

    builder_symbol(&f->builder, "first", FUNCTION_LOCAL, 1, TEXT, 8);
    builder_symbol(&f->builder, "second", LABEL_GLOBAL, 1, TEXT + 8, 0);
    builder_symbol(&f->builder, "third", FUNCTION_GLOBAL, 1, TEXT + 16, 8);
    open_file(f);
    assert_by_sp(f, 17, 16);
    assert_by_sp(f, 8, 8);
    assert_by_sp(f, 12, 32);
    assert_by_sp(f, 1, 16);
    assert_by_sp(f, 24, 0);
}

static void labels_within_a_function_do_not_begin_another(void **state)
{
    struct fixture *f = *state;

    builder_symbol(&f->builder, "loop", ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE), 1, TEXT + 12, 0);
    builder_symbol(&f->builder, "second.cold", FUNCTION_LOCAL, 1, TEXT + 13, 2);
    builder_symbol(&f->builder, "second", LABEL_GLOBAL, 1, TEXT + 8, 0);
    open_file(f);
    assert_by_sp(f, 13, 32);
}

static void several_parts_moved_out_in_a_row_are_passed_over(void **state)
{
    struct fixture *f = *state;

    builder_symbol(&f->builder, "first.cold", FUNCTION_LOCAL, 1, TEXT + 13, 1);
    builder_symbol(&f->builder, "second.cold", FUNCTION_LOCAL, 1, TEXT + 14, 1);
    builder_symbol(&f->builder, "third", FUNCTION_GLOBAL, 1, TEXT + 16, 8);
    builder_symbol(&f->builder, "second", FUNCTION_GLOBAL, 1, TEXT + 8, 8);
    open_file(f);
    assert_by_sp(f, 15, 32);
    assert_by_sp(f, 12, 32);
    assert_by_sp(f, 7, 0);
}

static void among_those_of_all_functions_there_is_no_other(void **state)
{
    struct fixture *f = *state;

    for (size_t part = 0; part < 8; part++)
        builder_symbol(&f->builder, "part.cold", FUNCTION_LOCAL, 1, TEXT + 1 + part, 1);
    builder_symbol(&f->builder, "first", LABEL_GLOBAL, 1, TEXT, 0);
    open_file(f);
    assert_by_sp(f, 8, 0);
    assert_by_sp(f, 0, 8);
}

static void what_was_global_and_hidden_does(void **state)
{
    struct fixture *f = *state;

    builder_symbol(&f->builder, "first", FUNCTION_GLOBAL, 1, TEXT, 16);
    builder_symbol(&f->builder, "second", LABEL_HIDDEN, 1, TEXT + 8, 0);
    open_file(f);
    assert_by_sp(f, 8, 8);
    assert_by_sp(f, 13, 32);
}

static void where_there_is_no_rule_what_became_of_the_registers_is_told(void **state)
{
    struct fixture *f = *state;
    struct code_frame_hints hints;
    uint64_t start = 0;
    uint64_t end_svma = 0;

    /* and rsp, -16; nop; push rbp; mov rbp, rsp */
    builder_done(&f->builder);
    f->builder = builder_new(true, false, EM_X86_64, ET_EXEC);
    builder_code(&f->builder, ".text", TEXT, SLICE("\x48\x83\xe4\xf0\x90\x55\x48\x89\xe5\xc3" FRAMED));
    builder_symbol(&f->builder, "aligned", FUNCTION_GLOBAL, 1, TEXT, 10);
    open_file(f);
    assert_by_sp(f, 0, 8);
    assert_null(code_frames_find(f->frames, TEXT + 4));
    hints = code_frames_hints(f->frames, TEXT);
    assert_false(hints.moved_stack || hints.fp_is_callers);
    hints = code_frames_hints(f->frames, TEXT + 4);
    assert_true(hints.moved_stack && hints.fp_is_callers);
    hints = code_frames_hints(f->frames, TEXT + 9);
    assert_true(hints.moved_stack && !hints.fp_is_callers);
    hints = code_frames_hints(f->frames, TEXT + 12); /* no function */
    assert_false(hints.moved_stack || hints.fp_is_callers);
    assert_true(code_frames_range(f->frames, TEXT + 9, &start, &end_svma));
    assert_true(start == TEXT && end_svma == TEXT + 10);
    assert_false(code_frames_range(f->frames, TEXT + 12, &start, &end_svma));
}

static void an_aligned_frame_is_left_by_the_address_that_it_keeps(void **state)
{
    struct fixture *f = *state;
    const struct cfi_row *row = NULL;
    struct code_frame_hints hints;

    /* push rbx; mov rax, rsp; and rsp, -64; push rbp; push rax; xor eax, eax; nop */
    builder_done(&f->builder);
    f->builder = builder_new(true, false, EM_X86_64, ET_EXEC);
    builder_code(&f->builder, ".text", TEXT, SLICE("\x53\x48\x89\xe0\x48\x83\xe4\xc0\x55\x50\x31\xc0\x90"));
    builder_symbol(&f->builder, "aligned", FUNCTION_GLOBAL, 1, TEXT, 13);
    open_file(f);
    row = code_frames_find(f->frames, TEXT + 12);
    assert_non_null(row);
    assert_int_equal(row->cfa_rule, CFI_CFA_MEMORY);
    assert_int_equal(row->cfa_register, FRAME_RSP);
    assert_int_equal(row->cfa_offset, 0);
    assert_int_equal(row->cfa_words, 2);
    assert_int_equal(row->return_offset, -8);
    assert_int_equal(row->frame_rule, CFI_AT_BASE);
    assert_int_equal(row->frame_offset, 8);
    assert_int_equal(row->base_rule, CFI_AT_CFA);
    assert_int_equal(row->base_offset, -16);
    hints = code_frames_hints(f->frames, TEXT + 12);
    assert_true(hints.moved_stack && !hints.fp_is_callers);
}

static void code_outside_of_functions_has_no_rule(void **state)
{
    struct fixture *f = *state;

    builder_symbol(&f->builder, "second", FUNCTION_GLOBAL, 1, TEXT + 8, 4);
    open_file(f);
    assert_by_sp(f, 0, 0);
    assert_by_sp(f, 0, 0);
    assert_by_sp(f, 11, 8);
    assert_by_sp(f, 12, 0);
    assert_by_sp(f, 15, 0);
    assert_by_sp(f, 0x100, 0);
}

static void a_file_without_symbols_has_no_rules(void **state)
{
    struct fixture *f = *state;
    struct error err = {0};

    assert_int_equal(image_open_bytes(builder_finish(&f->builder), "program", &f->image, &err), 0);
    f->frames = code_frames_open(&f->image, NULL);
    assert_by_sp(f, 0, 0);
}

/* As musl's copies, in a stripped library, with code behind them that has no name. */
static void where_some_symbols_are_left_one_of_no_size_is_as_long_as_its_code_leads(void **state)
{
    struct fixture *f = *state;
    struct error err = {0};
    uint64_t start = 0;
    uint64_t end = 0;

    assert_int_equal(image_open(FIXTURES "/elf/exported", &f->image, &err), 0);
    f->frames = code_frames_open(&f->image, NULL);
    assert_true(code_frames_range(f->frames, 0x22b, &start, &end));
    assert_int_equal(start, 0x222);
    assert_by_sp(f, 0x22a - TEXT, 16);
    assert_by_sp(f, 0x22b - TEXT, 8);
    assert_false(code_frames_range(f->frames, 0x22c, &start, &end));
    assert_by_sp(f, 0x22c - TEXT, 0);
}

static void stubs_are_no_functions(void **state)
{
    struct fixture *f = *state;
    uint64_t start = 0;
    uint64_t end = 0;

    builder_code(&f->builder, ".plt", 2 * TEXT, SLICE(FRAMED BARE));
    builder_symbol(&f->builder, "second", FUNCTION_GLOBAL, 2, 2 * TEXT + 8, 8);
    open_file(f);
    assert_null(code_frames_find(f->frames, 2 * TEXT + 12));
    assert_false(code_frames_range(f->frames, 2 * TEXT + 12, &start, &end));
}

#if defined(__x86_64__)
/* By this process, from its start (proc(5), "/proc/pid/io"). */
static uint64_t bytes_read(void)
{
    SCOPED(text_done) struct text content = {0};
    struct scan scan;
    struct error err = {0};
    uint64_t bytes = 0;

    assert_int_equal(file_read("/proc/self/io", SIZE_MAX, &content, &err), 0);
    scan = scan_of(text_slice(&content));
    assert_true(scan_text(&scan, "rchar: ") && scan_decimal(&scan, &bytes));
    return bytes;
}

/* Those of a file as large as a compiler take long to read. */
static void symbols_are_read_where_no_entry_tells_the_function(void **state)
{
    struct fixture *f = *state;
    struct cfi_lookup *entries = NULL;
    const struct section *text = NULL;
    const struct section *symbols = NULL;
    struct error err = {0};
    uint64_t expected[2] = {0};
    uint64_t found[2] = {0};
    uint64_t read_before = 0;

    assert_int_equal(image_open("/proc/self/exe", &f->image, &err), 0);
    assert_int_equal(cfi_lookup_open(&f->image, &entries, &err), 0);
    f->frames = code_frames_open(&f->image, entries);
    text = sections_find(&f->image.sections, SLICE(".text"));
    symbols = sections_find_type(&f->image.sections, SHT_SYMTAB);
    assert_true(cfi_lookup_last(entries, text->svma + text->file_bytes / 2, &expected[0], &expected[1]));
    read_before = bytes_read();
    assert_true(code_frames_range(f->frames, expected[0], &found[0], &found[1]));
    assert_memory_equal(found, expected, sizeof(found));
    assert_true(bytes_read() - read_before < symbols->file_bytes);
    read_before = bytes_read();
    code_frames_range(f->frames, sections_find(&f->image.sections, SLICE(".init"))->svma, &found[0],
                      &found[1]);
    assert_true(bytes_read() - read_before >= symbols->file_bytes);
    cfi_lookup_close(entries);
}
#endif

static void code_of_another_machine_has_no_rules(void **state)
{
    struct fixture *f = *state;

    f->builder.machine = EM_RISCV;
    builder_symbol(&f->builder, "first", FUNCTION_GLOBAL, 1, TEXT, 8);
    open_file(f);
    assert_by_sp(f, 0, 0);
}

/* Whether the return address is in the link register, and the stack pointer as the function was called. */
static bool is_as_called(struct fixture *f, uint64_t svma)
{
    const struct cfi_row *row = code_frames_find(f->frames, svma);

    if (!row)
        return false;
    assert_int_equal(code_frames_return_register(f->frames), 30);
    assert_int_equal(row->cfa_rule, CFI_CFA_REGISTER);
    assert_int_equal(row->cfa_register, 31);
    assert_int_equal(row->cfa_offset, 0);
    assert_int_equal(row->return_rule, CFI_SAME);
    assert_int_equal(row->frame_rule, CFI_SAME);
    assert_int_equal(row->base_rule, CFI_SAME);
    assert_true(row->has_signed_return_address);
    return true;
}

/* paciasp; nop; autiasp; ret - and: nop; str x30, [sp, #-16]!; bl; ldr x30, [sp], #16 - and: stp x29, x30,
 * [sp, #-16]!; mov x29, sp; bl; ret */
#define AARCH64_LEAF "\x3f\x23\x03\xd5\x1f\x20\x03\xd5\xbf\x23\x03\xd5\xc0\x03\x5f\xd6"
#define AARCH64_BARE "\x1f\x20\x03\xd5\xfe\x0f\x1f\xf8\0\0\0\x94\xfe\x07\x41\xf8"
#define AARCH64_FRAMED "\xfd\x7b\xbf\xa9\xfd\x03\0\x91\0\0\0\x94\xc0\x03\x5f\xd6"

static void open_aarch64_file(struct fixture *f)
{
    builder_done(&f->builder);
    f->builder = builder_new(true, false, EM_AARCH64, ET_EXEC);
    builder_code(&f->builder, ".text", TEXT, SLICE(AARCH64_LEAF AARCH64_BARE AARCH64_FRAMED));
    builder_symbol(&f->builder, "leaf", FUNCTION_GLOBAL, 1, TEXT, 16);
    builder_symbol(&f->builder, "bare", FUNCTION_GLOBAL, 1, TEXT + 16, 16);
    builder_symbol(&f->builder, "framed", FUNCTION_GLOBAL, 1, TEXT + 32, 16);
    builder_code(&f->builder, ".plt", 0x2000, SLICE(AARCH64_BARE AARCH64_BARE AARCH64_LEAF));
    open_file(f);
}

static void a_function_of_aarch64_that_has_made_no_frame_yet_has_a_rule(void **state)
{
    struct fixture *f = *state;

    open_aarch64_file(f);
    for (uint64_t offset = 0; offset < 16; offset += 4)
        assert_true(is_as_called(f, TEXT + offset));
    assert_true(is_as_called(f, TEXT + 16));
    assert_true(is_as_called(f, TEXT + 20));
    assert_false(is_as_called(f, TEXT + 24));
    assert_false(is_as_called(f, TEXT + 28));
    assert_false(is_as_called(f, TEXT + 36));
}

static void so_has_the_plt_of_aarch64_behind_its_first_entry(void **state)
{
    struct fixture *f = *state;

    open_aarch64_file(f);
    assert_false(is_as_called(f, 0x2000));
    assert_false(is_as_called(f, 0x201c));
    assert_true(is_as_called(f, 0x2020));
    assert_true(is_as_called(f, 0x202c));
}

static void of_one_that_has_whose_the_frame_pointer_is_is_told(void **state)
{
    struct fixture *f = *state;

    open_aarch64_file(f);
    assert_false(code_frames_hints(f->frames, TEXT).moved_stack);
    assert_true(code_frames_hints(f->frames, TEXT + 24).moved_stack);
    assert_true(code_frames_hints(f->frames, TEXT + 24).fp_is_callers);
    assert_true(code_frames_hints(f->frames, TEXT + 40).moved_stack);
    assert_false(code_frames_hints(f->frames, TEXT + 40).fp_is_callers);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(a_rule_says_where_the_return_address_and_the_callers_registers_are),
        TEST(each_function_is_read_from_its_own_symbol_on),
        TEST(labels_within_a_function_do_not_begin_another),
        TEST(several_parts_moved_out_in_a_row_are_passed_over),
        TEST(among_those_of_all_functions_there_is_no_other),
        TEST(what_was_global_and_hidden_does),
        TEST(where_there_is_no_rule_what_became_of_the_registers_is_told),
        TEST(an_aligned_frame_is_left_by_the_address_that_it_keeps),
        TEST(code_outside_of_functions_has_no_rule),
        TEST(a_file_without_symbols_has_no_rules),
        TEST(where_some_symbols_are_left_one_of_no_size_is_as_long_as_its_code_leads),
        TEST(stubs_are_no_functions),
#if defined(__x86_64__)
        TEST(symbols_are_read_where_no_entry_tells_the_function),
#endif
        TEST(code_of_another_machine_has_no_rules),
        TEST(a_function_of_aarch64_that_has_made_no_frame_yet_has_a_rule),
        TEST(so_has_the_plt_of_aarch64_behind_its_first_entry),
        TEST(of_one_that_has_whose_the_frame_pointer_is_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
