#include "cmocka_all.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/scan.h"
#include "symbolize/kernel_ask.h"
#include "symbolize/kernel_symbols.h"

static void lines_of_the_kernels_list_of_another_form_are_left_out(void **state)
{
    static const uint64_t avmas[] = {0xf, 0x1f, 0x20, UINT64_MAX};
    struct kernel_symbol found[ARRAY_COUNT(avmas)];

    (void)state;
    kernel_symbols_find(
        SLICE("\n10\n10 \n10 T\n10 T \n10 Tt name\nx T name\n10 T  name\n00000000000000010 T long\n"
              "0 T zero\n20 w weak\n20 T other\n15 b bss\n"),
        avmas, ARRAY_COUNT(avmas), found);
    assert_int_equal(found[0].avma, 0);
    assert_int_equal(found[1].avma, 0);
    assert_int_equal(found[1].name.length, 0);
    assert_true(slice_is(found[2].name, "weak"));
    assert_true(slice_is(found[3].name, "weak"));
    assert_int_equal(found[3].avma, 0x20);
}

static void kernel_symbols_are_found_in_a_list_of_any_order(void **state)
{
    static const uint64_t avmas[] = {0x10, 0x25, 0x26, 0x31, 0x99};
    struct kernel_symbol found[ARRAY_COUNT(avmas)];

    (void)state;
    kernel_symbols_find(SLICE("30 t third\n20 t second\n10 t first\n22 t ext\t[ext4]\n32 t fourth\n"), avmas,
                        ARRAY_COUNT(avmas), found);
    assert_true(slice_is(found[0].name, "first"));
    assert_true(slice_is(found[1].name, "ext"));
    assert_true(slice_is(found[1].module, "[ext4]"));
    assert_true(slice_is(found[2].name, "ext"));
    assert_true(slice_is(found[3].name, "third"));
    assert_int_equal(found[3].module.length, 0);
    assert_true(slice_is(found[4].name, "fourth"));
}

static void what_the_kernel_answers_is_taken_apart(void **state)
{
    static const struct slice bad[] = {
        SLICE(""),
        SLICE("0xffffffff81000123"),
        SLICE("+0x1/0x2"),
        SLICE("f+0x1"),
        SLICE("f+0x1/0x"),
        SLICE("f+1/2"),
        SLICE("f+0x1/0x2 "),
        SLICE("f+0x1/0x2 [a] b"),
        SLICE("f+0x1/0x2[a]"),
        SLICE("f+0x1000/0x2000"),
        SLICE("f+0x1001/0x2000"),
    };
    struct kernel_symbol symbol = {.avma = 77};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
        assert_false(kernel_answer_parse(bad[i], 0x1000, &symbol));
        assert_int_equal(symbol.avma, 77);
    }
    assert_true(kernel_answer_parse(SLICE("ksys_read+0x1a/0x90"), 0x101a, &symbol));
    assert_int_equal(symbol.avma, 0x1000);
    assert_true(slice_is(symbol.name, "ksys_read"));
    assert_int_equal(symbol.module.length, 0);
    assert_true(kernel_answer_parse(SLICE("a+b.cold+0x0/0x10 [ext4]"), 0x2000, &symbol));
    assert_int_equal(symbol.avma, 0x2000);
    assert_true(slice_is(symbol.name, "a+b.cold"));
    assert_true(slice_is(symbol.module, "[ext4]"));
}

/* Some functions of the kernel itself: each one's first two bytes. Programs in the kernel come and go. */
static size_t add_probes(struct slice list, uint64_t *avmas, size_t most)
{
    struct scan scan = scan_of(list);
    struct slice line;
    uint64_t before = 0;
    size_t count = 0;

    for (size_t number = 0; scan_line(&scan, &line) && count + 2 <= most; number++) {
        struct scan fields = scan_of(line);
        struct slice name;
        uint64_t avma = 0;
        bool is_function = scan_hex(&fields, &avma) && scan_text(&fields, " T ") &&
                           scan_word(&fields, &name) && scan_at_end(&fields) && avma > before + 1;

        before = avma;
        if (!is_function || number % 50 > 0)
            continue;
        avmas[count++] = avma;
        avmas[count++] = avma + 1;
    }
    return count;
}

/* False where it may not be asked. */
static bool ask_for_what_is_listed(void)
{
    enum { MOST = 20000 };
    SCOPED(text_done) struct text list = {0};
    SCOPED(arena_done) struct arena names = {0};
    SCOPED(memory_free_at) uint64_t *avmas = memory_new(MOST, sizeof(*avmas));
    SCOPED(memory_free_at) struct kernel_symbol *asked = memory_new(MOST, sizeof(*asked));
    SCOPED(memory_free_at) struct kernel_symbol *listed = memory_new(MOST, sizeof(*listed));
    struct error err = {0};
    size_t count = 0;

    if (file_read("/proc/kallsyms", SIZE_MAX, &list, &err) < 0)
        return false;
    count = add_probes(text_slice(&list), avmas, MOST);
    if (count == 0 || !kernel_ask(avmas, count, &names, asked))
        return false;
    kernel_symbols_find(text_slice(&list), avmas, count, listed);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(asked[i].avma, listed[i].avma);
        assert_true(slice_equal(asked[i].name, listed[i].name));
        assert_true(slice_equal(asked[i].module, listed[i].module));
    }
    return true;
}

/* Where it may be asked at all, which takes root. */
static void the_kernel_answers_as_its_list_does(void **state)
{
    (void)state;
    if (!ask_for_what_is_listed())
        skip();
}

static void a_kernel_that_does_not_know_one_is_not_believed(void **state)
{
    static const uint64_t avmas[] = {0x10, 0x1000};
    SCOPED(arena_done) struct arena names = {0};
    struct kernel_symbol found[ARRAY_COUNT(avmas)];

    (void)state;
    assert_false(kernel_ask(avmas, ARRAY_COUNT(avmas), &names, found));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_the_kernels_list_of_another_form_are_left_out),
        cmocka_unit_test(kernel_symbols_are_found_in_a_list_of_any_order),
        cmocka_unit_test(what_the_kernel_answers_is_taken_apart),
        cmocka_unit_test(the_kernel_answers_as_its_list_does),
        cmocka_unit_test(a_kernel_that_does_not_know_one_is_not_believed),
    };

    return cmocka_run_group_tests_name("kernel symbols", tests, NULL, NULL);
}
