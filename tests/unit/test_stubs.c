#include "cmocka_all.h"

#include "elf_builder.h"
#include "memory_file.h"
#include "symbolize/stubs.h"
#include "symbolize/symbolize.h"

enum { LATE_SVMA = 0x1000, TRACKED_SVMA = 0x1100, SHORT_SVMA = 0x1200, TEXT_SVMA = 0x1300, PLACES = 0x4000 };

/* A jump through the place, from an instruction at `svma`, and what follows it up to `length`. */
static void add_stub(struct text *out, struct slice before, uint64_t svma, uint64_t place_svma, size_t length)
{
    const struct elf_builder little = {0};
    size_t end = out->length + length;

    text_add(out, before);
    text_add(out, SLICE("\xff\x25"));
    builder_number(&little, out, place_svma - (svma + before.length + 6), 4);
    while (out->length < end)
        text_add_byte(out, '\x90');
}

struct fixture {
    struct elf_builder builder;
    struct text code[4];
    struct text jumps;
    struct image image;
    struct stubs stubs;
};

static void add_relocation(struct fixture *f, uint64_t place_svma, uint32_t symbol, uint32_t type,
                           uint64_t addend)
{
    builder_number(&f->builder, &f->jumps, place_svma, 8);
    builder_number(&f->builder, &f->jumps, ELF64_R_INFO((uint64_t)symbol, type), 8);
    builder_number(&f->builder, &f->jumps, addend, 8);
}

static void add_code(struct fixture *f)
{
    builder_section(&f->builder,
                    (struct built_section){".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, LATE_SVMA,
                                           text_slice(&f->code[0]), .alignment = 16, .entry_bytes = 16});
    builder_section(&f->builder,
                    (struct built_section){".plt.sec", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TRACKED_SVMA,
                                           text_slice(&f->code[1]), .alignment = 16});
    builder_section(&f->builder, (struct built_section){".plt.got", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
                                                        SHORT_SVMA, text_slice(&f->code[2]), .alignment = 8});
    builder_code(&f->builder, ".text", TEXT_SVMA, text_slice(&f->code[3]));
}

/* "strcmp" is jumped to from .plt and .plt.sec, "toupper" from .plt.got, what 0x1300 tells from .plt. */
static int set_up(void **state)
{
    static struct fixture fixture;
    struct fixture *f = &fixture;
    struct error err = {0};
    uint32_t table = 0;

    *f = (struct fixture){.builder = builder_new(true, false, EM_X86_64, ET_DYN)};
    add_stub(&f->code[0], SLICE("\xff\x35\x01\x02\x03\x04"), LATE_SVMA, PLACES + 16, 16);
    add_stub(&f->code[0], SLICE(""), LATE_SVMA + 16, PLACES + 24, 16);
    add_stub(&f->code[0], SLICE(""), LATE_SVMA + 32, PLACES + 40, 16);
    add_stub(&f->code[1], SLICE("\xf3\x0f\x1e\xfa\xf2"), TRACKED_SVMA, PLACES + 24, 16);
    add_stub(&f->code[1], SLICE("\xf3\x0f\x1e\xfa"), TRACKED_SVMA + 16, PLACES + 24, 15);
    add_stub(&f->code[2], SLICE(""), SHORT_SVMA, PLACES + 24, 8);
    add_stub(&f->code[2], SLICE(""), SHORT_SVMA + 8, PLACES + 32, 8);
    add_stub(&f->code[3], SLICE(""), TEXT_SVMA, PLACES + 24, 16);
    add_code(f);
    builder_symbol(&f->builder, "strcmp", FUNCTION_GLOBAL, SHN_UNDEF, 0, 0);
    builder_symbol(&f->builder, "toupper", FUNCTION_GLOBAL, SHN_UNDEF, 0, 0);
    table = builder_symtab(&f->builder);
    add_relocation(f, PLACES + 32, 2, R_X86_64_GLOB_DAT, 0);
    add_relocation(f, PLACES + 40, 0, R_X86_64_IRELATIVE, TEXT_SVMA);
    add_relocation(f, PLACES + 24, 1, R_X86_64_JUMP_SLOT, 0);
    builder_section(&f->builder,
                    (struct built_section){".rela.plt", SHT_RELA, SHF_ALLOC, 0x2000, text_slice(&f->jumps),
                                           .link = table, .alignment = 8, .entry_bytes = 24});
    assert_int_equal(image_open_bytes(builder_finish(&f->builder), "built", &f->image, &err), 0);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    stubs_done(&f->stubs);
    image_close(&f->image);
    for (size_t i = 0; i < ARRAY_COUNT(f->code); i++)
        text_done(&f->code[i]);
    text_done(&f->jumps);
    builder_done(&f->builder);
    return 0;
}

static void assert_jumps_to(struct fixture *f, uint64_t svma, const char *name)
{
    const struct code_slot *slot = stubs_find(&f->stubs, &f->image, svma);

    assert_non_null(slot);
    assert_true(slice_is(slot->name, name));
}

static void any_address_of_a_stub_tells_what_it_jumps_to(void **state)
{
    for (uint64_t i = 0; i < 16; i++) {
        assert_jumps_to(*state, LATE_SVMA + 16 + i, "strcmp");
        assert_jumps_to(*state, TRACKED_SVMA + i, "strcmp");
    }
    for (uint64_t i = 0; i < 8; i++) {
        assert_jumps_to(*state, SHORT_SVMA + i, "strcmp");
        assert_jumps_to(*state, SHORT_SVMA + 8 + i, "toupper");
    }
}

static void what_the_file_decides_as_it_starts_is_told_by_the_address_of_who_decides(void **state)
{
    struct fixture *f = *state;
    const struct code_slot *slot = stubs_find(&f->stubs, &f->image, LATE_SVMA + 32);

    assert_non_null(slot);
    assert_int_equal(slot->name.length, 0);
    assert_int_equal(slot->target_svma, TEXT_SVMA);
}

static void what_has_the_loader_find_a_function_is_none_of_its_stubs(void **state)
{
    struct fixture *f = *state;

    assert_null(stubs_find(&f->stubs, &f->image, LATE_SVMA));
    assert_true(stubs_are_at(&f->image, LATE_SVMA));
}

static void a_stub_that_the_section_cuts_is_not_read(void **state)
{
    struct fixture *f = *state;

    assert_true(stubs_are_at(&f->image, TRACKED_SVMA + 30));
    assert_null(stubs_find(&f->stubs, &f->image, TRACKED_SVMA + 30));
}

static void jumps_of_other_code_are_no_stubs(void **state)
{
    struct fixture *f = *state;

    assert_false(stubs_are_at(&f->image, TEXT_SVMA));
    assert_null(stubs_find(&f->stubs, &f->image, TEXT_SVMA));
    assert_null(stubs_find(&f->stubs, &f->image, TEXT_SVMA + 0x1000));
}

static struct slice name_at(struct profile *profile, const char *path, uint64_t svma)
{
    const struct symbolize_request request = {0};
    uint32_t module = profile_add_module(profile, MODULE_LIBRARY, slice_of(path), SLICE(""));
    uint32_t location = profile_location(profile, module, svma);
    uint32_t frame = 0;

    symbolize_profile(profile, &request);
    frame = profile->locations.items[location].first_frame;
    return profile_text(profile, profile->functions.items[profile->frames.items[frame].function].name);
}

static void code_of_a_stub_is_called_after_what_it_jumps_to(void **state)
{
    struct fixture *f = *state;
    SCOPED(memory_file_done) struct memory_file file = memory_file_new(text_slice(&f->builder.file));
    struct profile profile;

    profile_init(&profile);
    assert_true(slice_is(name_at(&profile, file.path, TRACKED_SVMA + 3), "strcmp@plt"));
    assert_true(slice_is(name_at(&profile, file.path, SHORT_SVMA + 8), "toupper@plt"));
    assert_true(slice_ends_with(name_at(&profile, file.path, LATE_SVMA), SLICE(" [plt]")));
    profile_done(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(any_address_of_a_stub_tells_what_it_jumps_to, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            what_the_file_decides_as_it_starts_is_told_by_the_address_of_who_decides, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_has_the_loader_find_a_function_is_none_of_its_stubs, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_stub_that_the_section_cuts_is_not_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(jumps_of_other_code_are_no_stubs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(code_of_a_stub_is_called_after_what_it_jumps_to, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
