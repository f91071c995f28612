#include "cmocka_all.h"

#include "base/compiler.h"
#include "base/text.h"
#include "dwarf/functions.h"

/* Little-endian sections with addresses of 8 bytes; code is 0x1000 to 0x2000. */
struct fixture {
    struct debug_sections sections;
    struct text info;
    struct units units;
    struct functions functions;
};

/*
 * 1: compile unit with name and low_pc to high_pc. 2: namespace with a name. 3: function with a name and
 * code. 4: inlined call of an entry, with code, file and line. 5: declaration with a name. 6: a type, with
 * children. 7: function with name, linkage name and code. 8: definition of an entry, with children. 9: as 4,
 * of an entry in any unit.
 */
#define ABBREVIATIONS                                                                                        \
    "\1\x11\1\x03\x08\x11\1\x12\x06\0\0"                                                                     \
    "\2\x39\1\x03\x08\0\0"                                                                                   \
    "\3\x2e\1\x03\x08\x11\1\x12\x06\0\0"                                                                     \
    "\4\x1d\1\x31\x13\x11\1\x12\x06\x58\x0b\x59\x0b\0\0"                                                     \
    "\5\x2e\0\x03\x08\0\0"                                                                                   \
    "\7\x2e\0\x03\x08\x6e\x08\x11\1\x12\x06\0\0"                                                             \
    "\6\x13\1\x03\x08\0\0"                                                                                   \
    "\x08\x2e\1\x47\x13\0\0"                                                                                 \
    "\x09\x1d\1\x31\x10\x11\1\x12\x06\x58\x0b\x59\x0b\0\0"                                                   \
    "\0"

static int begin(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.sections.code = {0x1000, 0x2000}};
    fixture.sections.data[DEBUG_ABBREV] = SLICE(ABBREVIATIONS);
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    functions_done(&f->functions);
    units_close(&f->units);
    text_done(&f->info);
    return 0;
}

static void add_u32(struct text *out, size_t value)
{
    for (int i = 0; i < 4; i++)
        text_add_byte(out, (char)(value >> 8 * i));
}

/* A unit of DWARF 4, whose entries start at offset 11 of it. */
static void unit(struct fixture *f, struct slice entries)
{
    add_u32(&f->info, 7 + entries.length);
    text_add(&f->info, SLICE("\4\0\0\0\0\0\x08"));
    text_add(&f->info, entries);
}

static void read_units(struct fixture *f)
{
    f->sections.data[DEBUG_INFO] = text_slice(&f->info);
    units_read(&f->sections, &f->units);
}

#define CODE(low, high, length) low high "\0\0\0\0\0\0" length "\0\0\0"
#define UNIT(name, low, high, length) "\1" name "\0" CODE(low, high, length)

static void an_address_leads_to_its_unit(void **state)
{
    struct fixture *f = *state;

    unit(f, SLICE(UNIT("src/lib.rs/@/a.1-cgu.0", "\0", "\x10", "\x40") "\0"));
    unit(f, SLICE(UNIT("b.c", "\0", "\x11", "\x10") "\0"));
    read_units(f);
    assert_int_equal(f->units.damaged_count, 0);
    assert_int_equal(f->units.items.count, 2);
    assert_int_equal(units_find(&f->units, 0x103f), 0);
    assert_int_equal(units_find(&f->units, 0x1040), UNIT_NONE);
    assert_int_equal(units_find(&f->units, 0x1100), 1);
    assert_true(slice_is(unit_crate(&f->units.items.items[0]), "a"));
    assert_true(slice_is(unit_root(&f->units.items.items[0]), "src/lib.rs"));
    assert_int_equal(unit_crate(&f->units.items.items[1]).length, 0);
    assert_true(slice_is(unit_root(&f->units.items.items[1]), "b.c"));
    assert_int_equal(f->units.tables.count, 1);
}

static void an_entry_leads_to_its_unit(void **state)
{
    struct fixture *f = *state;
    size_t second = 0;

    unit(f, SLICE(UNIT("a", "\0", "\x10", "\x10") "\0"));
    second = f->info.length;
    unit(f, SLICE(UNIT("b", "\0", "\x11", "\x10") "\0"));
    read_units(f);
    assert_int_equal(units_find_entry(&f->units, 11), 0);
    assert_int_equal(units_find_entry(&f->units, second - 1), 0);
    assert_int_equal(units_find_entry(&f->units, second), UNIT_NONE);
    assert_int_equal(units_find_entry(&f->units, second + 11), 1);
    assert_int_equal(units_find_entry(&f->units, f->info.length), UNIT_NONE);
    assert_int_equal(units_find_entry(&f->units, 0), UNIT_NONE);
}

static void a_damaged_unit_is_counted_and_the_next_is_read(void **state)
{
    static const struct {
        size_t at; /* of the byte in the first unit that is changed */
        char value;
    } damages[] = {
        {4, 1},   /* a version there is not */
        {4, 6},   /* and another */
        {6, 127}, /* abbreviations past the section */
        {6, 1},   /* or in the middle of one: read as other codes */
        {10, 3},  /* addresses of 3 bytes */
        {11, 9},  /* a code that no abbreviation has */
        {11, 0},  /* no entry at all */
    };

    for (size_t i = 0; i < ARRAY_COUNT(damages); i++) {
        struct fixture *f = *state;

        unit(f, SLICE(UNIT("a", "\0", "\x10", "\x10") "\0"));
        unit(f, SLICE(UNIT("b", "\0", "\x11", "\x10") "\0"));
        f->info.data[damages[i].at] = damages[i].value;
        read_units(f);
        assert_int_equal(f->units.damaged_count, 1);
        assert_int_equal(units_find(&f->units, 0x1000), UNIT_NONE);
        assert_int_not_equal(units_find(&f->units, 0x1100), UNIT_NONE);
        end(state);
        begin(state);
    }
}

static void a_unit_longer_than_the_section_ends_the_reading(void **state)
{
    struct fixture *f = *state;

    unit(f, SLICE(UNIT("a", "\0", "\x10", "\x10") "\0"));
    unit(f, SLICE(UNIT("b", "\0", "\x11", "\x10") "\0"));
    f->info.length--;
    read_units(f);
    assert_int_equal(f->units.damaged_count, 1);
    assert_int_equal(f->units.items.count, 1);
}

static void abbreviations_cut_short_or_of_unknown_forms_are_damage(void **state)
{
    static const struct slice tables[] = {SLICE(""), SLICE("\1\x11\1\x03\x08"), SLICE("\1\x11"),
                                          SLICE("\1\x11\1\x03\x7f\0\0\0"),
                                          SLICE("\1\x91\x80\x80\x80\x10\1\x03\x08\0\0\0")};

    for (size_t i = 0; i < ARRAY_COUNT(tables); i++) {
        struct fixture *f = *state;

        f->sections.data[DEBUG_ABBREV] = tables[i];
        unit(f, SLICE(UNIT("a", "\0", "\x10", "\x10") "\0"));
        read_units(f);
        assert_int_equal(f->units.damaged_count, 1);
        end(state);
        begin(state);
    }
}

/* Codes need neither count up nor stand in order; DW_FORM_indirect says the form in the entry. */
static void any_codes_and_forms_are_found(void **state)
{
    struct fixture *f = *state;

    f->sections.data[DEBUG_ABBREV] = SLICE("\x09\x2e\0\x03\x08\x11\1\x12\x06\0\0"
                                           "\x07\x11\1\x03\x16\x11\1\x12\x06\0\0"
                                           "\x07\x2e\0\0\0"
                                           "\2\x34\0\x49\x0b\0\0"
                                           "\0");
    unit(f, SLICE("\7\x08u\0" CODE("\0", "\x10", "\x40") "\2\5\x09"
                                                         "f\0" CODE("\4", "\x10", "\4") "\0"));
    read_units(f);
    assert_int_equal(f->units.damaged_count, 0);
    assert_true(slice_is(f->units.items.items[0].name, "u"));
    functions_read(&f->units, 0, NULL, &f->functions);
    assert_false(f->functions.is_damaged);
    assert_int_not_equal(functions_find(&f->functions, 0x1004), FRAME_NONE);
}

static void an_indirect_form_that_is_indirect_again_is_damage(void **state)
{
    static const char *const forms[] = {"\x16", "\x21"};

    for (size_t i = 0; i < ARRAY_COUNT(forms); i++) {
        struct fixture *f = *state;
        SCOPED(text_done) struct text entries = {0};

        f->sections.data[DEBUG_ABBREV] = SLICE("\1\x11\0\x03\x16\0\0\0");
        text_add_byte(&entries, '\1');
        text_add_string(&entries, forms[i]);
        text_add(&entries, SLICE("\x08u\0\0"));
        unit(f, text_slice(&entries));
        read_units(f);
        assert_int_equal(f->units.damaged_count, 1);
        end(state);
        begin(state);
    }
}

/* A unit whose own entry goes on into the next one. */
static void an_entry_longer_than_its_unit_is_damage(void **state)
{
    struct fixture *f = *state;

    unit(f, SLICE("\1"
                  "u\0"
                  "\0\x10\0\0"));
    unit(f, SLICE(UNIT("b", "\0", "\x11", "\x10") "\0"));
    read_units(f);
    assert_int_equal(f->units.damaged_count, 1);
    assert_int_equal(units_find(&f->units, 0x1000), UNIT_NONE);
    assert_int_equal(units_find(&f->units, 0x1100), 1);
}

static void type_units_are_no_units(void **state)
{
    struct fixture *f = *state;

    add_u32(&f->info, 8 + 12 + 1);
    text_add(&f->info, SLICE("\5\0\6\x08\0\0\0\0"
                             "12345678"
                             "\0\0\0\0"
                             "\1"));
    add_u32(&f->info, 8 + 12 + 1);
    text_add(&f->info, SLICE("\5\0\2\x08\0\0\0\0"
                             "12345678"
                             "\0\0\0\0"
                             "\0"));
    unit(f, SLICE(UNIT("b", "\0", "\x11", "\x10") "\0"));
    read_units(f);
    assert_int_equal(f->units.damaged_count, 0);
    assert_int_equal(f->units.items.count, 1);
}

static void assert_frame(struct fixture *f, uint64_t svma, const char *name, uint32_t parent_call_line)
{
    uint32_t at = functions_find(&f->functions, svma);
    const struct function_frame *frame = NULL;

    assert_int_not_equal(at, FRAME_NONE);
    frame = &f->functions.frames.items[at];
    assert_true(slice_is(f->functions.names.items[frame->name].text, name));
    assert_false(f->functions.names.items[frame->name].is_mangled);
    assert_int_equal(frame->call_line, parent_call_line);
}

/* "m::helper" is declared at offset 34 and inlined twice into "m::outer", once through itself. */
#define NESTED                                                                                               \
    UNIT("u", "\0", "\x10", "\x40")                                                                          \
    "\2m\0"                                                                                                  \
    "\5helper\0"                                                                                             \
    "\3outer\0" CODE("\0", "\x10", "\x20") "\4\x1d\0\0\0" CODE(                                              \
        "\4", "\x10", "\x08") "\1\x0a"                                                                       \
                              "\4\x1d\0\0\0" CODE("\6", "\x10", "\x02") "\1\x0b"                             \
                                                                        "\0\0\0"                             \
                                                                        "\0"                                 \
                                                                        "\3plain\0" CODE("\x20", "\x10",     \
                                                                                         "\x08") "\0"        \
                                                                                                 "\0"

static void inlined_calls_stand_inside_their_function(void **state)
{
    struct fixture *f = *state;
    const struct function_frame *frames = NULL;

    unit(f, SLICE(NESTED));
    read_units(f);
    functions_read(&f->units, 0, NULL, &f->functions);
    assert_false(f->functions.is_damaged);
    assert_int_equal(f->functions.frames.count, 4);
    assert_frame(f, 0x1000, "m::outer", 0);
    assert_frame(f, 0x1004, "m::helper", 10);
    assert_frame(f, 0x1006, "m::helper", 11);
    assert_frame(f, 0x1008, "m::helper", 10);
    assert_frame(f, 0x100c, "m::outer", 0);
    assert_frame(f, 0x1020, "plain", 0);
    assert_int_equal(functions_find(&f->functions, 0x1028), FRAME_NONE);
    frames = f->functions.frames.items;
    assert_int_equal(frames[functions_find(&f->functions, 0x1006)].parent,
                     functions_find(&f->functions, 0x1004));
    assert_int_equal(frames[functions_find(&f->functions, 0x1000)].parent, FRAME_NONE);
    assert_int_equal(frames[functions_find(&f->functions, 0x1004)].call_file, 1);
    assert_int_equal(f->functions.names.count, 3);
}

static void assert_closures(struct fixture *f, uint64_t svma, bool is_future, uint32_t async_fns,
                            struct closure_numbers numbers)
{
    uint32_t at = functions_find(&f->functions, svma);
    const struct function_name *name = NULL;

    assert_int_not_equal(at, FRAME_NONE);
    name = &f->functions.names.items[f->functions.frames.items[at].name];
    assert_true(name->is_mangled);
    assert_int_equal(name->is_future, is_future);
    assert_int_equal(name->async_fns, async_fns);
    assert_memory_equal(&name->closures, &numbers, sizeof(numbers));
}

/* Inside "m": an async fn, a closure in it, an async fn in that one, a block, a closure, a plain function. */
static void what_the_closures_of_a_path_are_is_told_by_entries_and_scopes(void **state)
{
    struct fixture *f = *state;

    unit(f, SLICE(UNIT("u", "\0", "\x10", "\x60") "\2m\0"
                                                  "\7{async_fn#0}<u32>\0_m\0" CODE("\0", "\x10", "\x10") //
                  "\2{async_fn#0}\0"
                  "\7{closure#0}\0_m\0" CODE("\x10", "\x10", "\x10") //
                  "\2{closure#0}\0"
                  "\7{async_fn#1}\0_m\0" CODE("\x20", "\x10", "\x10") //
                  "\0\0"
                  "\7{async_block#0}\0_m\0" CODE("\x30", "\x10", "\x10") //
                  "\7{closure#7}\0_m\0" CODE("\x40", "\x10", "\x10")     //
                  "\2{impl#0}\0"
                  "\7plain\0_m\0" CODE("\x50", "\x10", "\x10") //
                  "\0\0\0"));
    read_units(f);
    functions_read(&f->units, 0, NULL, &f->functions);
    assert_false(f->functions.is_damaged);
    assert_closures(f, 0x1000, true, 1, (struct closure_numbers){{1}});
    assert_closures(f, 0x1010, false, 2, (struct closure_numbers){{1, 1}});
    assert_closures(f, 0x1020, true, 5, (struct closure_numbers){{2, 1, 1}});
    assert_closures(f, 0x1030, true, 0, (struct closure_numbers){{1}});
    assert_closures(f, 0x1040, false, 0, (struct closure_numbers){{8}});
    assert_closures(f, 0x1050, false, 0, (struct closure_numbers){{0}});
}

/* What was inlined when the program was linked: "m::helper", and a closure in a closure. */
static void scopes_of_entries_in_other_units_are_found(void **state)
{
    enum { HEADER = 11, HELPER = 18, CLOSURE = 39 };
    struct fixture *f = *state;
    SCOPED(text_done) struct text entries = {0};
    const size_t called_from = sizeof(UNIT("u", "\0", "\x10", "\x40") "\3a\0" CODE("\0", "\x10", "\x20")) - 1;
    const size_t call = sizeof("\x09"
                               "OFFS" CODE("\4", "\x10", "\x04") "\1\x0a\0") -
                        1;
    const size_t other = HEADER + called_from + 2 * call + 2 + HEADER;

    text_add(&entries, SLICE(UNIT("u", "\0", "\x10", "\x40") "\3a\0" CODE("\0", "\x10", "\x20") "\x09"));
    add_u32(&entries, other + HELPER);
    text_add(&entries, SLICE(CODE("\4", "\x10", "\x04") "\1\x0a\0\x09"));
    add_u32(&entries, other + CLOSURE);
    text_add(&entries, SLICE(CODE("\x08", "\x10", "\x04") "\1\x0b\0\0\0"));
    unit(f, text_slice(&entries));
    unit(f, SLICE(UNIT("w", "\0", "\x18", "\x40") "\2m\0\5helper\0\2{closure#0}\0"
                                                  "\7{closure#1}\0_m\0" CODE("\0", "\x18", "\x10") "\0\0\0"));
    read_units(f);
    functions_read(&f->units, 0, NULL, &f->functions);
    assert_false(f->functions.is_damaged);
    assert_frame(f, 0x1004, "m::helper", 10);
    assert_closures(f, 0x1008, false, 0, (struct closure_numbers){{2, 1}});
}

static void a_unit_cut_short_keeps_the_functions_before(void **state)
{
    struct fixture *f = *state;

    unit(f, SLICE(UNIT("u", "\0", "\x10", "\x40") "\3a\0" CODE("\0", "\x10", "\x10") "\0"
                                                                                     "\3bcd"));
    read_units(f);
    functions_read(&f->units, 0, NULL, &f->functions);
    assert_true(f->functions.is_damaged);
    assert_frame(f, 0x1000, "a", 0);
}

/* The call's origin is itself: no name, and no endless search for one. */
static void an_origin_that_leads_nowhere_gives_no_name(void **state)
{
    struct fixture *f = *state;

    unit(f, SLICE(UNIT("u", "\0", "\x10", "\x40") "\3a\0" CODE("\0", "\x10", "\x10") "\4\x29\0\0\0" CODE(
                "\4", "\x10", "\x08") "\1\x0a"
                                      "\0"
                                      "\4\xff\xff\xff\x7f" CODE("\x0c", "\x10", "\x02") "\1\x0b"
                                                                                        "\0"
                                                                                        "\0\0"));
    read_units(f);
    functions_read(&f->units, 0, NULL, &f->functions);
    assert_frame(f, 0x1004, "", 10);
    assert_frame(f, 0x100c, "", 11);
}

/* The function "a" is declared in its own definition. */
static void scopes_that_stand_in_themselves_are_cut(void **state)
{
    struct fixture *f = *state;
    uint32_t at = FRAME_NONE;

    unit(f, SLICE(UNIT("u", "\0", "\x10", "\x40") "\x08\x1f\0\0\0"
                                                  "\3a\0" CODE("\0", "\x10", "\x10") "\0\0\0"));
    read_units(f);
    functions_read(&f->units, 0, NULL, &f->functions);
    assert_false(f->functions.is_damaged);
    at = functions_find(&f->functions, 0x1000);
    assert_int_not_equal(at, FRAME_NONE);
    assert_true(slice_starts_with(f->functions.names.items[f->functions.frames.items[at].name].text,
                                  SLICE("a::a::a::a")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_address_leads_to_its_unit, begin, end),
        cmocka_unit_test_setup_teardown(an_entry_leads_to_its_unit, begin, end),
        cmocka_unit_test_setup_teardown(a_damaged_unit_is_counted_and_the_next_is_read, begin, end),
        cmocka_unit_test_setup_teardown(a_unit_longer_than_the_section_ends_the_reading, begin, end),
        cmocka_unit_test_setup_teardown(abbreviations_cut_short_or_of_unknown_forms_are_damage, begin, end),
        cmocka_unit_test_setup_teardown(any_codes_and_forms_are_found, begin, end),
        cmocka_unit_test_setup_teardown(an_indirect_form_that_is_indirect_again_is_damage, begin, end),
        cmocka_unit_test_setup_teardown(an_entry_longer_than_its_unit_is_damage, begin, end),
        cmocka_unit_test_setup_teardown(type_units_are_no_units, begin, end),
        cmocka_unit_test_setup_teardown(inlined_calls_stand_inside_their_function, begin, end),
        cmocka_unit_test_setup_teardown(what_the_closures_of_a_path_are_is_told_by_entries_and_scopes, begin,
                                        end),
        cmocka_unit_test_setup_teardown(scopes_of_entries_in_other_units_are_found, begin, end),
        cmocka_unit_test_setup_teardown(a_unit_cut_short_keeps_the_functions_before, begin, end),
        cmocka_unit_test_setup_teardown(an_origin_that_leads_nowhere_gives_no_name, begin, end),
        cmocka_unit_test_setup_teardown(scopes_that_stand_in_themselves_are_cut, begin, end),
    };

    return cmocka_run_group_tests_name("debug units", tests, NULL, NULL);
}
