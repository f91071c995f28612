#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "ir/count.h"

/* What was counted, as text: "SYMBOL LINES;" for each function. */
struct fixture {
    struct text seen;
    struct error err;
};

static int setup(void **state)
{
    *state = calloc(1, sizeof(struct fixture));
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    text_done(&f->seen);
    free(f);
    return 0;
}

static void see(void *context, const struct ir_function *function)
{
    struct text *seen = context;

    text_add(seen, function->symbol);
    text_format(seen, " %llu;", (unsigned long long)function->lines);
}

/* Counts `ir` given in pieces of `piece` bytes. */
static int count_pieces(struct fixture *f, struct slice ir, size_t piece)
{
    const struct ir_visitor visitor = {.context = &f->seen, .function = see};
    SCOPED(ir_counter_done) struct ir_counter counter;

    ir_counter_init(&counter, "x.ll", &visitor);
    text_clear(&f->seen);
    for (size_t at = 0; at < ir.length; at += piece)
        if (ir_counter_feed(&counter, slice_range(ir, at, at + piece), &f->err) < 0)
            return -1;
    return ir_counter_finish(&counter, &f->err);
}

static int count(struct fixture *f, const char *ir)
{
    return count_pieces(f, slice_of(ir), SIZE_MAX / 2);
}

/* In front of a function so that it is more than a comment. */
#define START "; ModuleID = 'x'\nsource_filename = \"x\"\n\n"

static const char sample[] =
    START "%T = type { i8 }\n@g = global i8 0\n$c = comdat any\n^0 = module: (path: \"x\")\n"
          "declare void @other()\n"
          "; Function Attrs: nounwind\n"
          "define internal void @_RNvC1a3one(ptr %x) #0 {\n"
          "start:\n"
          "  %0 = load i8, ptr %x\n"
          "    #dbg_value(i8 %0, !1, !DIExpression(), !2)\n"
          "  switch i8 %0, label %bb1 [\n"
          "    i8 0, label %bb2\n"
          "  ]\n"
          "\n"
          "bb1:                ; preds = %start\n"
          "; a comment\n"
          "  invoke void @other()\n"
          "          to label %bb2 unwind label %bb1\n"
          "\n"
          "define_not:\n"
          "  ret void\n"
          "}\n"
          "\n"
          "define i32 @main() {\n"
          "  ret i32 0\n"
          "}\n"
          "attributes #0 = { nounwind }\n"
          "!1 = !{}\n";

#define SAMPLE_SEEN "_RNvC1a3one 5;main 1;"

static void instructions_and_the_end_of_a_switch_count_and_nothing_else(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(count(f, sample), 0);
    assert_string_equal(text_string(&f->seen), SAMPLE_SEEN);
}

static void the_text_may_be_cut_into_pieces_anywhere(void **state)
{
    struct fixture *f = *state;

    for (size_t piece = 1; piece < sizeof(sample); piece++) {
        assert_int_equal(count_pieces(f, SLICE(""), 1), -1);
        assert_int_equal(count_pieces(f, slice_of(sample), piece), 0);
        assert_string_equal(text_string(&f->seen), SAMPLE_SEEN);
    }
}

static void crlf_counts_like_lf(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text crlf = {0};

    for (const char *at = sample; *at; at++) {
        if (*at == '\n')
            text_add_byte(&crlf, '\r');
        text_add_byte(&crlf, *at);
    }
    for (size_t piece = 1; piece < crlf.length; piece += 7) {
        assert_int_equal(count_pieces(f, text_slice(&crlf), piece), 0);
        assert_string_equal(text_string(&f->seen), SAMPLE_SEEN);
    }
}

static void a_function_without_instructions_is_a_copy_of_no_lines(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(count(f, "define void @a() {\n}\n"), 0);
    assert_string_equal(text_string(&f->seen), "a 0;");
}

static void a_line_of_two_spaces_counts_as_it_does_in_cargo_llvm_lines(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(count(f, "define void @a() {\n  \n \n\n   \n\t\n  \r\n}\n"), 0);
    assert_string_equal(text_string(&f->seen), "a 2;");
}

static void every_entity_of_a_module_is_ir(void **state)
{
    static const char *const entities[] = {
        "source_filename = \"x\"",
        "target triple = \"x\"",
        "declare void @x()",
        "attributes #0 = {}",
        "module asm \"x\"",
        "uselistorder ptr @x, { 1, 0 }",
        "@x = global i8 0",
        "%x = type {}",
        "!x = !{}",
        "$x = comdat any",
        "^0 = x",
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_COUNT(entities); i++)
        assert_int_equal(count(f, entities[i]), 0);
}

static void lines_outside_functions_do_not_count(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(count(f, "@a = global [1 x i8] [\n  i8 1\n]\n%b = type <{\n  i8\n}>\n"
                              "define void @a() {\n  ret void\n}\n  \n)\n\t\n}\n"),
                     0);
    assert_string_equal(text_string(&f->seen), "a 1;");
}

static void the_last_line_needs_no_line_end(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(count(f, "define void @a() {\n  ret void\n}"), 0);
    assert_string_equal(text_string(&f->seen), "a 1;");
}

/* Lines that begin in every way, each as long as `line_bytes` with its end where its start is shorter. */
static uint64_t add_lines(struct text *ir, size_t line_bytes)
{
    static const char *const starts[] = {"  x", " x", "   x", "x", "", " ", "   ", "x  y", "  \tx", " \rx"};
    uint64_t counted = 0;

    for (size_t i = 0; i < 3000; i++) {
        const char *start = starts[i % 10 < 4 ? i % 10 : i / 7 % 10];
        size_t length = strlen(start);

        text_add_string(ir, start);
        text_add_repeated(ir, 'z', length + 1 < line_bytes && length > 0 ? line_bytes - length - 1 : 0);
        text_add_byte(ir, '\n');
        counted += start == starts[0] || start == starts[8];
    }
    return counted;
}

static void a_long_body_is_counted_whatever_the_length_of_its_lines(void **state)
{
    struct fixture *f = *state;

    for (size_t line_bytes = 1; line_bytes < 70; line_bytes++) {
        SCOPED(text_done) struct text ir = {0};
        SCOPED(text_done) struct text expected = {0};

        text_add_string(&ir, "define void @a() {\n");
        text_format(&expected, "a %llu;", (unsigned long long)add_lines(&ir, line_bytes));
        text_add_string(&ir, "}\n");
        assert_int_equal(count_pieces(f, text_slice(&ir), 10007), 0);
        assert_string_equal(text_string(&f->seen), text_string(&expected));
    }
}

static void more_lines_in_step_than_a_byte_can_count_are_counted(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text ir = {0};

    text_add_string(&ir, "define void @a() {\n");
    for (size_t i = 0; i < 1000; i++)
        text_add_string(&ir, "  fifteen bytes\n");
    text_add_string(&ir, "}\n");
    assert_int_equal(count_pieces(f, text_slice(&ir), SIZE_MAX / 2), 0);
    assert_string_equal(text_string(&f->seen), "a 1000;");
}

static void quoted_names_lose_quotes_and_escapes(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(count(f, "define void @\"a b\\22(\\c3\\Bcz\\\\0q\\\"() {\n}\n"), 0);
    assert_string_equal(text_string(&f->seen), "a b\"(\xc3\xbcz\\0q\\ 0;");
    assert_int_equal(count(f, "define void @\"\\4\"() {\n}\ndefine void @\"\\g0\"() {\n}\n"), 0);
    assert_string_equal(text_string(&f->seen), "\\4 0;\\g0 0;");
    assert_int_equal(count(f, "define void @\"\\4g\"() {\n}\n"), 0);
    assert_string_equal(text_string(&f->seen), "\\4g 0;");
}

static void an_at_sign_in_quotes_before_the_name_is_not_the_name(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(count(f, "define %\"x@y(\" @-$._9Az() {\n}\n"), 0);
    assert_string_equal(text_string(&f->seen), "-$._9Az 0;");
}

static void a_define_without_a_name_is_an_error(void **state)
{
    static const char *const bad[] = {
        "define void {\n}\n",        "define void @ {\n}\n",    "define void @a {\n}\n",
        "define void @\"a() {\n}\n", "define void @\"a\"\n}\n", "define void @\"\"() {\n}\n",
        "define \"void @a() {\n}\n",
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
        assert_int_equal(count(f, bad[i]), -1);
        assert_string_equal(f->err.message, "x.ll:1: not LLVM IR: a define without a name");
    }
}

static void a_text_that_ends_inside_a_function_is_truncated(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(count(f, START "define void @a() {\n  ret void\n"), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_string_equal(f->err.message, "x.ll:5: truncated: ends inside the function that begins at line 4");
    assert_int_equal(count(f, START "define void @a() {\n  ret vo"), -1);
    assert_string_equal(f->err.message, "x.ll:5: truncated: ends inside the function that begins at line 4");
}

static void what_rustc_wrote_is_truncated_without_the_metadata_at_its_end(void **state)
{
    static const char ir[] = "; ModuleID = 'a.123-cgu.0'\ndefine void @a() {\n}\n";
    struct fixture *f = *state;
    SCOPED(text_done) struct text whole = {0};

    assert_int_equal(count(f, ir), -1);
    assert_string_equal(f->err.message, "x.ll:3: truncated: ends before the module's metadata");
    text_add_string(&whole, ir);
    text_add_string(&whole, "!llvm.ident = !{!0}\n!0 = !{}\n");
    assert_int_equal(count(f, text_string(&whole)), 0);
    assert_int_equal(count(f, "; ModuleID = 'a'\ndefine void @a() {\n}\n"), 0);
    assert_int_equal(count(f, "; a -cgu.\ndefine void @a() {\n}\n"), 0);
}

static void a_function_inside_another_tells_that_the_first_has_no_end(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(count(f, "define void @a() {\n  ret\ndefine void @b() {\n}\n"), -1);
    assert_string_equal(f->err.message, "x.ll:3: truncated: the function that begins at line 1 has no end");
    assert_int_equal(count(f, "define void @a() {\n  an instruction of some length\n  another\n"
                              "define void @b() {\n  an instruction of some length\n}\n"),
                     -1);
    assert_string_equal(f->err.message, "x.ll:4: truncated: the function that begins at line 1 has no end");
}

static void what_is_not_ir_is_refused_with_its_line(void **state)
{
    static const char *const bad[] = {
        "fn main() {}\n", "  ret void\n", "}\n", "[section]\n", "definex @a()\n",
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
        assert_int_equal(count(f, bad[i]), -1);
        assert_string_equal(f->err.message, "x.ll:1: not LLVM IR");
        assert_non_null(strstr(f->err.hint, "name .ll files"));
    }
    f->err = (struct error){0};
    assert_int_equal(count(f, START "oops\n"), -1);
    assert_string_equal(f->err.message, "x.ll:4: not LLVM IR");
    assert_string_equal(f->err.hint, "");
}

static void nothing_but_comments_is_not_ir(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(count(f, "; hello\n\n"), -1);
    assert_string_equal(f->err.message, "x.ll: not LLVM IR: nothing in it");
    assert_int_equal(count(f, ""), -1);
    assert_int_equal(count(f, "!0 = !{}\n"), 0);
}

static void assert_other_format(struct fixture *f, struct slice file, const char *message, const char *hint)
{
    const struct ir_visitor visitor = {.context = &f->seen, .function = see};
    struct ir_counter counter;

    ir_counter_init(&counter, "x.bc", &visitor);
    f->err = (struct error){0};
    assert_int_equal(ir_counter_feed(&counter, file, &f->err), -1);
    ir_counter_done(&counter);
    assert_string_equal(f->err.message, message);
    assert_non_null(strstr(f->err.hint, hint));
}

static void what_else_compilers_write_is_named_as_such(void **state)
{
    struct fixture *f = *state;

    assert_other_format(f, SLICE("BC\xc0\xde\x35\x14\0\0\n"), "x.bc: LLVM bitcode, not LLVM IR in text form",
                        "--emit=llvm-ir");
    assert_other_format(f, SLICE("BC\xc0\xde\x35\n"), "x.bc: LLVM bitcode, not LLVM IR in text form",
                        "llvm-dis");
    assert_other_format(f, SLICE("\xde\xc0\x17\x0b\0\0"),
                        "x.bc: LLVM bitcode in a wrapper, not LLVM IR in text form", "llvm-dis");
    assert_other_format(f, SLICE("\x7f\x45LF\2\1\1\0"),
                        "x.bc: a program, library or object (ELF), not LLVM IR", "name .ll files");
    assert_other_format(f, SLICE("!<arch>\n/ "),
                        "x.bc: an archive (an rlib or a static library), not LLVM IR", "name .ll files");
}

static void a_nul_byte_is_refused_with_its_line(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(count_pieces(f, SLICE("define void @a() {\n  re\0t\n}\n"), 99), -1);
    assert_string_equal(f->err.message, "x.ll:2: a NUL byte, which LLVM IR does not have");
    assert_int_equal(count_pieces(f, SLICE("!0 = !{}\n\n\0"), 1), -1);
    assert_string_equal(f->err.message, "x.ll:3: a NUL byte, which LLVM IR does not have");
    assert_int_equal(count_pieces(f,
                                  SLICE("\x7f"
                                        "ELF\2\0\0"),
                                  99),
                     -1);
    assert_string_equal(f->err.message, "x.ll: a program, library or object (ELF), not LLVM IR");
}

/* A definition whose line is `before` and `after` bytes longer than needed around the name. */
static void add_long(struct text *ir, size_t before, size_t after)
{
    text_add_string(ir, "define {");
    text_add_repeated(ir, 'x', before);
    text_add_string(ir, "} @a(");
    text_add_repeated(ir, 'y', after);
    text_add_string(ir, ") {\n  ");
    text_add_repeated(ir, 'z', after);
    text_add_string(ir, "\n}\n");
}

static void a_very_long_line_is_one_line_and_is_not_kept(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text ir = {0};
    const struct ir_visitor visitor = {.context = &f->seen, .function = see};
    SCOPED(ir_counter_done) struct ir_counter counter;

    add_long(&ir, 1000000, 20000000);
    assert_int_equal(count_pieces(f, text_slice(&ir), 65536), 0);
    assert_string_equal(text_string(&f->seen), "a 1;");

    ir_counter_init(&counter, "x.ll", &visitor);
    for (size_t at = 0; at < ir.length; at += 65536)
        assert_int_equal(ir_counter_feed(&counter, slice_range(text_slice(&ir), at, at + 65536), &f->err), 0);
    assert_int_equal(ir_counter_finish(&counter, &f->err), 0);
    assert_true(counter.head.capacity <= (size_t)2 * 1024 * 1024);
}

static void a_name_beyond_what_is_kept_of_a_line_is_an_error(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text ir = {0};

    add_long(&ir, (size_t)2 * 1024 * 1024, 10);
    assert_int_equal(count_pieces(f, text_slice(&ir), 65536), -1);
    assert_string_equal(f->err.message, "x.ll:1: not LLVM IR: a define without a name");
}

static void a_file_is_counted_and_one_that_cannot_be_read_is_named(void **state)
{
    struct fixture *f = *state;
    char path[] = "/tmp/ir_count_XXXXXX";
    int descriptor = mkstemp(path);

    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, sample, sizeof(sample) - 1), sizeof(sample) - 1);
    close(descriptor);
    assert_int_equal(ir_count_file(path, &(struct ir_visitor){.context = &f->seen, .function = see}, &f->err),
                     0);
    assert_string_equal(text_string(&f->seen), SAMPLE_SEEN);
    unlink(path);

    assert_int_equal(ir_count_file(path, &(struct ir_visitor){.context = &f->seen, .function = see}, &f->err),
                     -1);
    assert_int_equal(f->err.kind, ERROR_IO);
    assert_non_null(strstr(f->err.message, path));
    assert_int_equal(
        ir_count_file("/tmp", &(struct ir_visitor){.context = &f->seen, .function = see}, &f->err), -1);
    assert_string_equal(f->err.message, "read /tmp: Is a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(instructions_and_the_end_of_a_switch_count_and_nothing_else, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_text_may_be_cut_into_pieces_anywhere, setup, teardown),
        cmocka_unit_test_setup_teardown(crlf_counts_like_lf, setup, teardown),
        cmocka_unit_test_setup_teardown(a_function_without_instructions_is_a_copy_of_no_lines, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_line_of_two_spaces_counts_as_it_does_in_cargo_llvm_lines, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(every_entity_of_a_module_is_ir, setup, teardown),
        cmocka_unit_test_setup_teardown(lines_outside_functions_do_not_count, setup, teardown),
        cmocka_unit_test_setup_teardown(the_last_line_needs_no_line_end, setup, teardown),
        cmocka_unit_test_setup_teardown(a_long_body_is_counted_whatever_the_length_of_its_lines, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(more_lines_in_step_than_a_byte_can_count_are_counted, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(quoted_names_lose_quotes_and_escapes, setup, teardown),
        cmocka_unit_test_setup_teardown(an_at_sign_in_quotes_before_the_name_is_not_the_name, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_define_without_a_name_is_an_error, setup, teardown),
        cmocka_unit_test_setup_teardown(a_text_that_ends_inside_a_function_is_truncated, setup, teardown),
        cmocka_unit_test_setup_teardown(what_rustc_wrote_is_truncated_without_the_metadata_at_its_end, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_function_inside_another_tells_that_the_first_has_no_end, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_is_not_ir_is_refused_with_its_line, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_but_comments_is_not_ir, setup, teardown),
        cmocka_unit_test_setup_teardown(what_else_compilers_write_is_named_as_such, setup, teardown),
        cmocka_unit_test_setup_teardown(a_nul_byte_is_refused_with_its_line, setup, teardown),
        cmocka_unit_test_setup_teardown(a_very_long_line_is_one_line_and_is_not_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(a_name_beyond_what_is_kept_of_a_line_is_an_error, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_is_counted_and_one_that_cannot_be_read_is_named, setup,
                                        teardown),
    };

    return cmocka_run_group_tests_name("ir_count", tests, NULL, NULL);
}
