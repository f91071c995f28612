#include "cmocka_all.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "counts/counts.h"

struct fixture {
    char folder[32];
    char path[64];
    struct unit_counts sample;
    struct unit_counts read;
    struct error err;
};

static void add_symbol(struct unit_counts *counts, const char *symbol)
{
    *vec_add(&counts->symbols) = slice_of(symbol);
}

static void add_node(struct unit_counts *counts, struct counted_node node, size_t use_count,
                     const uint32_t *uses)
{
    node.first_use = counts->uses.count;
    node.use_count = use_count;
    for (size_t i = 0; i < use_count; i++)
        *vec_add(&counts->uses) = uses[i];
    *vec_add(&counts->nodes) = node;
}

/* A vtable, a static, three functions and one of another crate. */
static void fill_sample(struct unit_counts *counts)
{
    counts->crate_name = SLICE("serde");
    counts->crate_disambiguator = 0x8877665544332201U;
    *vec_add(&counts->dependencies) = SLICE("core-0123");
    add_symbol(counts, "\x01"
                       "0");
    add_symbol(counts, "_RNvC1a3one");
    add_symbol(counts, "_RNvC1a3two");
    add_symbol(counts, "_RNvC1a9a_static");
    add_symbol(counts, "_RNvC1b5other");
    add_symbol(counts, "a \"\n");
    add_node(counts, (struct counted_node){.symbol = 0, .kind = COUNTED_DATA}, 1, (const uint32_t[]){2});
    add_node(counts, (struct counted_node){.symbol = 3, .kind = COUNTED_STATIC}, 1, (const uint32_t[]){0});
    add_node(counts,
             (struct counted_node){.symbol = 1, .lines = 5, .switches = 2, .inlining = IR_INLINE_ALWAYS}, 3,
             (const uint32_t[]){0, 2, 4});
    add_node(counts, (struct counted_node){.symbol = 2, .lines = UINT64_C(1) << 62}, 0, NULL);
    add_node(counts, (struct counted_node){.symbol = 5}, 0, NULL);
}

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    *state = f;
    fill_sample(&f->sample);
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
    unit_counts_done(&f->sample);
    unit_counts_done(&f->read);
    free(f);
    return 0;
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

static void assert_same_node(const struct unit_counts *a, const struct unit_counts *b, size_t index)
{
    const struct counted_node *left = &a->nodes.items[index];
    const struct counted_node *right = &b->nodes.items[index];

    assert_int_equal(left->symbol, right->symbol);
    assert_int_equal(left->kind, right->kind);
    assert_int_equal(left->inlining, right->inlining);
    assert_int_equal(left->lines, right->lines);
    assert_int_equal(left->switches, right->switches);
    assert_int_equal(left->use_count, right->use_count);
    for (size_t i = 0; i < left->use_count; i++)
        assert_int_equal(a->uses.items[left->first_use + i], b->uses.items[right->first_use + i]);
}

static void what_was_written_is_read_back(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(counts_save(&f->sample, f->path, &f->err), 0);
    assert_int_equal(files_in(f->folder), 1);
    assert_int_equal(counts_load(f->path, SLICE("serde"), &f->read, &f->err), 0);
    assert_true(slice_is(f->read.crate_name, "serde"));
    assert_true(f->read.crate_disambiguator == 0x8877665544332201U);
    assert_int_equal(f->read.dependencies.count, 1);
    assert_true(slice_is(f->read.dependencies.items[0], "core-0123"));
    assert_int_equal(f->read.symbols.count, f->sample.symbols.count);
    for (size_t i = 0; i < f->sample.symbols.count; i++)
        assert_true(slice_equal(f->read.symbols.items[i], f->sample.symbols.items[i]));
    assert_int_equal(f->read.nodes.count, f->sample.nodes.count);
    for (size_t i = 0; i < f->sample.nodes.count; i++)
        assert_same_node(&f->read, &f->sample, i);
    assert_int_equal(unit_counts_lines(&f->read), (UINT64_C(1) << 62) + 5);
}

static void a_unit_without_functions_is_whole(void **state)
{
    struct fixture *f = *state;
    struct unit_counts empty = {0};

    assert_int_equal(counts_save(&empty, f->path, &f->err), 0);
    assert_int_equal(counts_load(f->path, SLICE(""), &f->read, &f->err), 0);
    assert_int_equal(f->read.nodes.count, 0);
}

static void names_that_begin_alike_take_little_room(void **state)
{
    struct fixture *f = *state;
    SCOPED(unit_counts_done) struct unit_counts counts = {0};
    SCOPED(text_done) struct text content = {0};
    char name[1000];

    memset(name, 'n', sizeof(name));
    for (uint32_t i = 0; i < 500; i++) {
        snprintf(name + 200, sizeof(name) - 200, "%03u", (unsigned)i);
        *vec_add(&counts.symbols) = slice_of(arena_format(&counts.arena, "%s", name));
        add_node(&counts, (struct counted_node){.symbol = i, .lines = i}, 0, NULL);
    }
    counts_encode(&counts, &content);
    assert_true(content.length < 500 * 12);
    assert_int_equal(counts_decode(text_slice(&content), "x", SLICE(""), &f->read, &f->err), 0);
    assert_int_equal(f->read.symbols.items[499].length, 203);
    assert_int_equal(f->read.nodes.items[499].lines, 499);
}

static void a_folder_that_is_not_there_is_named(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(counts_save(&f->sample, "/nowhere/at/all", &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_IO);
    assert_non_null(strstr(f->err.message, "/nowhere/at/all: No such file or directory"));
}

static void a_file_that_is_not_there_is_missing(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(counts_load(f->path, SLICE("serde"), &f->read, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
}

static void a_file_that_cannot_be_read_is_neither_missing_nor_damaged(void **state)
{
    struct fixture *f = *state;

    /* A regular file whose first page is none of the process. */
    assert_int_equal(counts_load("/proc/self/mem", SLICE("a"), &f->read, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_IO);
}

static void a_folder_in_its_place_is_a_damaged_one(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(counts_load(f->folder, SLICE("a"), &f->read, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
}

static void another_version_and_another_crate_are_told(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(counts_save(&f->sample, f->path, &f->err), 0);
    assert_int_equal(counts_load(f->path, SLICE("other"), &f->read, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_non_null(strstr(f->err.message, ": counts of another crate"));
    assert_int_equal(
        counts_decode(SLICE("cargo-llvmlines counts 2\n\1a"), "x", SLICE("a"), &f->read, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_string_equal(f->err.message, "x: not counts, or of another version");
}

static void every_damaged_byte_and_every_cut_is_seen(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text content = {0};

    counts_encode(&f->sample, &content);
    for (size_t i = 0; i < content.length; i++) {
        content.data[i] ^= 1;
        assert_int_equal(counts_decode(text_slice(&content), "x", SLICE("serde"), &f->read, &f->err), -1);
        assert_int_equal(f->err.kind, ERROR_FORMAT);
        content.data[i] ^= 1;
        assert_int_equal(
            counts_decode(slice_range(text_slice(&content), 0, i), "x", SLICE("serde"), &f->read, &f->err),
            -1);
        assert_int_equal(f->read.nodes.count, 0);
    }
}

/* `body` behind the header, the name of the crate and its disambiguator, with the right hash. */
static int decode_with_hash(struct fixture *f, struct slice body)
{
    SCOPED(text_done) struct text content = {0};
    uint64_t hash = 0xcbf29ce484222325U;

    text_add(&content, SLICE("cargo-llvmlines counts 3\n\1a\0\0\0\0\0\0\0\0"));
    text_add(&content, body);
    for (size_t i = 0; i < content.length; i++)
        hash = (hash ^ (unsigned char)content.data[i]) * 0x100000001b3U;
    for (int i = 0; i < 8; i++)
        text_add_byte(&content, (char)(hash >> (8 * i)));
    unit_counts_done(&f->read);
    return counts_decode(text_slice(&content), "x", SLICE("a"), &f->read, &f->err);
}

static void a_right_hash_does_not_make_wrong_content_right(void **state)
{
    /* No dependencies; the symbols "f" and "fg"; then nodes. */
#define SYMBOLS "\0\2\0\1f\1\1g"
    static const struct {
        struct slice body;
        const char *why;
    } wrong[] = {
        {SLICE(SYMBOLS "\1\0\0\3\0\0x"), "more behind the end"},
        {SLICE(SYMBOLS "\2\0\0\3\0\0"), "fewer nodes than told"},
        {SLICE(SYMBOLS "\1\2\0\3\0\0"), "no such symbol"},
        {SLICE(SYMBOLS "\1\0\3\3\0\0"), "no such kind"},
        {SLICE(SYMBOLS "\1\0\x10\3\0\0"), "no such inlining"},
        {SLICE(SYMBOLS "\1\0\0\3\4\0"), "more switches than lines"},
        {SLICE(SYMBOLS "\1\0\1\3\0\0"), "a static with lines"},
        {SLICE(SYMBOLS "\1\0\2\0\0\0"), "data with a symbol of its own"},
        {SLICE(SYMBOLS "\1\0\0\3\0\1\2"), "a use of no symbol"},
        {SLICE(SYMBOLS "\1\0\0\3\0\2\1\0"), "the same use twice"},
        {SLICE(SYMBOLS "\1\0\0\3\0\2\1\1"), "a use past the last symbol"},
        {SLICE("\0\2\0\1f\1\0\0"), "the same symbol twice"},
        {SLICE("\0\2\0\1g\0\1f\0"), "symbols out of order"},
        {SLICE("\0\1\1\1f\0"), "a first symbol that shares"},
        {SLICE("\0\1\0\x7f"
               "f\0"),
         "a symbol that is too long"},
        {SLICE("\1\x7f"
               "f"),
         "a dependency that is too long"},
        {SLICE(SYMBOLS "\1\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\0\0"), "a number that is too long"},
    };
    struct fixture *f = *state;

    assert_int_equal(decode_with_hash(f, SLICE(SYMBOLS "\1\0\0\3\1\2\0\1")), 0);
    for (size_t i = 0; i < ARRAY_COUNT(wrong); i++) {
        if (decode_with_hash(f, wrong[i].body) == 0)
            fail_msg("taken: %s", wrong[i].why);
        assert_string_equal(f->err.message, "x: damaged");
        assert_int_equal(f->read.symbols.count, 0);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_was_written_is_read_back),
        CASE(a_unit_without_functions_is_whole),
        CASE(names_that_begin_alike_take_little_room),
        CASE(a_folder_that_is_not_there_is_named),
        CASE(a_file_that_is_not_there_is_missing),
        CASE(a_file_that_cannot_be_read_is_neither_missing_nor_damaged),
        CASE(a_folder_in_its_place_is_a_damaged_one),
        CASE(another_version_and_another_crate_are_told),
        CASE(every_damaged_byte_and_every_cut_is_seen),
        CASE(a_right_hash_does_not_make_wrong_content_right),
    };

    return cmocka_run_group_tests_name("counts", tests, NULL, NULL);
}
