#include "cmocka_all.h"

#include "base/compiler.h"
#include "base/text.h"
#include "dwarf/ranges.h"

/* Code is 0x1000 to 0x2000. Sections are of a little-endian file with addresses of 8 bytes. */
struct fixture {
    struct debug_sections sections;
    struct encoding encoding;
    struct range_sink sink;
    struct entry entry;
};

static int begin(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){
        .sections.code = {0x1000, 0x2000},
        .encoding = {.version = 5, .address_bytes = 8, .offset_bytes = 4, .base_svma = 0x1000},
        .sink.steps_left = 100,
    };
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    vec_done(&f->sink.intervals);
    return 0;
}

static void set(struct fixture *f, enum entry_attribute which, enum attribute_class class, uint64_t number)
{
    f->entry.attributes[which] = (struct attribute){number, class};
}

static bool add(struct fixture *f)
{
    return ranges_add(&f->sink, &f->entry, &f->encoding, &f->sections, 7);
}

/* The intervals as text: "start+length start+length". */
static void assert_ranges(struct fixture *f, const char *expected)
{
    SCOPED(text_done) struct text actual = {0};

    for (size_t i = 0; i < f->sink.intervals.count; i++) {
        const struct interval *interval = &f->sink.intervals.items[i];

        text_format(&actual, i > 0 ? " %llx+%x" : "%llx+%x", (unsigned long long)interval->start,
                    interval->length);
        assert_int_equal(interval->id, 7);
    }
    assert_string_equal(text_string(&actual), expected);
}

static void high_pc_is_a_length_or_an_address(void **state)
{
    struct fixture *f = *state;

    set(f, ENTRY_LOW_PC, ATTRIBUTE_ADDRESS, 0x1100);
    set(f, ENTRY_HIGH_PC, ATTRIBUTE_CONSTANT, 0x10);
    assert_true(add(f));
    set(f, ENTRY_HIGH_PC, ATTRIBUTE_ADDRESS, 0x1120);
    assert_true(add(f));
    assert_ranges(f, "1100+10 1100+20");
}

static void an_entry_without_code_adds_nothing(void **state)
{
    struct fixture *f = *state;

    assert_true(add(f));
    set(f, ENTRY_LOW_PC, ATTRIBUTE_ADDRESS, 0x1100);
    assert_true(add(f));
    set(f, ENTRY_HIGH_PC, ATTRIBUTE_CONSTANT, 0);
    assert_true(add(f));
    assert_ranges(f, "");
}

static void what_the_linker_dropped_is_left_out(void **state)
{
    const uint64_t starts[] = {0, 1, 0xfff, 0x1ff1, 0x2000, UINT64_MAX, UINT64_MAX - 1};
    struct fixture *f = *state;

    set(f, ENTRY_HIGH_PC, ATTRIBUTE_CONSTANT, 0x10);
    for (size_t i = 0; i < ARRAY_COUNT(starts); i++) {
        set(f, ENTRY_LOW_PC, ATTRIBUTE_ADDRESS, starts[i]);
        assert_true(add(f));
    }
    assert_ranges(f, "");
}

static void every_kind_of_list_entry_is_read(void **state)
{
    struct fixture *f = *state;

    f->sections.data[DEBUG_ADDR] = SLICE("\0\x12\0\0\0\0\0\0\0\x13\0\0\0\0\0\0");
    f->sections.data[DEBUG_RNGLISTS] = SLICE("\4\x10\x14"                 /* offset pair */
                                             "\1\0\4\x01\x02"             /* base by index, pair */
                                             "\2\0\1"                     /* both by index */
                                             "\3\1\x20"                   /* index, length */
                                             "\5\0\x14\0\0\0\0\0\0\4\0\1" /* base, pair */
                                             "\6\0\x15\0\0\0\0\0\0\x08\x15\0\0\0\0\0\0" /* start, end */
                                             "\7\0\x16\0\0\0\0\0\0\x80\1"               /* start, length */
                                             "\0\4\x30\x40");                           /* end */
    set(f, ENTRY_RANGES, ATTRIBUTE_OFFSET, 0);
    assert_true(add(f));
    assert_ranges(f, "1010+4 1201+1 1200+100 1300+20 1400+1 1500+8 1600+80");
}

static void a_list_by_index_is_found_through_the_table_of_offsets(void **state)
{
    struct fixture *f = *state;

    f->encoding.ranges_base = 2;
    f->sections.data[DEBUG_RNGLISTS] = SLICE("xx\x09\0\0\0\x08\0\0\0\0\4\1\3\0");
    set(f, ENTRY_RANGES, ATTRIBUTE_RANGES_INDEX, 0);
    assert_true(add(f));
    assert_ranges(f, "1001+2");
    set(f, ENTRY_RANGES, ATTRIBUTE_RANGES_INDEX, 1);
    assert_true(add(f));
    assert_ranges(f, "1001+2");
    set(f, ENTRY_RANGES, ATTRIBUTE_RANGES_INDEX, UINT64_MAX / 2);
    assert_false(add(f));
}

static void an_old_list_has_pairs_and_new_bases(void **state)
{
    struct fixture *f = *state;

    f->encoding.version = 4;
    f->encoding.address_bytes = 4;
    f->encoding.ranges_base = 1;
    f->sections.data[DEBUG_RANGES] = SLICE("x\x10\0\0\0\x14\0\0\0"
                                           "\xff\xff\xff\xff\0\x12\0\0"
                                           "\0\0\0\0\3\0\0\0"
                                           "\0\0\0\0\0\0\0\0"
                                           "\5\0\0\0\6\0\0\0");
    set(f, ENTRY_RANGES, ATTRIBUTE_OFFSET, 0);
    assert_true(add(f));
    assert_ranges(f, "1010+4 1200+3");
    /* DWARF 3 has no form of its own for offsets. */
    f->encoding.version = 3;
    set(f, ENTRY_RANGES, ATTRIBUTE_CONSTANT, 16);
    assert_true(add(f));
    assert_ranges(f, "1010+4 1200+3 1000+3");
}

static void a_list_that_does_not_end_is_damaged(void **state)
{
    static const struct slice lists[] = {SLICE(""), SLICE("\4\1\2"), SLICE("\4\1"), SLICE("\x08\0"),
                                         SLICE("\3\0\1\0")};
    struct fixture *f = *state;

    set(f, ENTRY_RANGES, ATTRIBUTE_OFFSET, 0);
    for (size_t i = 0; i < ARRAY_COUNT(lists); i++) {
        f->sections.data[DEBUG_RNGLISTS] = lists[i];
        assert_false(add(f));
    }
    f->sections.data[DEBUG_RNGLISTS] = SLICE("\0");
    set(f, ENTRY_RANGES, ATTRIBUTE_OFFSET, 2);
    assert_false(add(f));
    f->encoding.version = 4;
    f->sections.data[DEBUG_RANGES] = SLICE("\0\0\0\0\0\0\0\0\0\0\0\0");
    set(f, ENTRY_RANGES, ATTRIBUTE_OFFSET, 0);
    assert_false(add(f));
}

static void steps_are_counted_over_all_lists(void **state)
{
    struct fixture *f = *state;

    f->sink.steps_left = 5;
    f->sections.data[DEBUG_RNGLISTS] = SLICE("\4\0\1\4\2\3\0");
    set(f, ENTRY_RANGES, ATTRIBUTE_OFFSET, 0);
    assert_true(add(f));
    assert_false(add(f));
    assert_ranges(f, "1000+1 1002+1 1000+1 1002+1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(high_pc_is_a_length_or_an_address, begin, end),
        cmocka_unit_test_setup_teardown(an_entry_without_code_adds_nothing, begin, end),
        cmocka_unit_test_setup_teardown(what_the_linker_dropped_is_left_out, begin, end),
        cmocka_unit_test_setup_teardown(every_kind_of_list_entry_is_read, begin, end),
        cmocka_unit_test_setup_teardown(a_list_by_index_is_found_through_the_table_of_offsets, begin, end),
        cmocka_unit_test_setup_teardown(an_old_list_has_pairs_and_new_bases, begin, end),
        cmocka_unit_test_setup_teardown(a_list_that_does_not_end_is_damaged, begin, end),
        cmocka_unit_test_setup_teardown(steps_are_counted_over_all_lists, begin, end),
    };

    return cmocka_run_group_tests_name("ranges", tests, NULL, NULL);
}
