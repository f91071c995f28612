/*
 * The stubs are what linkers made of
 *
 *     f: bl strcmp
 *        bl toupper
 *        bl own
 *        ret
 *     .type own, %gnu_indirect_function
 *     .type resolver, %function
 *     resolver: ret
 *     .set own, resolver
 *     .hidden own
 *
 * by `aarch64-linux-gnu-as`, then `aarch64-linux-gnu-ld -shared -z now` of binutils 2.40 and `rust-lld
 * -flavor gnu -shared`, each also with `-z force-bti` and `-z pac-plt`; f, own and resolver are global
 * functions.
 */
#include "cmocka_all.h"

#include "code/aarch64_stub.h"
#include "elf_builder.h"
#include "symbolize/stubs.h"

enum { BTI = 0xd503245f, NOP = 0xd503201f, AUTIA1716 = 0xd503219f, BR = 0xd61f0220, STP = 0xa9bf7bf0 };

#define STUB(adrp, ldr, add) adrp, ldr, add, BR
#define STUB_PAC(adrp, ldr, add) adrp, ldr, add, AUTIA1716, BR

/* GNU ld. */
static const uint32_t plain[] = {
    STP,
    STUB(0xf00000f0, 0xf947ee11, 0x913f6210),
    NOP,
    NOP,
    NOP,
    STUB(0xf00000f0, 0xf947f211, 0x913f8210), /* strcmp */
    STUB(0xf00000f0, 0xf947f611, 0x913fa210), /* toupper */
    STUB(0xf00000f0, 0xf947fa11, 0x913fc210), /* own, by an R_AARCH64_IRELATIVE */
};
enum { PLAIN_SVMA = 0x230, PLAIN_PLACE = 0x1ffe0 };

/* The same with -z pac-plt: strcmp, toupper. */
static const uint32_t signed_ones[] = {
    STP, STUB(0xf00000f0, 0xf947ee11, 0x913f6210),     NOP, NOP,
    NOP, STUB_PAC(0xf00000f0, 0xf947f211, 0x913f8210), NOP, STUB_PAC(0xf00000f0, 0xf947f611, 0x913fa210),
    NOP,
};

/* lld's .iplt with both. */
static const uint32_t tracked_and_signed[] = {BTI, STUB_PAC(0x90000110, 0xf942a211, 0x91150210)};
enum { TRACKED_SVMA = 0x10400, TRACKED_PLACE = 0x30540 };

/* lld's with -z force-bti, of a stub whose address nobody takes. */
static const uint32_t padded[] = {NOP, NOP, STUB(0x90000110, 0xf9429611, 0x9114a210), NOP, NOP};
enum { PADDED_SVMA = 0x103e0, PADDED_PLACE = 0x30528 };

static void add_words(struct text *out, const uint32_t *words, size_t count)
{
    const struct elf_builder little = {0};

    for (size_t i = 0; i < count; i++)
        builder_number(&little, out, words[i], 4);
}

/* The place at the instruction of that number; 0: none. */
static uint64_t place_at(const uint32_t *words, size_t count, uint64_t svma, uint64_t instruction)
{
    SCOPED(text_done) struct text bytes = {0};
    uint64_t place = 0;

    add_words(&bytes, words, count);
    if (!aarch64_stub_place(&(struct code_bytes){text_slice(&bytes), svma}, svma + 4 * instruction, &place))
        assert_int_equal(place, 0);
    return place;
}

#define PLACE_AT(words, svma, instruction) place_at(words, ARRAY_COUNT(words), svma, instruction)

static void any_instruction_of_a_stub_tells_its_place(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 12; i++)
        assert_int_equal(PLACE_AT(plain, PLAIN_SVMA, 8 + i), PLAIN_PLACE + i / 4 * 8);
    for (uint64_t i = 0; i < 11; i++)
        assert_int_equal(PLACE_AT(signed_ones, PLAIN_SVMA, 8 + i), PLAIN_PLACE + (i + 1) / 6 * 8);
    for (uint64_t i = 0; i < 6; i++) {
        assert_int_equal(PLACE_AT(tracked_and_signed, TRACKED_SVMA, i), TRACKED_PLACE);
        assert_int_equal(PLACE_AT(padded, PADDED_SVMA, i), PADDED_PLACE);
    }
    assert_int_equal(place_at(padded, 6, PADDED_SVMA, 0), PADDED_PLACE);
}

static void a_place_before_the_stub_is_found(void **state)
{
    static const uint32_t backwards[] = {
        STUB(0x90ffffd0, 0xf9400211, 0x91000210)}; /* adrp x16, 8 pages less */

    (void)state;
    assert_int_equal(PLACE_AT(backwards, 0x10123000, 3), 0x1011b000);
}

static void what_has_the_loader_find_a_function_has_none(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 5; i++)
        assert_int_equal(PLACE_AT(plain, PLAIN_SVMA, i), 0);
}

static void other_code_has_none(void **state)
{
    static const uint32_t other_register[] = {STUB(0x90000111, 0xf9400211, 0x91000210)};
    static const uint32_t apart[] = {0x90000110, NOP, 0xf9400211, BR};
    static const uint32_t loads_other[] = {STUB(0x90000110, 0xf9400230, 0x91000210)};

    (void)state;
    assert_int_equal(PLACE_AT(other_register, 0, 0), 0);
    assert_int_equal(PLACE_AT(apart, 0, 0), 0);
    assert_int_equal(PLACE_AT(loads_other, 0, 0), 0);
    assert_int_equal(place_at(plain, 11, PLAIN_SVMA, 8), 0);            /* its jump is missing, */
    assert_int_equal(place_at(plain + 9, 3, PLAIN_SVMA, 0), 0);         /* or its start */
    assert_int_equal(place_at(plain, 0, PLAIN_SVMA, 0), 0);             /* or all */
    assert_int_equal(PLACE_AT(padded, PADDED_SVMA, 6), 0);              /* what follows one */
    assert_int_equal(PLACE_AT(padded, PADDED_SVMA, UINT64_MAX / 4), 0); /* or nothing */
}

static void stubs_of_a_file_are_called_after_what_they_jump_to(void **state)
{
    SCOPED(text_done) struct text jumps = {0};
    SCOPED(text_done) struct text stubs_bytes = {0};
    SCOPED(text_done) struct text own_bytes = {0};
    struct elf_builder builder = builder_new(true, false, EM_AARCH64, ET_DYN);
    const uint64_t flags = SHF_ALLOC | SHF_EXECINSTR;
    struct image image;
    struct stubs stubs = {0};
    struct error err = {0};

    (void)state;
    add_words(&stubs_bytes, plain, ARRAY_COUNT(plain));
    add_words(&own_bytes, tracked_and_signed, ARRAY_COUNT(tracked_and_signed));
    builder_section(&builder, (struct built_section){".plt", SHT_PROGBITS, flags, PLAIN_SVMA,
                                                     text_slice(&stubs_bytes), .alignment = 16});
    builder_section(&builder, (struct built_section){".iplt", SHT_PROGBITS, flags, TRACKED_SVMA,
                                                     text_slice(&own_bytes), .alignment = 16});
    builder_symbol(&builder, "strcmp", FUNCTION_GLOBAL, SHN_UNDEF, 0, 0);
    builder_symbol(&builder, "resolver", FUNCTION_GLOBAL, 1, 0x290, 4);
    builder_symbol(&builder, "own", ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC), 1, 0x290, 4);
    const uint64_t relocations[][3] = {{PLAIN_PLACE, ELF64_R_INFO(1UL, R_AARCH64_JUMP_SLOT), 0},
                                       {PLAIN_PLACE + 16, R_AARCH64_IRELATIVE, 0x290},
                                       {TRACKED_PLACE, R_AARCH64_IRELATIVE, 0x10310}};
    for (size_t i = 0; i < ARRAY_COUNT(relocations); i++)
        for (size_t field = 0; field < 3; field++)
            builder_number(&builder, &jumps, relocations[i][field], 8);
    builder_section(&builder, (struct built_section){".rela.plt", SHT_RELA, SHF_ALLOC, 0x1e8,
                                                     text_slice(&jumps), .link = builder_symtab(&builder),
                                                     .alignment = 8, .entry_bytes = 24});
    assert_int_equal(image_open_bytes(builder_finish(&builder), "built", &image, &err), 0);
    for (uint64_t i = 0; i < 16; i++) {
        assert_true(slice_is(stubs_find(&stubs, &image, PLAIN_SVMA + 32 + i)->name, "strcmp"));
        assert_null(stubs_find(&stubs, &image, PLAIN_SVMA + 48 + i)); /* without a relocation */
        assert_int_equal(stubs_find(&stubs, &image, PLAIN_SVMA + 64 + i)->target_svma, 0x290);
        assert_true(slice_is(stubs_find(&stubs, &image, PLAIN_SVMA + 64 + i)->name, "own"));
    }
    for (uint64_t i = 0; i < 24; i++) {
        assert_int_equal(stubs_find(&stubs, &image, TRACKED_SVMA + i)->target_svma, 0x10310);
        assert_int_equal(stubs_find(&stubs, &image, TRACKED_SVMA + i)->name.length, 0);
    }
    for (uint64_t i = 0; i < 20; i++)
        assert_null(stubs_find(&stubs, &image, PLAIN_SVMA + i));
    stubs_done(&stubs);
    image_close(&image);
    builder_done(&builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_instruction_of_a_stub_tells_its_place),
        cmocka_unit_test(a_place_before_the_stub_is_found),
        cmocka_unit_test(what_has_the_loader_find_a_function_has_none),
        cmocka_unit_test(other_code_has_none),
        cmocka_unit_test(stubs_of_a_file_are_called_after_what_they_jump_to),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
