#include "cmocka_all.h"

#include "dwarf/cfi.h"
#include "elf_builder.h"

/* .text is 0x1000 to 0x1100, .eh_frame at 0x4000; entries are of x86-64 as compilers write them. */
enum { TEXT = 0x1000, FRAMES = 0x4000, RSP = 7, RBP = 6, RETURN = 16 };

#define COMMON_START                                                                                         \
    "\1zR\0\1\x78\x10\1\x1b" /* version, letters, alignments 1 and -8, return register, pcrel sdata4 */
#define COMMON_RULES "\x0c\7\x08\x90\1" /* CFA is rsp + 8, the return address at CFA - 8 */
#define PUSH_RBP "\x0e\x10\x86\2"       /* CFA is rsp + 16, rbp at CFA - 16 */

struct fixture {
    struct elf_builder builder;
    struct text frames;
    struct image image;
    struct cfi cfi;
    struct error err;
};

static int begin(void **state)
{
    static struct fixture fixture;

    fixture =
        (struct fixture){.builder = builder_new(true, false, EM_X86_64, ET_DYN), .image.descriptor = -1};
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    cfi_done(&f->cfi);
    image_close(&f->image);
    builder_done(&f->builder);
    text_done(&f->frames);
    return 0;
}

static void number(struct fixture *f, uint64_t value, int width)
{
    builder_number(&f->builder, &f->frames, value, width);
}

static void common(struct fixture *f, struct slice content)
{
    number(f, 4 + content.length, 4);
    number(f, 0, 4);
    text_add(&f->frames, content);
}

/* An entry of the section's first CIE. */
static void entry(struct fixture *f, uint64_t start, uint64_t size, struct slice instructions)
{
    number(f, 4 + 4 + 4 + 1 + instructions.length, 4);
    number(f, f->frames.length, 4);
    number(f, start - (FRAMES + f->frames.length), 4);
    number(f, size, 4);
    number(f, 0, 1);
    text_add(&f->frames, instructions);
}

static void read_section(struct fixture *f, const char *name)
{
    builder_code(&f->builder, ".text", TEXT, (struct slice){(const char[256]){0}, 256});
    builder_section(&f->builder, (struct built_section){.name = name,
                                                        .type = SHT_PROGBITS,
                                                        .flags = SHF_ALLOC,
                                                        .svma = FRAMES,
                                                        .data = text_slice(&f->frames)});
    assert_int_equal(image_open_bytes(builder_finish(&f->builder), "prog", &f->image, &f->err), 0);
    assert_int_equal(cfi_read(&f->image, &f->cfi, &f->err), 0);
}

static void read_frames(struct fixture *f)
{
    read_section(f, ".eh_frame");
}

static const struct cfi_row *row_at(struct fixture *f, uint64_t svma)
{
    const struct cfi_row *row = cfi_find(&f->cfi, svma);

    assert_non_null(row);
    return row;
}

static void assert_cfa(const struct cfi_row *row, enum cfi_cfa_rule rule, unsigned number_of, int32_t offset)
{
    assert_int_equal(row->cfa_rule, rule);
    assert_int_equal(row->cfa_register, number_of);
    assert_int_equal(row->cfa_offset, offset);
}

static void a_function_with_a_frame_pointer_has_a_row_for_each_step(void **state)
{
    struct fixture *f = *state;

    common(f, SLICE(COMMON_START COMMON_RULES));
    entry(f, TEXT, 0x20, SLICE("\x41" PUSH_RBP "\x43\x0d\6\x02\x10\xc6\x0c\7\x08"));
    read_frames(f);
    assert_int_equal(f->cfi.rows.count, 5);
    assert_int_equal(f->cfi.damaged_count, 0);
    assert_int_equal(f->cfi.return_register, RETURN);
    assert_int_equal(f->cfi.frame_register, RBP);
    assert_cfa(row_at(f, TEXT), CFI_CFA_REGISTER, RSP, 8);
    assert_int_equal(row_at(f, TEXT)->return_rule, CFI_AT_CFA);
    assert_int_equal(row_at(f, TEXT)->return_offset, -8);
    assert_int_equal(row_at(f, TEXT)->frame_rule, CFI_SAME);
    assert_cfa(row_at(f, TEXT + 1), CFI_CFA_REGISTER, RSP, 16);
    assert_int_equal(row_at(f, TEXT + 3)->frame_rule, CFI_AT_CFA);
    assert_int_equal(row_at(f, TEXT + 3)->frame_offset, -16);
    assert_cfa(row_at(f, TEXT + 4), CFI_CFA_REGISTER, RBP, 16);
    assert_cfa(row_at(f, TEXT + 0x1f), CFI_CFA_REGISTER, RSP, 8);
    assert_int_equal(row_at(f, TEXT + 0x1f)->frame_rule, CFI_SAME);
}

static void behind_a_function_and_before_the_first_there_is_no_row(void **state)
{
    struct fixture *f = *state;

    common(f, SLICE(COMMON_START COMMON_RULES));
    entry(f, TEXT + 0x10, 0x10, SLICE(""));
    entry(f, TEXT + 0x40, 0x10, SLICE("\x0e\x18"));
    entry(f, TEXT + 0x50, 0x10, SLICE(""));
    read_frames(f);
    assert_null(cfi_find(&f->cfi, TEXT));
    assert_non_null(cfi_find(&f->cfi, TEXT + 0x1f));
    assert_null(cfi_find(&f->cfi, TEXT + 0x20));
    assert_cfa(row_at(f, TEXT + 0x4f), CFI_CFA_REGISTER, RSP, 24);
    assert_cfa(row_at(f, TEXT + 0x50), CFI_CFA_REGISTER, RSP, 8);
    assert_null(cfi_find(&f->cfi, TEXT + 0x60));
    assert_null(cfi_find(&f->cfi, UINT64_MAX));
}

static void a_remembered_state_comes_back(void **state)
{
    struct fixture *f = *state;

    common(f, SLICE(COMMON_START COMMON_RULES));
    entry(f, TEXT, 0x20, SLICE("\x41" PUSH_RBP "\x41\x0a\x0c\7\x08\xc6\x41\x0b"));
    read_frames(f);
    assert_cfa(row_at(f, TEXT + 1), CFI_CFA_REGISTER, RSP, 16);
    assert_cfa(row_at(f, TEXT + 2), CFI_CFA_REGISTER, RSP, 8);
    assert_cfa(row_at(f, TEXT + 3), CFI_CFA_REGISTER, RSP, 16);
    assert_int_equal(row_at(f, TEXT + 3)->frame_rule, CFI_AT_CFA);
}

static void an_undefined_return_address_is_the_outermost_frame(void **state)
{
    struct fixture *f = *state;

    common(f, SLICE(COMMON_START COMMON_RULES));
    entry(f, TEXT, 0x20, SLICE("\x07\x10"));
    read_frames(f);
    assert_int_equal(row_at(f, TEXT)->return_rule, CFI_UNDEFINED);
}

/* 0x0f: CFA expression; 0x77: rsp +, 0x80: rip +, 0x3f: 15, 0x1a: and, 0x3b: 11, ge, 3, shl, plus. */
static void the_expression_of_a_plt_is_known(void **state)
{
    struct fixture *f = *state;

    common(f, SLICE(COMMON_START COMMON_RULES));
    entry(f, TEXT, 0x20, SLICE("\x0f\x0b\x77\x08\x80\0\x3f\x1a\x3b\x2a\x33\x24\x22"));
    entry(f, TEXT + 0x20, 0x20, SLICE("\x0f\x0b\x77\x08\x80\0\x3f\x1a\x3b\x2a\x33\x24\x21"));
    read_frames(f);
    assert_cfa(row_at(f, TEXT), CFI_CFA_PLT, 11, 8);
    assert_int_equal(row_at(f, TEXT + 0x20)->cfa_rule, CFI_CFA_EXPRESSION);
}

/* As the kernel's signal frames: CFA stored at rsp + 160, registers at rsp + 120 and 168. */
static void a_signal_frame_keeps_its_registers_at_the_stack_pointer(void **state)
{
    struct fixture *f = *state;

    common(f, SLICE("\1zRS\0\1\x78\x10\1\x1b"));
    entry(f, TEXT, 0x20, SLICE("\x0f\4\x77\xa0\1\6\x10\x10\3\x77\xa8\1\x10\6\3\x77\xf8\0"));
    read_frames(f);
    assert_cfa(row_at(f, TEXT), CFI_CFA_MEMORY, RSP, 160);
    assert_true(row_at(f, TEXT)->is_signal_frame);
    assert_int_equal(row_at(f, TEXT)->return_rule, CFI_AT_BASE);
    assert_int_equal(row_at(f, TEXT)->return_offset, 168);
    assert_int_equal(row_at(f, TEXT)->frame_rule, CFI_AT_BASE);
    assert_int_equal(row_at(f, TEXT)->frame_offset, 120);
}

/* 0x77 is rsp +, 0x76 rbp +, 0x03 an address, 0x06 a dereference. */
static void expressions_of_other_forms_are_left_to_who_walks(void **state)
{
    static const struct slice expressions[] = {
        SLICE("\x0f\3\x77\x08\x12"),                                 /* rsp + 8, twice */
        SLICE("\x0f\4\x77\x08\6\6"),                                 /* dereferenced twice */
        SLICE("\x0f\x09\3\0\0\0\0\0\0\0\0"),                         /* an address */
        SLICE("\x0f\x0b\x77\x08\x80\1\x3f\x1a\x3b\x2a\x33\x24\x22"), /* counts from rip + 1 */
        SLICE("\x0f\x0b\x77\x08\x80\0\x3f\x1a\x50\x2a\x33\x24\x22"), /* compares with a register */
    };
    struct fixture *f = *state;

    common(f, SLICE(COMMON_START COMMON_RULES));
    for (size_t i = 0; i < ARRAY_COUNT(expressions); i++)
        entry(f, TEXT + i * 0x10, 0x10, expressions[i]);
    entry(f, TEXT + 0x80, 0x10, SLICE("\x0f\2\x76\x10"));
    entry(f, TEXT + 0x90, 0x10, SLICE("\x10\6\2\x77\0"));
    entry(f, TEXT + 0xa0, 0x10, SLICE("\x0f\3\x77\0\6\x10\6\2\x76\0\x10\x10\3\x77\0\6"));
    read_frames(f);
    assert_int_equal(f->cfi.damaged_count, 0);
    for (size_t i = 0; i < ARRAY_COUNT(expressions); i++) {
        const struct cfi_row *row = row_at(f, TEXT + i * 0x10);
        struct slice section = cfi_section_of(&f->cfi, row);
        struct slice expected = slice_range(expressions[i], 1, expressions[i].length);

        assert_int_equal(row->cfa_rule, CFI_CFA_EXPRESSION);
        assert_true(
            slice_starts_with(slice_range(section, (size_t)row->cfa_offset, section.length), expected));
    }
    assert_cfa(row_at(f, TEXT + 0x80), CFI_CFA_REGISTER, RBP, 16);
    assert_int_equal(row_at(f, TEXT + 0x90)->frame_rule, CFI_AT_EXPRESSION);
    assert_int_equal(row_at(f, TEXT + 0xa0)->frame_rule, CFI_AT_EXPRESSION);
    assert_int_equal(row_at(f, TEXT + 0xa0)->return_rule, CFI_AT_EXPRESSION);
}

/* 0x83: rbx is saved, 0xc3: it is not any more, 0x16: it is what an expression computes. */
static void the_base_pointer_is_followed_like_the_frame_pointer(void **state)
{
    struct fixture *f = *state;

    common(f, SLICE(COMMON_START COMMON_RULES));
    entry(f, TEXT, 0x20, SLICE("\x41\x0e\x10\x83\2\x41\x0c\3\x18\x41\xc3\x41\x16\3\2\x77\x08"));
    read_frames(f);
    assert_int_equal(row_at(f, TEXT)->base_rule, CFI_SAME);
    assert_int_equal(row_at(f, TEXT + 1)->base_rule, CFI_AT_CFA);
    assert_int_equal(row_at(f, TEXT + 1)->base_offset, -16);
    assert_cfa(row_at(f, TEXT + 2), CFI_CFA_REGISTER, 3, 24);
    assert_int_equal(row_at(f, TEXT + 3)->base_rule, CFI_SAME);
    assert_int_equal(row_at(f, TEXT + 4)->base_rule, CFI_IS_EXPRESSION);
}

static void steps_that_change_nothing_make_no_row(void **state)
{
    struct fixture *f = *state;

    common(f, SLICE(COMMON_START COMMON_RULES));
    entry(f, TEXT, 0x10, SLICE("\x41\x8c\2\x41\x0e\x08\x41\x0e\x10\x7f\x0e\x18"));
    read_frames(f);
    assert_int_equal(f->cfi.rows.count, 3);
    assert_cfa(row_at(f, TEXT + 2), CFI_CFA_REGISTER, RSP, 8);
    assert_cfa(row_at(f, TEXT + 0xf), CFI_CFA_REGISTER, RSP, 16);
}

static void what_fits_no_row_is_said_to_be_other(void **state)
{
    struct fixture *f = *state;

    common(f, SLICE(COMMON_START COMMON_RULES));
    entry(f, TEXT, 0x10, SLICE("\x0e\xff\xff\xff\xff\xff\1"));
    entry(f, TEXT + 0x10, 0x10, SLICE("\x05\x10\xff\xff\xff\xff\xff\1"));
    entry(f, TEXT + 0x20, 0x10, SLICE("\x16\6\1\x30\x10\x10\1\x30"));
    entry(f, TEXT + 0x30, 0x10, SLICE("\x09\6\3\x14\x10\1"));
    read_frames(f);
    assert_int_equal(row_at(f, TEXT)->cfa_rule, CFI_CFA_OTHER);
    assert_int_equal(row_at(f, TEXT + 0x10)->return_rule, CFI_OTHER);
    assert_int_equal(row_at(f, TEXT + 0x20)->return_rule, CFI_AT_EXPRESSION);
    assert_int_equal(row_at(f, TEXT + 0x20)->frame_rule, CFI_IS_EXPRESSION);
    assert_int_equal(row_at(f, TEXT + 0x30)->frame_rule, CFI_IN_REGISTER);
    assert_int_equal(row_at(f, TEXT + 0x30)->frame_offset, 3);
    assert_int_equal(row_at(f, TEXT + 0x30)->return_rule, CFI_IS_CFA);
    assert_int_equal(row_at(f, TEXT + 0x30)->return_offset, -8);
}

static void entries_of_dropped_functions_are_left_out(void **state)
{
    struct fixture *f = *state;

    common(f, SLICE(COMMON_START COMMON_RULES));
    entry(f, 0, 0x20, SLICE(""));
    entry(f, TEXT + 0xf0, 0x20, SLICE(""));
    read_frames(f);
    assert_int_equal(f->cfi.rows.count, 0);
    assert_int_equal(f->cfi.damaged_count, 0);
}

static void of_overlapping_entries_the_first_counts(void **state)
{
    struct fixture *f = *state;

    common(f, SLICE(COMMON_START COMMON_RULES));
    entry(f, TEXT + 0x10, 0x20, SLICE("\x0e\x20"));
    entry(f, TEXT, 0x20, SLICE("\x0e\x18"));
    entry(f, TEXT, 0x40, SLICE("\x0e\x28"));
    read_frames(f);
    assert_cfa(row_at(f, TEXT + 0x1f), CFI_CFA_REGISTER, RSP, 24);
    assert_null(cfi_find(&f->cfi, TEXT + 0x20));
}

static void a_damaged_entry_is_counted_and_the_next_is_read(void **state)
{
    static const struct slice damages[] = {
        SLICE("\x0e"),                     /* an operand is missing */
        SLICE("\x0b"),                     /* nothing was remembered */
        SLICE("\x3f"),                     /* an instruction that does not exist */
        SLICE("\x0f\x7f\x77"),             /* a block longer than the entry */
        SLICE("\x41\x01\0\0\0\0\0\0\0\0"), /* back to address 0 */
    };
    struct fixture *f = *state;

    common(f, SLICE(COMMON_START COMMON_RULES));
    for (size_t i = 0; i < ARRAY_COUNT(damages); i++)
        entry(f, TEXT + i * 0x10, 0x10, damages[i]);
    entry(f, TEXT + 0x80, 0x10, SLICE("\x0e\x18"));
    read_frames(f);
    assert_int_equal(f->cfi.damaged_count, ARRAY_COUNT(damages));
    assert_cfa(row_at(f, TEXT + 0x80), CFI_CFA_REGISTER, RSP, 24);
}

static void entries_without_a_readable_cie_are_counted(void **state)
{
    static const struct slice damages[] = {
        SLICE("\2zR\0\1\x78\x10\1\x1b"),     /* a version there is not */
        SLICE("\1xx\0\1\x78\x10"),           /* an augmentation without a length */
        SLICE("\1zR\0\1\x78\x10\x7f\x1b"),   /* augmentation data longer than the CIE */
        SLICE("\1zR\0\1\x78\x10\1\x5b"),     /* addresses in an encoding for data */
        SLICE("\1zR\0\1\x78\x10\1\x1b\x41"), /* moves on before there is a function */
        SLICE("\1zR"),
    };

    for (size_t i = 0; i < ARRAY_COUNT(damages); i++) {
        struct fixture *f = *state;

        common(f, damages[i]);
        entry(f, TEXT, 0x10, SLICE(""));
        read_frames(f);
        assert_int_equal(f->cfi.damaged_count, 1);
        assert_int_equal(f->cfi.rows.count, 0);
        end(state);
        begin(state);
    }
}

static void a_section_cut_short_gives_what_is_whole(void **state)
{
    struct fixture *f = *state;

    common(f, SLICE(COMMON_START COMMON_RULES));
    entry(f, TEXT, 0x10, SLICE(""));
    entry(f, TEXT + 0x10, 0x10, SLICE(""));
    f->frames.length -= 2;
    read_frames(f);
    assert_int_equal(f->cfi.damaged_count, 1);
    assert_non_null(cfi_find(&f->cfi, TEXT + 0xf));
    assert_null(cfi_find(&f->cfi, TEXT + 0x10));
}

/* There the CIE is marked by ones, offsets count from the section's start and addresses are plain. */
static void debug_frame_is_read_too(void **state)
{
    struct fixture *f = *state;

    number(f, 4 + 5 + 5, 4);
    number(f, UINT32_MAX, 4);
    text_add(&f->frames, SLICE("\3\0\1\x78\x10" COMMON_RULES));
    number(f, 4 + 8 + 8 + 2, 4);
    number(f, 0, 4);
    number(f, TEXT, 8);
    number(f, 0x10, 8);
    text_add(&f->frames, SLICE("\x0e\x18"));
    read_section(f, ".debug_frame");
    assert_int_equal(f->cfi.damaged_count, 0);
    assert_cfa(row_at(f, TEXT), CFI_CFA_REGISTER, RSP, 24);
}

static void a_cie_of_version_4_says_how_wide_addresses_are(void **state)
{
    struct fixture *f = *state;

    number(f, 4 + 7 + 5, 4);
    number(f, UINT32_MAX, 4);
    text_add(&f->frames, SLICE("\4\0\4\0\1\x78\x10" COMMON_RULES));
    number(f, 4 + 4 + 4 + 2, 4);
    number(f, 0, 4);
    number(f, TEXT, 4);
    number(f, 0x10, 4);
    text_add(&f->frames, SLICE("\x0e\x18"));
    read_section(f, ".debug_frame");
    assert_int_equal(f->cfi.damaged_count, 0);
    assert_cfa(row_at(f, TEXT), CFI_CFA_REGISTER, RSP, 24);
}

/* A personality routine and an LSDA pointer, as functions with landing pads have. */
static void other_augmentations_are_read_over(void **state)
{
    struct fixture *f = *state;

    common(f, SLICE("\1zPLR\0\1\x78\x10\7\x9b"
                    "1234"
                    "\x1b\x1b" COMMON_RULES));
    entry(f, TEXT, 0x10, SLICE("\x0e\x18"));
    read_frames(f);
    assert_int_equal(f->cfi.damaged_count, 0);
    assert_cfa(row_at(f, TEXT), CFI_CFA_REGISTER, RSP, 24);
}

static void on_aarch64_signed_return_addresses_are_marked(void **state)
{
    struct fixture *f = *state;

    f->builder.machine = EM_AARCH64;
    common(f, SLICE("\1zR\0\4\x78\x1e\1\x1b\x0c\x1f\0"));
    entry(f, TEXT, 0x20, SLICE("\x41\x2d\x42\x2d"));
    read_frames(f);
    assert_false(row_at(f, TEXT)->has_signed_return_address);
    assert_true(row_at(f, TEXT + 4)->has_signed_return_address);
    assert_true(row_at(f, TEXT + 11)->has_signed_return_address);
    assert_false(row_at(f, TEXT + 12)->has_signed_return_address);
    assert_int_equal(row_at(f, TEXT)->return_rule, CFI_SAME);
    assert_int_equal(f->cfi.return_register, 30);
}

static void so_are_those_that_are_signed_with_another_key_and_the_place(void **state)
{
    struct fixture *f = *state;

    f->builder.machine = EM_AARCH64;
    common(f, SLICE("\1zRBGS\0\4\x78\x1e\1\x1b\x0c\x1f\0"));
    entry(f, TEXT, 0x20, SLICE("\x41\x2c\x42\x2c"));
    entry(f, TEXT + 0x20, 0x20, SLICE("\x2b\2\0\x41\x2b\0\x7c"));
    read_frames(f);
    assert_int_equal(f->cfi.damaged_count, 0);
    assert_true(row_at(f, TEXT + 0x20)->has_signed_return_address);
    assert_false(row_at(f, TEXT + 0x24)->has_signed_return_address);
    assert_true(row_at(f, TEXT)->is_signal_frame);
    assert_false(row_at(f, TEXT)->has_signed_return_address);
    assert_true(row_at(f, TEXT + 4)->has_signed_return_address);
    assert_false(row_at(f, TEXT + 12)->has_signed_return_address);
}

static void a_file_without_frames_has_no_rows(void **state)
{
    struct fixture *f = *state;

    read_section(f, ".other");
    assert_int_equal(f->cfi.rows.count, 0);
    assert_null(cfi_find(&f->cfi, TEXT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_function_with_a_frame_pointer_has_a_row_for_each_step, begin, end),
        cmocka_unit_test_setup_teardown(behind_a_function_and_before_the_first_there_is_no_row, begin, end),
        cmocka_unit_test_setup_teardown(a_remembered_state_comes_back, begin, end),
        cmocka_unit_test_setup_teardown(an_undefined_return_address_is_the_outermost_frame, begin, end),
        cmocka_unit_test_setup_teardown(the_expression_of_a_plt_is_known, begin, end),
        cmocka_unit_test_setup_teardown(a_signal_frame_keeps_its_registers_at_the_stack_pointer, begin, end),
        cmocka_unit_test_setup_teardown(expressions_of_other_forms_are_left_to_who_walks, begin, end),
        cmocka_unit_test_setup_teardown(the_base_pointer_is_followed_like_the_frame_pointer, begin, end),
        cmocka_unit_test_setup_teardown(steps_that_change_nothing_make_no_row, begin, end),
        cmocka_unit_test_setup_teardown(what_fits_no_row_is_said_to_be_other, begin, end),
        cmocka_unit_test_setup_teardown(entries_of_dropped_functions_are_left_out, begin, end),
        cmocka_unit_test_setup_teardown(of_overlapping_entries_the_first_counts, begin, end),
        cmocka_unit_test_setup_teardown(a_damaged_entry_is_counted_and_the_next_is_read, begin, end),
        cmocka_unit_test_setup_teardown(entries_without_a_readable_cie_are_counted, begin, end),
        cmocka_unit_test_setup_teardown(a_section_cut_short_gives_what_is_whole, begin, end),
        cmocka_unit_test_setup_teardown(debug_frame_is_read_too, begin, end),
        cmocka_unit_test_setup_teardown(a_cie_of_version_4_says_how_wide_addresses_are, begin, end),
        cmocka_unit_test_setup_teardown(other_augmentations_are_read_over, begin, end),
        cmocka_unit_test_setup_teardown(so_are_those_that_are_signed_with_another_key_and_the_place, begin,
                                        end),
        cmocka_unit_test_setup_teardown(on_aarch64_signed_return_addresses_are_marked, begin, end),
        cmocka_unit_test_setup_teardown(a_file_without_frames_has_no_rows, begin, end),
    };

    return cmocka_run_group_tests_name("cfi", tests, NULL, NULL);
}
