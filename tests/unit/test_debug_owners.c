#include "cmocka_all.h"

#include "account/debug_owners.h"
#include "dwarf/debug_info.h"
#include "elf_builder.h"

enum { FIRST, SECOND, GROUPS };

/* Sections of a file without code; units are of the groups that the test says. */
struct fixture {
    struct elf_builder builder;
    struct text info;
    struct image image;
    struct debug_info debug;
    bool is_open;
    struct account_request request;
    struct owner_space space;
    struct debug_owners owners;
    struct owned_bytes owned;
    struct interval_rows rows;
    struct error err;
};

static int begin(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.builder = builder_new(true, false, EM_X86_64, ET_DYN)};
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    debug_owners_done(&f->owners);
    vec_done(&f->owned.items);
    intervals_done(&f->rows);
    if (f->is_open)
        debug_info_close(&f->debug);
    image_close(&f->image);
    text_done(&f->info);
    builder_done(&f->builder);
    return 0;
}

static void add_section(struct fixture *f, const char *name, struct slice bytes)
{
    builder_section(&f->builder, (struct built_section){
                                     .name = name, .type = SHT_PROGBITS, .data = bytes, .alignment = 1});
}

static void add_number(struct fixture *f, uint64_t number, int width)
{
    builder_number(&f->builder, &f->info, number, width);
}

/* DWARF 4, 24 bytes: a name in .debug_str, lists of ranges, a line table. */
static void add_unit(struct fixture *f, uint32_t name, uint32_t ranges, uint32_t lines)
{
    add_number(f, 20, 4);
    add_number(f, 4, 2);
    add_number(f, 0, 4);
    add_number(f, 8, 1);
    add_number(f, 1, 1);
    add_number(f, name, 4);
    add_number(f, ranges, 4);
    add_number(f, lines, 4);
}

/* DWARF 5, 26 bytes: where its tables start, and an index of its name. */
static void add_unit5(struct fixture *f, uint32_t abbreviations, uint32_t strings, uint32_t lists,
                      uint32_t addresses)
{
    add_number(f, 22, 4);
    add_number(f, 5, 2);
    add_number(f, 1, 1);
    add_number(f, 8, 1);
    add_number(f, abbreviations, 4);
    add_number(f, 1, 1);
    add_number(f, strings, 4);
    add_number(f, 0, 1);
    add_number(f, lists, 4);
    add_number(f, addresses, 4);
}

static void open_file(struct fixture *f, const uint32_t *groups)
{
    static const uint32_t no_functions[1];

    add_section(f, ".debug_info", text_slice(&f->info));
    assert_int_equal(image_open_bytes(builder_finish(&f->builder), "file", &f->image, &f->err), 0);
    assert_int_equal(debug_info_open(&f->image, DEBUG_WHOLE, &f->debug, &f->err), 0);
    f->is_open = true;
    f->space = (struct owner_space){no_functions, 1};
    f->request = (struct account_request){
        .image = &f->image, .space = &f->space, .units = &f->debug.units, .group_of_unit_number = groups};
    assert_int_equal(debug_owners_prepare(&f->owners, &f->request, &f->err), 0);
}

static void find(struct fixture *f, const char *name)
{
    const struct section *section = sections_find(&f->image.sections, slice_of(name));
    struct slice data;

    assert_non_null(section);
    assert_int_equal(image_read_section(&f->image, section, &data, &f->err), 0);
    f->owned.items.count = 0;
    intervals_done(&f->rows);
    debug_owners_of_section(&f->owners, section, data, &f->owned);
    f->rows = intervals_flatten(f->owned.items.items, f->owned.items.count);
}

/* Bytes from `start` on, up to `end`, and no others around them, are the group's. */
#define assert_part(f, start, end, group)                                                                    \
    do {                                                                                                     \
        assert_int_equal(intervals_find(&(f)->rows, start), group_owner(group));                             \
        assert_int_equal(intervals_find(&(f)->rows, (end)-1), group_owner(group));                           \
        assert_int_not_equal(intervals_find(&(f)->rows, end), group_owner(group));                           \
    } while (0)

static uint32_t group_owner(uint32_t group)
{
    return group >= GROUPS ? group : 1 + group;
}

#define ABBREVIATIONS4 "\1\x11\0\x03\x0e\x55\x17\x10\x17\0\0\0"
#define ABBREVIATIONS5 "\1\x11\0\x72\x17\x03\x25\x74\x17\x73\x17\0\0\0"

static void open_version_4(struct fixture *f)
{
    static const uint32_t groups[] = {FIRST, SECOND, FIRST};
    static const char ranges[64];

    add_unit(f, 0, 0, 0);
    add_unit(f, 6, 32, 8);
    add_unit(f, 6, 48, 8);
    add_section(f, ".debug_abbrev", SLICE(ABBREVIATIONS4));
    add_section(f, ".debug_str", SLICE("alpha\0beta\0unused\0"));
    add_section(f, ".debug_ranges", (struct slice){ranges, sizeof(ranges)});
    add_section(f, ".debug_line", SLICE("\4\0\0\0\2\0\0\0\4\0\0\0\2\0\0\0"));
    add_section(f, ".debug_aranges", SLICE("\x06\0\0\0\2\0\x18\0\0\0\x06\0\0\0\2\0\x19\0\0\0"));
    open_file(f, groups);
}

static void entries_are_of_their_unit(void **state)
{
    struct fixture *f = *state;

    open_version_4(f);
    find(f, ".debug_info");
    assert_part(f, 0, 24, FIRST);
    assert_part(f, 24, 48, SECOND);
    assert_part(f, 48, 72, FIRST);
}

static void what_units_of_several_crates_need_is_shared(void **state)
{
    struct fixture *f = *state;

    open_version_4(f);
    find(f, ".debug_str");
    assert_part(f, 0, 6, FIRST);
    assert_part(f, 6, 11, OWNER_SHARED);
    assert_int_equal(intervals_find(&f->rows, 11), INTERVAL_NONE);
    find(f, ".debug_abbrev");
    assert_part(f, 0, sizeof(ABBREVIATIONS4) - 1, OWNER_SHARED);
    find(f, ".debug_line");
    assert_part(f, 0, 8, FIRST);
    assert_part(f, 8, 16, OWNER_SHARED);
}

static void a_list_goes_on_up_to_the_next_one(void **state)
{
    struct fixture *f = *state;

    open_version_4(f);
    find(f, ".debug_ranges");
    assert_part(f, 0, 32, FIRST);
    assert_part(f, 32, 48, SECOND);
    assert_part(f, 48, 64, FIRST);
}

static void an_index_is_of_the_unit_that_it_names(void **state)
{
    struct fixture *f = *state;

    open_version_4(f);
    find(f, ".debug_aranges");
    assert_part(f, 0, 10, SECOND);
    assert_int_equal(intervals_find(&f->rows, 10), INTERVAL_NONE);
}

static void tables_of_dwarf_5_are_whose_unit_refers_to_them(void **state)
{
    struct fixture *f = *state;
    static const uint32_t groups[] = {FIRST, SECOND};

    add_unit5(f, 0, 8, 12, 8);
    add_unit5(f, sizeof(ABBREVIATIONS5) - 1, 24, 28, 24);
    add_section(f, ".debug_abbrev", SLICE(ABBREVIATIONS5 ABBREVIATIONS5));
    add_section(f, ".debug_str", SLICE("alpha\0beta\0gamma"));
    add_section(f, ".debug_str_offsets",
                SLICE("\x0c\0\0\0\5\0\0\0\0\0\0\0\6\0\0\0"
                      "\x0c\0\0\0\5\0\0\0\6\0\0\0\x0b\0\0\0"));
    add_section(f, ".debug_rnglists",
                SLICE("\x0c\0\0\0\5\0\x08\0\0\0\0\0\1\1\1\1"
                      "\x08\0\0\0\5\0\x08\0\0\0\0\0"
                      "\x08\0\0\0\5\0\x08\0\0\0\0\0"));
    add_section(f, ".debug_addr",
                SLICE("\x0c\0\0\0\5\0\x08\0\0\0\0\0\0\0\0\0"
                      "\x0c\0\0\0\5\0\x08\0\0\0\0\0\0\0\0\0"));
    open_file(f, groups);
    find(f, ".debug_abbrev");
    assert_part(f, 0, sizeof(ABBREVIATIONS5) - 1, FIRST);
    find(f, ".debug_str_offsets");
    assert_part(f, 0, 16, FIRST);
    assert_part(f, 16, 32, SECOND);
    find(f, ".debug_str");
    assert_part(f, 0, 6, FIRST);
    assert_part(f, 6, 11, OWNER_SHARED);
    assert_part(f, 11, 16, SECOND);
    find(f, ".debug_rnglists");
    assert_part(f, 0, 16, FIRST);
    assert_part(f, 16, 28, SECOND);
    assert_int_equal(intervals_find(&f->rows, 28), INTERVAL_NONE);
    find(f, ".debug_addr");
    assert_part(f, 0, 16, FIRST);
    assert_part(f, 16, 32, SECOND);
}

static void units_of_no_known_crate_own_nothing(void **state)
{
    struct fixture *f = *state;
    static const uint32_t groups[] = {OWNER_NONE};

    add_unit(f, 0, 0, 0);
    add_section(f, ".debug_abbrev", SLICE(ABBREVIATIONS4));
    open_file(f, groups);
    find(f, ".debug_info");
    assert_int_equal(f->owned.items.count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(entries_are_of_their_unit),
        TEST(what_units_of_several_crates_need_is_shared),
        TEST(a_list_goes_on_up_to_the_next_one),
        TEST(an_index_is_of_the_unit_that_it_names),
        TEST(tables_of_dwarf_5_are_whose_unit_refers_to_them),
        TEST(units_of_no_known_crate_own_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
