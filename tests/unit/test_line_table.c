#include "cmocka_all.h"

#include "base/compiler.h"
#include "dwarf/line_table.h"

/* Tables of a little-endian file with addresses of 8 bytes, whose code is 0x1000 to 0x2000. */
struct fixture {
    struct debug_sections sections;
    struct unit unit;
    struct text section;
    struct line_table table;
    const struct places *wanted;
};

/* Line base -5, range 14 and opcode base 13 as compilers use; lengths of the standard opcodes. */
#define FORM_4 "\1\1\1\xfb\x0e\x0d\0\1\1\1\1\0\0\0\1\0\0\1"
#define NAMES_4 "src\0/abs\0\0main.rs\0\1\0\0lib.rs\0\2\0\0/root.rs\0\0\0\0here.rs\0\0\0\0\0"
#define AT(low, high) "\0\x09\2" low high "\0\0\0\0\0\0"
#define END "\0\1\1"

static int begin(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){
        .sections.code = {0x1000, 0x2000},
        .unit = {.encoding = {.version = 4, .address_bytes = 8, .offset_bytes = 4},
                 .directory = SLICE("/proj")},
    };
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    line_table_done(&f->table);
    text_done(&f->section);
    return 0;
}

static void add_u32(struct text *out, size_t value)
{
    for (int i = 0; i < 4; i++)
        text_add_byte(out, (char)(value >> 8 * i));
}

/* Makes the section of a version, what stands between version and header length, the header and the program.
 */
static void build(struct fixture *f, uint16_t version, struct slice before, struct slice header,
                  struct slice program)
{
    add_u32(&f->section, 2 + before.length + 4 + header.length + program.length);
    text_add_byte(&f->section, (char)version);
    text_add_byte(&f->section, '\0');
    text_add(&f->section, before);
    add_u32(&f->section, header.length);
    text_add(&f->section, header);
    text_add(&f->section, program);
}

static void read_table(struct fixture *f)
{
    f->sections.data[DEBUG_LINE] = text_slice(&f->section);
    line_table_read(&f->sections, &f->unit, f->wanted, &f->table);
}

static void read_program(struct fixture *f, struct slice program)
{
    build(f, 4, SLICE(""), SLICE(FORM_4 NAMES_4), program);
    read_table(f);
}

/* The rows as text: "address file:line", the end of code as "address -". */
static void assert_rows(struct fixture *f, const char *expected)
{
    SCOPED(text_done) struct text actual = {0};

    for (size_t i = 0; i < f->table.rows.count; i++) {
        const struct line_row *row = &f->table.rows.items[i];

        text_format(&actual, i > 0 ? " %llx " : "%llx ", (unsigned long long)row->svma);
        if (row->file == LINE_NO_FILE)
            text_add_byte(&actual, '-');
        else
            text_format(&actual, "%u:%u", row->file, row->line);
    }
    assert_string_equal(text_string(&actual), expected);
}

static void assert_path(struct fixture *f, uint32_t file, const char *expected)
{
    SCOPED(text_done) struct text path = {0};

    assert_int_equal(line_table_add_path(&f->table, file, &path), expected != NULL);
    assert_string_equal(text_string(&path), expected ? expected : "");
}

static void every_opcode_moves_as_the_standard_says(void **state)
{
    struct fixture *f = *state;

    read_program(f, SLICE(AT("\0", "\x10") "\3\x09\1"       /* line 10 */
                                           "\x4b"           /* 4 bytes and 1 line on: 13 + (1 + 5) + 14 * 4 */
                                           "\2\x06\3\x7f\1" /* advance_pc, a line back */
                                           "\4\2\x08\1"     /* set_file, const_add_pc: 17 bytes */
                                           "\5\7\6\7\x0a\x0b"       /* column and the like */
                                           "\x0c\3\x09\x10\0\3\2\1" /* isa, fixed_advance_pc, 2 lines */
                                           "\0\2\4\5"               /* a discriminator */
                                           "\2\x05" END));
    assert_false(f->table.is_damaged);
    assert_rows(f, "1000 1:10 1004 1:11 100a 1:10 101b 2:10 102b 2:12 1030 -");
}

static void a_row_holds_up_to_the_next_one(void **state)
{
    struct fixture *f = *state;

    read_program(f, SLICE(AT("\0", "\x10") "\1\2\x08\3\1\1\2\x08" END));
    assert_null(line_table_find(&f->table, 0xfff));
    assert_int_equal(line_table_find(&f->table, 0x1007)->line, 1);
    assert_int_equal(line_table_find(&f->table, 0x1008)->line, 2);
    assert_int_equal(line_table_find(&f->table, 0x100f)->line, 2);
    assert_null(line_table_find(&f->table, 0x1010));
}

static void rows_that_say_the_same_are_one_and_the_last_at_an_address_counts(void **state)
{
    struct fixture *f = *state;

    read_program(f, SLICE(AT("\0", "\x10") "\1\2\4\1\2\4\3\1\1\3\1\1\2\4" END));
    assert_rows(f, "1000 1:1 1008 1:3 100c -");
}

static void runs_are_ordered_and_joined(void **state)
{
    struct fixture *f = *state;

    read_program(f, SLICE(AT("\x10", "\x10") "\1\2\x10" END AT("\0", "\x10") "\3\4\1\2\x10" END AT(
                        "\0", "\x11") "\1\2\4" END));
    assert_false(f->table.is_damaged);
    assert_rows(f, "1000 1:5 1010 1:1 1020 - 1100 1:1 1104 -");
}

static void of_overlapping_runs_the_later_is_left_out(void **state)
{
    struct fixture *f = *state;

    read_program(f, SLICE(AT("\x08", "\x10") "\1\2\x10" END AT("\0", "\x10") "\3\4\1\2\x10" END));
    assert_true(f->table.is_damaged);
    assert_rows(f, "1000 1:5 1010 -");
}

/* Runs of 16 bytes: the second overlaps the third one, the last one follows the fourth. */
static void only_the_runs_that_were_asked_for_are_kept(void **state)
{
    struct fixture *f = *state;
    const uint64_t svmas[] = {0x100f, 0x1028, 0x1040, 0x1050};
    const struct places wanted = {svmas, ARRAY_COUNT(svmas)};

    f->wanted = &wanted;
    read_program(f, SLICE(AT("\0", "\x10") "\1\2\x10" END AT("\x18", "\x10") "\1\2\x10" END AT(
                        "\x20", "\x10") "\1\2\x10" END AT("\x30", "\x10") "\1\2\x10" END AT("\x40", "\x10") //
                          "\3\4\1\2\x10" END));
    assert_rows(f, "1000 1:1 1010 - 1040 1:5 1050 -");
    assert_true(f->table.is_damaged);
    f->wanted = NULL;
}

static void runs_that_are_no_code_are_left_out(void **state)
{
    struct fixture *f = *state;

    read_program(f,
                 SLICE(AT("\0", "\0") "\1\2\x10" END AT("\xf8", "\x1f") "\1\2\x10" END AT("\0", "\x10") END));
    assert_false(f->table.is_damaged);
    assert_rows(f, "");
}

static void rows_without_an_end_or_behind_it_are_left_out(void **state)
{
    struct fixture *f = *state;

    read_program(f,
                 SLICE(AT("\0", "\x10") "\1\3\1\2\x10\1" AT("\4", "\x10") END AT("\0", "\x11") "\1\2\4\1"));
    assert_rows(f, "1000 1:1 1004 -");
}

static void a_row_that_goes_back_is_damage(void **state)
{
    struct fixture *f = *state;

    read_program(f, SLICE(AT("\x10", "\x10") "\1" AT("\0", "\x10") "\3\1\1" AT("\x20", "\x10") END));
    assert_true(f->table.is_damaged);
    assert_rows(f, "1010 1:1 1020 -");
}

static void a_program_cut_short_keeps_the_runs_before(void **state)
{
    struct fixture *f = *state;

    read_program(f, SLICE(AT("\0", "\x10") "\1\2\4" END AT("\0", "\x11") "\1\2"));
    assert_true(f->table.is_damaged);
    assert_rows(f, "1000 1:1 1004 -");
}

static void files_are_joined_with_their_directories(void **state)
{
    struct fixture *f = *state;

    read_program(f, SLICE(""));
    assert_path(f, 0, NULL);
    assert_path(f, 1, "/proj/src/main.rs");
    assert_path(f, 2, "/abs/lib.rs");
    assert_path(f, 3, "/root.rs");
    assert_path(f, 4, "/proj/here.rs");
    assert_path(f, 5, NULL);
    assert_path(f, LINE_NO_FILE, NULL);
    f->table.directory = SLICE("/");
    assert_path(f, 4, "/here.rs");
}

/* One directory and two files whose entries are a string, an offset of .debug_line_str and an MD5. */
#define FORM_5 FORM_4 "\1\1\x1f"
#define FILES_5 "\3\1\x08\2\x0b\5\x1e\2"
#define MD5 "0123456789abcdef"

static void files_of_dwarf_5_count_from_0(void **state)
{
    struct fixture *f = *state;

    f->sections.data[DEBUG_LINE_STR] = SLICE("x\0/proj/src\0sub\0");
    build(f, 5, SLICE("\x08\0"),
          SLICE(FORM_5 "\2\2\0\0\0\x0c\0\0\0" FILES_5 "main.rs\0\0" MD5 "x.rs\0\1" MD5),
          SLICE(AT("\0", "\x10") "\1\2\4" END));
    read_table(f);
    assert_false(f->table.is_damaged);
    assert_rows(f, "1000 1:1 1004 -");
    assert_path(f, 0, "/proj/src/main.rs");
    assert_path(f, 1, "/proj/sub/x.rs");
    assert_path(f, 2, NULL);
}

static void a_damaged_header_gives_no_rows(void **state)
{
    static const struct {
        uint16_t version;
        struct slice header;
    } cases[] = {
        {1, SLICE(FORM_4 NAMES_4)}, /* versions there are not */
        {6, SLICE(FORM_4 NAMES_4)},
        {4, SLICE("\1\1\1\xfb\0\x0d\0\1\1\1\1\0\0\0\1\0\0\1")}, /* a line range of 0 */
        {4, SLICE("\1\1\1\xfb\x0e\0")},                         /* no opcodes */
        {4, SLICE("\1\1\1\xfb\x0e\x0d\0\1")},                   /* lengths of opcodes cut short */
        {4, SLICE(FORM_4 "src")},                               /* names without an end */
    };

    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        struct fixture *f = *state;

        build(f, cases[i].version, SLICE(""), cases[i].header, SLICE(AT("\0", "\x10") "\1\2\4" END));
        read_table(f);
        assert_true(f->table.is_damaged);
        assert_rows(f, "");
        end(state);
        begin(state);
    }
}

static void counts_larger_than_the_header_are_damage(void **state)
{
    static const struct slice headers[] = {
        SLICE(FORM_4 "\0\xff\xff\xff\xff\x0f"),       /* directories without fields */
        SLICE(FORM_4 "\1\1\x19\xff\xff\xff\xff\x0f"), /* directories of no bytes */
        SLICE(FORM_4 "\1\1\x08\2/a\0"),               /* one directory of two */
        SLICE(FORM_4 "\1\1\x7f\1/a\0"),               /* a form there is not */
    };

    for (size_t i = 0; i < ARRAY_COUNT(headers); i++) {
        struct fixture *f = *state;

        build(f, 5, SLICE("\x08\0"), headers[i], SLICE(AT("\0", "\x10") "\1\2\4" END));
        read_table(f);
        assert_true(f->table.is_damaged);
        end(state);
        begin(state);
    }
}

static void lengths_and_offsets_past_the_section_are_damage(void **state)
{
    struct fixture *f = *state;

    build(f, 4, SLICE(""), SLICE(FORM_4 NAMES_4), SLICE(""));
    f->section.data[0]++;
    read_table(f);
    assert_true(f->table.is_damaged);
    line_table_done(&f->table);
    f->section.data[0]--;
    f->section.data[6]++;
    read_table(f);
    assert_true(f->table.is_damaged);
    line_table_done(&f->table);
    f->section.data[6]--;
    f->unit.line_offset = 1000;
    read_table(f);
    assert_true(f->table.is_damaged);
}

static void a_unit_without_a_table_has_no_rows(void **state)
{
    struct fixture *f = *state;

    f->unit.line_offset = UNIT_NO_OFFSET;
    build(f, 4, SLICE(""), SLICE(FORM_4 NAMES_4), SLICE(""));
    read_table(f);
    assert_false(f->table.is_damaged);
    assert_null(line_table_find(&f->table, 0x1000));
    assert_path(f, 1, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_opcode_moves_as_the_standard_says, begin, end),
        cmocka_unit_test_setup_teardown(a_row_holds_up_to_the_next_one, begin, end),
        cmocka_unit_test_setup_teardown(rows_that_say_the_same_are_one_and_the_last_at_an_address_counts,
                                        begin, end),
        cmocka_unit_test_setup_teardown(runs_are_ordered_and_joined, begin, end),
        cmocka_unit_test_setup_teardown(of_overlapping_runs_the_later_is_left_out, begin, end),
        cmocka_unit_test_setup_teardown(only_the_runs_that_were_asked_for_are_kept, begin, end),
        cmocka_unit_test_setup_teardown(runs_that_are_no_code_are_left_out, begin, end),
        cmocka_unit_test_setup_teardown(rows_without_an_end_or_behind_it_are_left_out, begin, end),
        cmocka_unit_test_setup_teardown(a_row_that_goes_back_is_damage, begin, end),
        cmocka_unit_test_setup_teardown(a_program_cut_short_keeps_the_runs_before, begin, end),
        cmocka_unit_test_setup_teardown(files_are_joined_with_their_directories, begin, end),
        cmocka_unit_test_setup_teardown(files_of_dwarf_5_count_from_0, begin, end),
        cmocka_unit_test_setup_teardown(a_damaged_header_gives_no_rows, begin, end),
        cmocka_unit_test_setup_teardown(counts_larger_than_the_header_are_damage, begin, end),
        cmocka_unit_test_setup_teardown(lengths_and_offsets_past_the_section_are_damage, begin, end),
        cmocka_unit_test_setup_teardown(a_unit_without_a_table_has_no_rows, begin, end),
    };

    return cmocka_run_group_tests_name("line table", tests, NULL, NULL);
}
