#include "cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "elf/find_debug.h"
#include "elf_builder.h"

/* A folder with a program and, in places of each test's choice, debug files. */
struct fixture {
    char root[64];
    struct text path;
    struct image program;
    struct image found;
    struct error err;
};

static const char *path_of(struct fixture *f, const char *name)
{
    text_clear(&f->path);
    text_format(&f->path, "%s/%s", f->root, name);
    return text_string(&f->path);
}

static int begin(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    f->program.descriptor = -1;
    f->found.descriptor = -1;
    snprintf(f->root, sizeof(f->root), "/tmp/test_find_debug.XXXXXX");
    *state = f;
    if (!mkdtemp(f->root) || setenv("DEBUGINFOD_CACHE_PATH", path_of(f, "downloaded"), 1) < 0)
        return -1;
    return setenv("PERF_BUILDID_DIR", path_of(f, "kept"), 1);
}

static void close_files(struct fixture *f)
{
    image_close(&f->found);
    image_close(&f->program);
}

static int end(void **state)
{
    struct fixture *f = *state;
    char command[128];

    snprintf(command, sizeof(command), "rm -r %s", f->root);
    close_files(f);
    text_done(&f->path);
    free(f);
    return system(command); /* NOLINT(cert-env33-c): a folder of our own name */
}

/* With those that it is in. */
static void folder(struct fixture *f, const char *name)
{
    for (const char *end = name; *end; end += strspn(end, "/")) {
        char part[128];

        end += strcspn(end, "/");
        snprintf(part, sizeof(part), "%.*s", (int)(end - name), name);
        assert_true(mkdir(path_of(f, part), 0700) == 0 || errno == EEXIST);
    }
}

/* Writes an ELF file with that build-id (none when empty) and debug link section (none when empty). */
static void file(struct fixture *f, const char *name, const char *build_id, struct slice link)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    SCOPED(text_done) struct text notes = {0};

    text_add(&notes, SLICE("\4\0\0\0\4\0\0\0\3\0\0\0GNU\0"));
    text_add_string(&notes, build_id);
    if (build_id[0])
        builder_section(
            &builder, (struct built_section){.name = ".note", .type = SHT_NOTE, .data = text_slice(&notes)});
    if (link.length > 0)
        builder_section(&builder,
                        (struct built_section){.name = ".gnu_debuglink", .type = SHT_PROGBITS, .data = link});
    assert_int_equal(file_replace(path_of(f, name), builder_finish(&builder), &f->err), 0);
}

static int find(struct fixture *f)
{
    close_files(f);
    assert_int_equal(image_open(path_of(f, "prog"), &f->program, &f->err), 0);
    assert_false(find_debug_is_inside(&f->program));
    return find_debug_open(&f->program, &f->found, &f->err);
}

/* The same of root/bin/prog, as the system knows it whose root folder is `root`. */
static int find_in_root(struct fixture *f)
{
    SCOPED(text_done) struct text root = {0};

    close_files(f);
    text_add_string(&root, path_of(f, "root"));
    assert_int_equal(image_open(path_of(f, "root/bin/prog"), &f->program, &f->err), 0);
    image_set_place(&f->program, text_slice(&root), SLICE("/bin/prog"));
    return find_debug_open(&f->program, &f->found, &f->err);
}

static void assert_found(struct fixture *f, const char *name)
{
    assert_int_equal(find(f), 0);
    assert_string_equal(f->found.name, path_of(f, name));
}

/* CRC-32 of a file of the kind that `file` writes, bit by bit. */
static struct slice link_to(struct fixture *f, const char *name, char *buffer)
{
    SCOPED(text_done) struct text content = {0};
    uint32_t sum = UINT32_MAX;

    assert_int_equal(file_read(path_of(f, name), SIZE_MAX, &content, &f->err), 0);
    for (size_t i = 0; i < content.length; i++) {
        sum ^= (unsigned char)content.data[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
    }
    sum = ~sum;
    memcpy(buffer, "prog.debug\0\0", 12);
    for (int i = 0; i < 4; i++)
        buffer[12 + i] = (char)(sum >> 8 * i);
    return (struct slice){buffer, 16};
}

static void assert_found_in_root(struct fixture *f, const char *name)
{
    assert_int_equal(find_in_root(f), 0);
    assert_string_equal(f->found.name, path_of(f, name));
    assert_string_equal(f->found.place, path_of(f, "root/bin/prog"));
}

static void a_build_id_leads_to_its_file(void **state)
{
    struct fixture *f = *state;

    folder(f, "root/bin");
    folder(f, "root/usr/lib/debug/.build-id/61");
    file(f, "root/bin/prog", "abcd", SLICE(""));
    file(f, "root/usr/lib/debug/.build-id/61/626364.debug", "abcd", SLICE(""));
    assert_found_in_root(f, "root/usr/lib/debug/.build-id/61/626364.debug");
}

static void below_a_root_a_debug_link_is_followed_there(void **state)
{
    struct fixture *f = *state;
    char link[16];

    folder(f, "root/bin/.debug");
    folder(f, "root/usr/lib/debug/bin");
    file(f, "root/usr/lib/debug/bin/prog.debug", "", SLICE(""));
    file(f, "root/bin/prog", "abcd", link_to(f, "root/usr/lib/debug/bin/prog.debug", link));
    assert_found_in_root(f, "root/usr/lib/debug/bin/prog.debug");
    file(f, "root/bin/.debug/prog.debug", "", SLICE(""));
    assert_found_in_root(f, "root/bin/.debug/prog.debug");
    file(f, "root/bin/prog.debug", "", SLICE(""));
    assert_found_in_root(f, "root/bin/prog.debug");
}

static void what_was_downloaded_is_found_last(void **state)
{
    struct fixture *f = *state;
    char link[16];

    folder(f, "downloaded/61626364");
    file(f, "downloaded/61626364/debuginfo", "abcd", SLICE(""));
    file(f, "prog", "abcd", link_to(f, "downloaded/61626364/debuginfo", link));
    assert_found(f, "downloaded/61626364/debuginfo");
    file(f, "prog.debug", "abcd", SLICE(""));
    assert_found(f, "prog.debug");
}

static void what_perf_keeps_is_found_after_that(void **state)
{
    struct fixture *f = *state;

    folder(f, "kept/.build-id/61/626364");
    folder(f, "downloaded/61626364");
    file(f, "kept/.build-id/61/626364/debug", "abcd", SLICE(""));
    file(f, "prog", "abcd", SLICE(""));
    assert_found(f, "kept/.build-id/61/626364/debug");
    file(f, "downloaded/61626364/debuginfo", "abcd", SLICE(""));
    assert_found(f, "downloaded/61626364/debuginfo");
}

static void a_download_that_failed_is_no_file(void **state)
{
    struct fixture *f = *state;

    folder(f, "downloaded/61626364");
    assert_int_equal(file_replace(path_of(f, "downloaded/61626364/debuginfo"), SLICE(""), &f->err), 0);
    file(f, "prog", "abcd", SLICE(""));
    assert_int_equal(find(f), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
}

static void a_debug_link_is_followed_beside_the_program_and_below_it(void **state)
{
    struct fixture *f = *state;
    char link[16];

    folder(f, ".debug");
    file(f, ".debug/prog.debug", "", SLICE(""));
    file(f, "prog", "abcd", link_to(f, ".debug/prog.debug", link));
    assert_found(f, ".debug/prog.debug");
    file(f, "prog.debug", "", SLICE(""));
    assert_found(f, "prog.debug");
}

static void a_file_with_another_build_id_is_refused(void **state)
{
    struct fixture *f = *state;
    char link[16];

    file(f, "prog.debug", "abcx", SLICE(""));
    file(f, "prog", "abcd", link_to(f, "prog.debug", link));
    assert_int_equal(find(f), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_non_null(strstr(f->err.message, "its build-id is another"));
}

static void a_file_with_another_checksum_is_refused(void **state)
{
    struct fixture *f = *state;

    file(f, "prog.debug", "", SLICE(""));
    file(f, "prog", "", SLICE("prog.debug\0\0\1\2\3\4"));
    assert_int_equal(find(f), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_non_null(strstr(f->err.message, "instead of 04030201"));
}

static void a_file_that_is_not_elf_is_refused(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(file_replace(path_of(f, "prog.debug"), SLICE("text"), &f->err), 0);
    file(f, "prog", "", SLICE("prog.debug\0\0\1\2\3\4"));
    assert_int_equal(find(f), -1);
    assert_non_null(strstr(f->err.message, "not an ELF file"));
}

static void where_nothing_is_found_the_places_are_named(void **state)
{
    struct fixture *f = *state;

    file(f, "prog", "abcd", SLICE("prog.debug\0\0\1\2\3\4"));
    assert_int_equal(find(f), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
    assert_non_null(strstr(f->err.message, " /usr/lib/debug/.build-id/61/626364.debug, "));
    assert_non_null(strstr(f->err.message, "/.debug/prog.debug, "));
    assert_non_null(strstr(f->err.message, "/downloaded/61626364/debuginfo"));
    assert_non_null(strstr(f->err.message, "/kept/.build-id/61/626364/debug"));
    assert_true(f->err.hint[0] != '\0');
}

static void below_a_root_ours_is_named_as_well(void **state)
{
    struct fixture *f = *state;

    folder(f, "root/bin");
    file(f, "root/bin/prog", "abcd", SLICE("prog.debug\0\0\1\2\3\4"));
    assert_int_equal(find_in_root(f), -1);
    assert_non_null(strstr(f->err.message, "root/usr/lib/debug/.build-id/61/626364.debug, /usr/lib/debug/"));
    assert_non_null(strstr(f->err.message, "root/usr/lib/debug/bin/prog.debug, "));
    assert_non_null(strstr(f->err.message, " /usr/lib/debug/bin/prog.debug"));
}

static void a_link_into_other_folders_is_not_followed(void **state)
{
    struct fixture *f = *state;

    file(f, "prog", "", SLICE("../prog.d\0\0\0\1\2\3\4"));
    assert_int_equal(find(f), -1);
    assert_non_null(strstr(f->err.message, "nothing that says where it is"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_build_id_leads_to_its_file, begin, end),
        cmocka_unit_test_setup_teardown(a_debug_link_is_followed_beside_the_program_and_below_it, begin, end),
        cmocka_unit_test_setup_teardown(a_file_with_another_build_id_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(a_file_with_another_checksum_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(a_file_that_is_not_elf_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(below_a_root_a_debug_link_is_followed_there, begin, end),
        cmocka_unit_test_setup_teardown(below_a_root_ours_is_named_as_well, begin, end),
        cmocka_unit_test_setup_teardown(what_was_downloaded_is_found_last, begin, end),
        cmocka_unit_test_setup_teardown(what_perf_keeps_is_found_after_that, begin, end),
        cmocka_unit_test_setup_teardown(a_download_that_failed_is_no_file, begin, end),
        cmocka_unit_test_setup_teardown(where_nothing_is_found_the_places_are_named, begin, end),
        cmocka_unit_test_setup_teardown(a_link_into_other_folders_is_not_followed, begin, end),
    };

    return cmocka_run_group_tests_name("find debug", tests, NULL, NULL);
}
