/* Command lines taken apart without a shell. */
#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "timing/words.h"

struct fixture {
    struct arena arena;
    struct error err;
    const char *const *words;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    arena_done(&f->arena);
    return 0;
}

static void assert_words(struct fixture *f, const char *line, enum words_rule rule, const char *const *wanted)
{
    assert_int_equal(words_split(&f->arena, line, rule, &f->words, &f->err), 0);
    for (; *wanted; wanted++, f->words++) {
        assert_non_null(*f->words);
        assert_string_equal(*f->words, *wanted);
    }
    assert_null(*f->words);
}

#define ASSERT_WORDS(line, rule, ...) assert_words(f, line, rule, (const char *const[]){__VA_ARGS__, NULL})

static void assert_refused(struct fixture *f, const char *line, enum words_rule rule, const char *message)
{
    f->words = NULL;
    assert_int_equal(words_split(&f->arena, line, rule, &f->words, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_string_equal(f->err.message, message);
    assert_null(f->words);
}

static void words_are_parted_at_blanks(void **state)
{
    struct fixture *f = *state;

    ASSERT_WORDS("grep -i todo", WORDS_PLAIN, "grep", "-i", "todo");
    ASSERT_WORDS(" \t a\n\tb\r\n ", WORDS_PLAIN, "a", "b");
    ASSERT_WORDS("a=b#c~ --x=1", WORDS_LITERAL, "a=b#c~", "--x=1");
    ASSERT_WORDS("./run --x=1 V=2 a#b a~", WORDS_PLAIN, "./run", "--x=1", "V=2", "a#b", "a~");
    ASSERT_WORDS("1=2 -=3", WORDS_PLAIN, "1=2", "-=3");
}

static void quotes_keep_what_they_hold(void **state)
{
    struct fixture *f = *state;

    ASSERT_WORDS("a 'b  c' \"d  e\" f\\ g", WORDS_PLAIN, "a", "b  c", "d  e", "f g");
    ASSERT_WORDS("'a'b\"c\"", WORDS_PLAIN, "abc");
    ASSERT_WORDS("x '' \"\"", WORDS_PLAIN, "x", "", "");
    ASSERT_WORDS("'\\n' \"\\n\\\"\\\\\\$\\`\" \\n", WORDS_PLAIN, "\\n", "\\n\"\\$`", "n");
    ASSERT_WORDS("a\\\nb \"c\\\nd\"", WORDS_PLAIN, "ab", "cd");
    ASSERT_WORDS("'$x|&;<>()`*?[~#' \"|&;<>()*?[~#\" \\* \\~", WORDS_PLAIN, "$x|&;<>()`*?[~#", "|&;<>()*?[~#",
                 "*", "~");
    ASSERT_WORDS("'A=b' c", WORDS_PLAIN, "A=b", "c");
}

static void what_takes_a_shell_is_refused_unless_it_is_taken_as_it_is(void **state)
{
    static const char needing[] = "|&;<>()$`*?[";
    struct fixture *f = *state;

    for (const char *at = needing; *at; at++) {
        char line[] = "a b_";
        char message[64];

        line[3] = *at;
        snprintf(message, sizeof(message), "a b%c: \"%c\" takes a shell, and commands run without", *at, *at);
        assert_refused(f, line, WORDS_PLAIN, message);
        assert_non_null(strstr(f->err.hint, "--shell sh"));
        ASSERT_WORDS(line, WORDS_LITERAL, "a", line + 2);
    }
    assert_refused(f, "a ~/b", WORDS_PLAIN, "a ~/b: \"~\" takes a shell, and commands run without");
    assert_refused(f, "a #b", WORDS_PLAIN, "a #b: \"#\" takes a shell, and commands run without");
    assert_refused(f, "A_1=b c", WORDS_PLAIN, "A_1=b c: \"A_1=b\" takes a shell, and commands run without");
    assert_refused(f, "a \"$b\"", WORDS_PLAIN, "a \"$b\": \"$\" takes a shell, and commands run without");
    ASSERT_WORDS("A_1=b ~ # \"$b\"", WORDS_LITERAL, "A_1=b", "~", "#", "$b");
}

static void what_does_not_end_is_refused(void **state)
{
    struct fixture *f = *state;

    assert_refused(f, "a 'b", WORDS_PLAIN, "a 'b: a ' has no end");
    assert_refused(f, "a \"b\\", WORDS_PLAIN, "a \"b\\: a \" has no end");
    assert_refused(f, "a \\", WORDS_LITERAL, "a \\: a \\ has no end");
    assert_refused(f, "  \t", WORDS_PLAIN, "a command without a word");
    assert_refused(f, "", WORDS_LITERAL, "a command without a word");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(words_are_parted_at_blanks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(quotes_keep_what_they_hold, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_takes_a_shell_is_refused_unless_it_is_taken_as_it_is, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_does_not_end_is_refused, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
