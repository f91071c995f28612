#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"

/* AddressSanitizer refuses huge sizes by ending the process: here it is to say NULL as libc does. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static void new_memory_is_zeroed_and_never_null(void **state)
{
    (void)state;
    SCOPED(memory_free_at) char *memory = memory_new(1000, 3);
    SCOPED(memory_free_at) char *nothing = memory_new(0, 8);

    for (size_t i = 0; i < 3000; i++)
        assert_int_equal(memory[i], 0);
    assert_non_null(nothing);
}

/* Small, of whole large pages, and of a few bytes more. */
static void memory_that_is_not_set_can_be_written_to_its_end(void **state)
{
    static const size_t counts[] = {0, 1, 100, 2 << 20, (5 << 20) + 3};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(counts); i++) {
        SCOPED(memory_free_at) char *memory = memory_new_unset(counts[i]);

        assert_non_null(memory);
        memset(memory, 'x', counts[i]);
    }
}

static void resizing_keeps_the_bytes_and_never_frees(void **state)
{
    (void)state;
    char *memory = memory_resize(NULL, 4, 1);

    memcpy(memory, "abc", 4);
    memory = memory_resize(memory, 100000, 2);
    assert_string_equal(memory, "abc");
    memory = memory_resize(memory, 0, 1);
    assert_non_null(memory);
    free(memory);
}

static void freeing_by_scope_takes_null(void **state)
{
    (void)state;
    SCOPED(memory_free_at) char *none = NULL;

    assert_null(none);
}

/* What a child that calls `ask` writes to standard error, and its exit code. */
static int run_child(void (*ask)(void), struct text *output)
{
    int ends[2];
    int status = 0;
    pid_t child = 0;
    struct error err = {0};

    assert_int_equal(pipe(ends), 0);
    child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        ask();
        _exit(99);
    }
    close(ends[1]);
    assert_int_equal(file_read_descriptor(ends[0], "child", SIZE_MAX, output, &err), 0);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void ask_new(void)
{
    free(memory_new(SIZE_MAX / 2, 1));
}

static void ask_unset(void)
{
    free(memory_new_unset(SIZE_MAX / 2));
}

static void ask_product(void)
{
    free(memory_new(SIZE_MAX / 2, 4));
}

static void ask_resize(void)
{
    free(memory_resize(NULL, SIZE_MAX / 2, 4));
}

static void ask_arena(void)
{
    struct arena arena = {0};

    arena_array(&arena, SIZE_MAX, 1);
    arena_done(&arena);
}

/* A product that wraps to 0. */
static void ask_arena_product(void)
{
    struct arena arena = {0};

    arena_array(&arena, SIZE_MAX / 2 + 1, 2);
    arena_done(&arena);
}

static void ask_text(void)
{
    struct text text = {0};

    text_add(&text, SLICE("some"));
    text_extend(&text, SIZE_MAX - 8);
    text_done(&text);
}

static void running_out_of_memory_is_one_line_and_exit_code_1(void **state)
{
    (void)state;
    void (*const asks[])(void) = {ask_new,   ask_unset,         ask_product, ask_resize,
                                  ask_arena, ask_arena_product, ask_text};

    for (size_t i = 0; i < ARRAY_COUNT(asks); i++) {
        SCOPED(text_done) struct text output = {0};

        assert_int_equal(run_child(asks[i], &output), 1);
        assert_non_null(strstr(text_string(&output), ": error: out of memory (asked for "));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_memory_is_zeroed_and_never_null),
        cmocka_unit_test(memory_that_is_not_set_can_be_written_to_its_end),
        cmocka_unit_test(resizing_keeps_the_bytes_and_never_frees),
        cmocka_unit_test(freeing_by_scope_takes_null),
        cmocka_unit_test(running_out_of_memory_is_one_line_and_exit_code_1),
    };

    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
