#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "counts/ir_collect.h"

struct fixture {
    struct unit_counts counts;
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

    unit_counts_done(&f->counts);
    text_done(&f->seen);
    free(f);
    return 0;
}

static void collect(struct fixture *f, const char *ir)
{
    char path[] = "/tmp/ir_collect_XXXXXX";
    int descriptor = mkstemp(path);

    assert_int_equal(write(descriptor, ir, strlen(ir)), (ssize_t)strlen(ir));
    close(descriptor);
    unit_counts_done(&f->counts);
    assert_int_equal(ir_collect_file(path, &f->counts, NULL, &f->err), 0);
    unlink(path);
}

static void add_symbol(struct text *text, struct slice symbol)
{
    if (symbol.data[0] == DATA_MARK) {
        text_add_byte(text, '$');
        symbol = slice_range(symbol, 1, symbol.length);
    }
    text_add(text, symbol);
}

/* "SYMBOL -> USE USE;" for each node; "$0" is data. */
static const char *uses(struct fixture *f)
{
    text_clear(&f->seen);
    for (size_t i = 0; i < f->counts.nodes.count; i++) {
        const struct counted_node *node = &f->counts.nodes.items[i];

        add_symbol(&f->seen, f->counts.symbols.items[node->symbol]);
        text_add_string(&f->seen, " ->");
        for (size_t use = 0; use < node->use_count; use++) {
            text_add_byte(&f->seen, ' ');
            add_symbol(&f->seen, f->counts.symbols.items[f->counts.uses.items[node->first_use + use]]);
        }
        text_add_byte(&f->seen, ';');
    }
    return text_string(&f->seen);
}

static void calls_and_addresses_are_uses_each_once(void **state)
{
    struct fixture *f = *state;

    collect(f, "declare void @other(ptr)\n"
               "define void @b(ptr %x) {\n"
               "  call void @a()\n"
               "  invoke void @other(ptr @a)\n"
               "          to label %x unwind label %y\n"
               "  store ptr @other, ptr %x\n"
               "}\n"
               "define void @a() {\n  ret void\n}\n");
    assert_string_equal(uses(f), "b -> a other;a ->;");
    assert_true(slice_is(f->counts.symbols.items[0], "a"));
}

static void a_function_that_names_itself_does_not_use_itself(void **state)
{
    struct fixture *f = *state;

    collect(f, "define void @a() {\n  call void @a()\n}\n");
    assert_string_equal(uses(f), "a ->;");
}

static void what_is_neither_defined_nor_declared_and_intrinsics_are_left_out(void **state)
{
    struct fixture *f = *state;

    collect(f, "declare void @llvm.trap()\ndefine void @a() {\n  call void @llvm.trap()\n"
               "  call void @nowhere()\n  call void asm \"call @b\", \"\"()\n}\n"
               "define void @b() {\n}\n");
    assert_string_equal(uses(f), "a ->;b ->;");
}

static void data_that_leads_to_functions_is_kept_and_other_data_not(void **state)
{
    struct fixture *f = *state;

    collect(f, "@outer = private constant <{ ptr }> <{ ptr @vtable.1 }>\n"
               "@vtable.1 = private constant <{ ptr, ptr }> <{ ptr @b, ptr @text }>\n"
               "@text = private constant [2 x i8] c\"@b\"\n"
               "@location = private constant <{ ptr }> <{ ptr @text }>\n"
               "define void @a() {\n  call void @b(ptr @outer, ptr @location)\n}\n"
               "define void @b() {\n  ret void\n}\n");
    assert_string_equal(uses(f), "$1 -> $0;$0 -> b;a -> $1 b;b ->;");
}

static void a_static_has_its_name(void **state)
{
    struct fixture *f = *state;

    collect(f, "@_RNvC1a4HOOK = global ptr @_RNvC1a1f\n@_RNvC1a4DATA = global i8 0\n"
               "@_RNvC1b5THEIR = external global ptr\n"
               "define void @_RNvC1a1f() {\n  load ptr, ptr @_RNvC1b5THEIR\n  load ptr, ptr @_RNvC1a4HOOK\n"
               "  load ptr, ptr @_RNvC1a4DATA\n}\n");
    assert_string_equal(uses(f), "_RNvC1a4HOOK -> _RNvC1a1f;_RNvC1a1f -> _RNvC1a4HOOK _RNvC1b5THEIR;");
    assert_int_equal(f->counts.nodes.items[0].kind, COUNTED_STATIC);
    assert_int_equal(f->counts.nodes.items[1].kind, COUNTED_FUNCTION);
}

static void quoted_names_are_unquoted_wherever_they_stand(void **state)
{
    struct fixture *f = *state;

    collect(f, "@\"q \\22\" = private constant ptr @\"f \\22\"\n"
               "define void @a(%\"x@y\" %z) {\n  call void @\"f \\22\"(%\"@f\" %z, ptr @\"q \\22\")\n}\n"
               "define void @\"f \\22\"() {\n}\n");
    assert_string_equal(uses(f), "$0 -> f \";a -> $0 f \";f \" ->;");
}

static void what_stands_in_quotes_is_no_use_and_quotes_end_with_their_line(void **state)
{
    struct fixture *f = *state;

    collect(f,
            "define void @a() {\n  call void asm \"@x\", \"@y\"(ptr @b, ptr @c)\n"
            "  %1 = load ptr, ptr @c, !x \"@b\"\n  open \"@d ptr @d\n  call void @e(ptr @\"d)\n"
            "  call void @\"\"(ptr @, ptr @b)\n}\n"
            "define void @b() {\n}\ndefine void @c() {\n}\ndefine void @d() {\n}\ndefine void @e() {\n}\n");
    assert_string_equal(uses(f), "a -> b c e;b ->;c ->;d ->;e ->;");
}

static void attributes_tell_what_was_asked_about_inlining(void **state)
{
    struct fixture *f = *state;

    collect(
        f, "define void @a() unnamed_addr #0 {\n}\ndefine void @b(ptr \"a #3 \") #1 personality ptr @c {\n}\n"
           "define void @c() #2 {\n}\ndefine void @d() #3 {\n}\ndefine void @e() #{ #x #99999999999 \n}\n"
           "attributes #0 = { inlinehint nonlazybind }\n"
           "attributes #1 = { noinline \"x\"=\"inlinehint\" }\n"
           "attributes #2 = { nounwind alwaysinline }\n"
           "attributes #3 = { nounwind \"a\"=\"b\" }\n");
    assert_int_equal(f->counts.nodes.items[0].inlining, IR_INLINE_HINT);
    assert_int_equal(f->counts.nodes.items[1].inlining, IR_INLINE_NEVER);
    assert_int_equal(f->counts.nodes.items[2].inlining, IR_INLINE_ALWAYS);
    assert_int_equal(f->counts.nodes.items[3].inlining, IR_INLINE_AS_LIKED);
    assert_int_equal(f->counts.nodes.items[4].inlining, IR_INLINE_AS_LIKED);
}

static void lines_and_switches_are_counted(void **state)
{
    struct fixture *f = *state;

    collect(f, "define void @a() {\n  switch i8 %x, label %y [\n    i8 0, label %z\n  ]\n  ret void\n}\n");
    assert_int_equal(f->counts.nodes.items[0].lines, 3);
    assert_int_equal(f->counts.nodes.items[0].switches, 1);
}

static void rustcs_modules_tell_the_crate(void **state)
{
    struct fixture *f = *state;

    collect(f, "; ModuleID = 'my_app.29cf25871452049c-cgu.0'\n"
               "define void @a() {\n  ret void\n}\n!llvm.module.flags = !{!0}\n");
    assert_true(slice_is(f->counts.crate_name, "my_app"));
    assert_true(f->counts.crate_disambiguator == 0x29cf25871452049cU);
}

static void assert_disambiguator(struct fixture *f, const char *hash, uint64_t expected)
{
    SCOPED(text_done) struct text ir = {0};

    text_format(&ir,
                "; ModuleID = 'my_app.%s-cgu.0'\ndefine void @a() {\n  ret void\n}\n"
                "!llvm.module.flags = !{!0}\n",
                hash);
    unit_counts_done(&f->counts);
    collect(f, text_string(&ir));
    assert_true(slice_is(f->counts.crate_name, "my_app"));
    assert_true(f->counts.crate_disambiguator == expected);
}

static void what_is_no_crates_hash_is_not_taken_for_one(void **state)
{
    struct fixture *f = *state;

    assert_disambiguator(f, "9cf25871452049c", 0x9cf25871452049cU);
    assert_disambiguator(f, "2049c1234", 0x2049c1234U);
    assert_disambiguator(f, "52049c12", 0);             /* of compilers before 1.52 */
    assert_disambiguator(f, "29cf25871452049c0", 0);    /* more than 64 bits */
    assert_disambiguator(f, "1q7hzvymvkq4e9c0p2w1", 0); /* of an incremental build */
    assert_disambiguator(f, "q9cf25871452049c", 0);
    assert_disambiguator(f, "29cf25871452049q", 0);
}

static void other_modules_tell_no_crate(void **state)
{
    struct fixture *f = *state;

    collect(f, "; ModuleID = 'main.c'\ndefine void @a() {\n  ret void\n}\n");
    assert_int_equal(f->counts.crate_name.length, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(calls_and_addresses_are_uses_each_once),
        CASE(a_function_that_names_itself_does_not_use_itself),
        CASE(what_is_neither_defined_nor_declared_and_intrinsics_are_left_out),
        CASE(data_that_leads_to_functions_is_kept_and_other_data_not),
        CASE(a_static_has_its_name),
        CASE(quoted_names_are_unquoted_wherever_they_stand),
        CASE(what_stands_in_quotes_is_no_use_and_quotes_end_with_their_line),
        CASE(attributes_tell_what_was_asked_about_inlining),
        CASE(lines_and_switches_are_counted),
        CASE(rustcs_modules_tell_the_crate),
        CASE(what_is_no_crates_hash_is_not_taken_for_one),
        CASE(other_modules_tell_no_crate),
    };

    return cmocka_run_group_tests_name("ir_collect", tests, NULL, NULL);
}
