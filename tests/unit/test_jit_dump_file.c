#include "cmocka_all.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "jit_dump_builder.h"
#include "symbolize/jit/dump_file.h"

static const struct told_file dump_file = {.path = "jit-1234.dump"};

struct fixture {
    char folder[32];
    struct jit_dump_builder builder;
    struct jit_dump_file dump;
    struct error err;
};

static int enter_folder(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    strcpy(f->folder, "/tmp/jit_dump_XXXXXX");
    jit_dump_builder_init(&f->builder, false, 0);
    *state = f;
    return mkdtemp(f->folder) && chdir(f->folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    struct fixture *f = *state;
    int result = 0;

    jit_dump_close(&f->dump);
    jit_dump_builder_done(&f->builder);
    unlink(dump_file.path);
    result = chdir("/") < 0 || rmdir(f->folder) < 0 ? -1 : 0;
    free(f);
    return result;
}

static void write_dump(struct fixture *f)
{
    struct error err = {0};

    assert_int_equal(file_replace(dump_file.path, text_slice(&f->builder.bytes), &err), 0);
}

static int open_dump(struct fixture *f)
{
    f->err = (struct error){0};
    return jit_dump_open(&dump_file, &f->dump, &f->err);
}

/* Code of many sizes, so that windows begin and end anywhere in records. */
static void each_record_of_a_file_of_many_windows_is_found_once(void **state)
{
    enum { COUNT = 400, LARGEST = 3 * JIT_DUMP_WINDOW_BYTES };
    struct fixture *f = *state;
    struct jit_record record;
    uint64_t second_at = 0;

    for (unsigned i = 0; i < COUNT; i++)
        jit_dump_add_load(&f->builder, i, 0x1000, 1 + (i * i * 7919) % LARGEST, i % 2 ? "odd" : "even");
    write_dump(f);
    assert_int_equal(open_dump(f), 0);
    for (int walk = 0; walk < 2; walk++) {
        unsigned count = 0;

        for (; jit_dump_next(&f->dump, &record); count++) {
            assert_int_equal(record.kind, JIT_LOAD);
            assert_int_equal(record.time_ns, count);
            assert_true(slice_is(record.name, count % 2 ? "odd" : "even"));
            if (count == 1)
                second_at = f->dump.record_at;
        }
        assert_int_equal(count, COUNT);
        assert_int_equal(f->dump.problem.kind, ERROR_NONE);
        jit_dump_rewind(&f->dump);
    }
    assert_true(jit_dump_at(&f->dump, second_at, &record));
    assert_int_equal(record.time_ns, 1);
    assert_true(slice_is(record.name, "odd"));
    assert_false(jit_dump_at(&f->dump, UINT64_MAX - 8, &record));
}

/* As of a process that goes on writing, or was killed. */
static void of_a_file_that_is_cut_all_that_is_whole_is_found(void **state)
{
    enum { FIRST_END = JIT_HEADER_BYTES + JIT_LOAD_BYTES + sizeof("first") + 8 };
    struct fixture *f = *state;
    size_t whole = 0;

    jit_dump_add_load(&f->builder, 1, 0x1000, 8, "first");
    jit_dump_add_load(&f->builder, 2, 0x2000, 8, "second");
    whole = f->builder.bytes.length;
    for (size_t length = whole + 1; length-- > JIT_HEADER_BYTES;) {
        struct jit_record record;
        size_t count = 0;

        f->builder.bytes.length = length;
        write_dump(f);
        assert_int_equal(open_dump(f), 0);
        while (jit_dump_next(&f->dump, &record))
            count += record.kind == JIT_LOAD;
        assert_int_equal(f->dump.problem.kind, ERROR_NONE);
        assert_int_equal(count, length + 8 >= whole ? 2 : length + 8 >= FIRST_END ? 1 : 0);
        jit_dump_close(&f->dump);
    }
}

static void a_file_that_is_none_is_refused_by_its_name(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(open_dump(f), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
    f->builder.bytes.length = 12;
    write_dump(f);
    assert_int_equal(open_dump(f), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_string_equal(f->err.message, "jit-1234.dump: its header is cut");
    unlink(dump_file.path);
    assert_int_equal(mkfifo(dump_file.path, 0600), 0);
    assert_int_equal(open_dump(f), -1);
    assert_string_equal(f->err.message, "jit-1234.dump is not a regular file");
}

/* Of a file of any length, records that skip over what is not there. */
static void of_an_endless_file_the_start_is_read(void **state)
{
    static const uint64_t most_bytes = (uint64_t)JIT_DUMP_MOST_GIB << 30;
    struct fixture *f = *state;
    struct jit_record record;

    jit_dump_add_load(&f->builder, 1, 0x1000, 8, "first");
    jit_dump_add_record(&f->builder, 9, 2, UINT32_MAX - 16);
    write_dump(f);
    assert_int_equal(truncate(dump_file.path, (off_t)(4 * most_bytes)), 0);
    assert_int_equal(open_dump(f), 0);
    assert_true(jit_dump_next(&f->dump, &record));
    assert_true(jit_dump_next(&f->dump, &record));
    assert_int_equal(record.kind, JIT_OTHER);
    assert_false(jit_dump_next(&f->dump, &record));
    assert_int_equal(f->dump.problem.kind, ERROR_FORMAT);
    assert_string_equal(f->dump.problem.message,
                        "jit-1234.dump goes on after its first 2 GiB, which alone were read");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_record_of_a_file_of_many_windows_is_found_once, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(of_a_file_that_is_cut_all_that_is_whole_is_found, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(a_file_that_is_none_is_refused_by_its_name, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(of_an_endless_file_the_start_is_read, enter_folder, leave_folder),
    };

    return cmocka_run_group_tests_name("jit_dump_file", tests, NULL, NULL);
}
