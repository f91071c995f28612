#include "cmocka_all.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "counts.h"

struct fixture {
    char folder[32];
    char path[64];
    struct text seen; /* "SYMBOL LINES;" for each function */
    struct error err;
};

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    *state = f;
    strcpy(f->folder, "/tmp/counts_XXXXXX");
    if (!mkdtemp(f->folder))
        return -1;
    snprintf(f->path, sizeof(f->path), "%s/a" COUNTS_ENDING, f->folder);
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    unlink(f->path);
    rmdir(f->folder);
    text_done(&f->seen);
    free(f);
    return 0;
}

static void see(void *context, struct slice symbol, uint64_t lines)
{
    struct text *seen = context;

    text_add(seen, symbol);
    text_format(seen, " %llu;", (unsigned long long)lines);
}

static int read_back(struct fixture *f, const char *crate_name)
{
    text_clear(&f->seen);
    return counts_read(f->path, slice_of(crate_name), see, &f->seen, &f->err);
}

static void write_sample(struct fixture *f)
{
    SCOPED(counts_writer_done) struct counts_writer writer = {0};

    assert_int_equal(counts_writer_open(&writer, f->path, SLICE("serde"), &f->err), 0);
    counts_writer_add(&writer, SLICE("_RNvC1a3one"), 5);
    counts_writer_add(&writer, SLICE("a \"\n\x01"), UINT64_C(1) << 62);
    counts_writer_add(&writer, SLICE("z"), 0);
    assert_int_equal(counts_writer_commit(&writer, &f->err), 0);
}

static size_t files_in(const char *folder)
{
    DIR *open_folder = opendir(folder);
    size_t count = 0;

    for (const struct dirent *entry = readdir(open_folder); entry; entry = readdir(open_folder))
        count += entry->d_name[0] != '.';
    closedir(open_folder);
    return count;
}

static void what_was_written_is_read_back(void **state)
{
    struct fixture *f = *state;

    write_sample(f);
    assert_int_equal(read_back(f, "serde"), 0);
    assert_string_equal(text_string(&f->seen), "_RNvC1a3one 5;a \"\n\x01 4611686018427387904;z 0;");
    assert_int_equal(files_in(f->folder), 1);
}

static void a_unit_without_functions_is_whole(void **state)
{
    struct fixture *f = *state;
    struct counts_writer writer = {0};

    assert_int_equal(counts_writer_open(&writer, f->path, SLICE(""), &f->err), 0);
    assert_int_equal(counts_writer_commit(&writer, &f->err), 0);
    counts_writer_done(&writer);
    assert_int_equal(read_back(f, ""), 0);
    assert_int_equal(f->seen.length, 0);
}

static void many_functions_are_written_as_they_come(void **state)
{
    struct fixture *f = *state;
    SCOPED(counts_writer_done) struct counts_writer writer = {0};
    char name[1000];
    size_t length = 0;

    memset(name, 'n', sizeof(name));
    assert_int_equal(counts_writer_open(&writer, f->path, SLICE("a"), &f->err), 0);
    for (uint64_t i = 0; i < 3000; i++)
        counts_writer_add(&writer, (struct slice){name, sizeof(name)}, i);
    assert_true(writer.pending.capacity <= 256 * 1024);
    assert_int_equal(counts_writer_commit(&writer, &f->err), 0);
    assert_int_equal(read_back(f, "a"), 0);
    length = f->seen.length;
    assert_memory_equal(f->seen.data + length - 6, " 2999;", 6);
}

static void what_is_not_put_in_place_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    struct counts_writer writer = {0};

    assert_int_equal(counts_writer_open(&writer, f->path, SLICE("a"), &f->err), 0);
    counts_writer_add(&writer, SLICE("b"), 1);
    counts_writer_done(&writer);
    assert_int_equal(files_in(f->folder), 0);
}

static void a_folder_that_is_not_there_is_named(void **state)
{
    struct fixture *f = *state;
    struct counts_writer writer = {0};

    assert_int_equal(counts_writer_open(&writer, "/nowhere/at/all", SLICE("a"), &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_IO);
    assert_string_equal(f->err.message, "write /nowhere/at/all: No such file or directory");
    counts_writer_done(&writer);
}

static void a_full_disk_is_told_when_it_is_to_be_put_in_place(void **state)
{
    struct fixture *f = *state;
    SCOPED(counts_writer_done) struct counts_writer writer = {0};

    assert_int_equal(counts_writer_open(&writer, f->path, SLICE("a"), &f->err), 0);
    close(writer.descriptor);
    writer.descriptor = fileno(fopen("/dev/full", "w"));
    counts_writer_add(&writer, SLICE("b"), 1);
    assert_int_equal(counts_writer_commit(&writer, &f->err), -1);
    assert_non_null(strstr(f->err.message, "No space left on device"));
    assert_int_equal(access(f->path, F_OK), -1);
}

static void a_file_that_is_not_there_is_missing(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_back(f, "serde"), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
}

static void a_file_that_cannot_be_read_is_neither_missing_nor_damaged(void **state)
{
    struct fixture *f = *state;

    /* A regular file whose first page is none of the process. */
    assert_int_equal(counts_read("/proc/self/mem", SLICE("a"), see, &f->seen, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_IO);
}

static void a_folder_in_its_place_is_a_damaged_one(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(counts_read(f->folder, SLICE("a"), see, &f->seen, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
}

static void another_version_and_another_crate_are_told(void **state)
{
    struct fixture *f = *state;

    write_sample(f);
    assert_int_equal(read_back(f, "other"), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_non_null(strstr(f->err.message, ": counts of another crate"));
    assert_int_equal(
        counts_parse(SLICE("cargo-llvmlines counts 2\n\1a"), "x", SLICE("a"), see, &f->seen, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_string_equal(f->err.message, "x: not counts, or of another version");
}

static void every_damaged_byte_and_every_cut_is_seen(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text content = {0};

    write_sample(f);
    assert_int_equal(file_read(f->path, 1000, &content, &f->err), 0);
    for (size_t i = 0; i < content.length; i++) {
        content.data[i] ^= 1;
        assert_int_equal(counts_parse(text_slice(&content), "x", SLICE("serde"), see, &f->seen, &f->err), -1);
        assert_int_equal(f->err.kind, ERROR_FORMAT);
        content.data[i] ^= 1;
        assert_int_equal(counts_parse(slice_range(text_slice(&content), 0, i), "x", SLICE("serde"), see,
                                      &f->seen, &f->err),
                         -1);
    }
    assert_int_equal(f->seen.length, 0);
}

/* `body` behind the header, with the right hash. */
static int parse_with_hash(struct fixture *f, struct slice body)
{
    SCOPED(text_done) struct text content = {0};
    uint64_t hash = 0xcbf29ce484222325U;

    text_add_string(&content, "cargo-llvmlines counts 1\n");
    text_add(&content, body);
    for (size_t i = 0; i < content.length; i++)
        hash = (hash ^ (unsigned char)content.data[i]) * 0x100000001b3U;
    for (int i = 0; i < 8; i++)
        text_add_byte(&content, (char)(hash >> (8 * i)));
    text_clear(&f->seen);
    return counts_parse(text_slice(&content), "x", SLICE("a"), see, &f->seen, &f->err);
}

static void a_right_hash_does_not_make_wrong_content_right(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(parse_with_hash(f, SLICE("\1a"
                                              "\1f\3"
                                              "\0\1")),
                     0);
    assert_string_equal(text_string(&f->seen), "f 3;");
    assert_int_equal(parse_with_hash(f, SLICE("\1a"
                                              "\1f\3"
                                              "\0\2")),
                     -1); /* one function, not two */
    assert_int_equal(parse_with_hash(f, SLICE("\1a"
                                              "\1f\3")),
                     -1); /* no end */
    assert_int_equal(parse_with_hash(f, SLICE("\1a"
                                              "\1f\3"
                                              "\0\1x")),
                     -1); /* more behind the end */
    assert_int_equal(parse_with_hash(f, SLICE("\1a"
                                              "\x7f"
                                              "f\3"
                                              "\0\1")),
                     -1); /* a name that is too long */
    assert_int_equal(parse_with_hash(f, SLICE("\x05"
                                              "a")),
                     -1);
    assert_int_equal(parse_with_hash(f, SLICE("\1a"
                                              "\1f\xff\xff\xff\xff\xff\xff\xff\xff\xff\1"
                                              "\0\1")),
                     -1);
    assert_string_equal(f->err.message, "x: damaged");
    assert_int_equal(f->seen.length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_written_is_read_back, setup, teardown),
        cmocka_unit_test_setup_teardown(a_unit_without_functions_is_whole, setup, teardown),
        cmocka_unit_test_setup_teardown(many_functions_are_written_as_they_come, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_not_put_in_place_leaves_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(a_folder_that_is_not_there_is_named, setup, teardown),
        cmocka_unit_test_setup_teardown(a_full_disk_is_told_when_it_is_to_be_put_in_place, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_that_is_not_there_is_missing, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_that_cannot_be_read_is_neither_missing_nor_damaged, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_folder_in_its_place_is_a_damaged_one, setup, teardown),
        cmocka_unit_test_setup_teardown(another_version_and_another_crate_are_told, setup, teardown),
        cmocka_unit_test_setup_teardown(every_damaged_byte_and_every_cut_is_seen, setup, teardown),
        cmocka_unit_test_setup_teardown(a_right_hash_does_not_make_wrong_content_right, setup, teardown),
    };

    return cmocka_run_group_tests_name("counts", tests, NULL, NULL);
}
