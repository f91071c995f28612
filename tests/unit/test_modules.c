#include "cmocka_all.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/text.h"
#include "elf/build_id.h"
#include "process/modules.h"
#include "process/vdso.h"

static void a_file_is_one_module_however_often_it_is_mapped(void **state)
{
    struct modules modules = {0};
    uint32_t first = modules_add(&modules, SLICE("/bin/a"), SLICE("id1"), (struct file_seen){0}, 0);

    (void)state;
    assert_int_equal(modules_add(&modules, SLICE("/bin/a"), SLICE("id1"), (struct file_seen){0}, 0), first);
    assert_int_not_equal(modules_add(&modules, SLICE("/bin/a"), SLICE("id2"), (struct file_seen){0}, 0),
                         first);
    assert_int_not_equal(modules_add(&modules, SLICE("/bin/b"), SLICE("id1"), (struct file_seen){0}, 0),
                         first);
    modules_done(&modules);
}

/* The file offset and the address of this function in its file. */
static void assert_reads_itself(struct modules *modules, struct slice build_id, bool is_readable)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
    const struct module *module = NULL;

    assert_true(length > 0);
    module = modules_open(modules, modules_add(modules, (struct slice){path, (size_t)length}, build_id,
                                               (struct file_seen){0}, 0));
    assert_int_equal(module->is_readable, is_readable);
    assert_int_equal(module->is_program, is_readable);
    assert_int_equal(module->code.count > 0, is_readable);
    assert_int_equal(module->frames != NULL, is_readable);
}

/* glibc's can be started by itself. */
static void the_c_library_is_no_program(void **state)
{
    struct modules modules = {0};
    Dl_info library;

    (void)state;
    assert_true(dladdr((const void *)gnu_get_libc_version, &library) != 0);
    assert_false(modules_open(&modules, modules_add(&modules, slice_of(library.dli_fname), (struct slice){0},
                                                    (struct file_seen){0}, 0))
                     ->is_program);
    modules_done(&modules);
}

/* Whether both ways to the code's bytes lead to the same ones. */
static void assert_reads(const struct module *module, const struct module_code *code, uint64_t offset,
                         size_t length, const struct text *file)
{
    char read[8192];

    assert_true(length <= sizeof(read));
    assert_true(module_read_code(module, code->svma + offset, length, read));
    assert_memory_equal(read, file->data + code->file_offset + offset, length);
}

static void code_is_read_to_its_last_byte_in_any_order(void **state)
{
    enum { SOME = 9, MANY = 8192, STEP = 997 };
    SCOPED(text_done) struct text file = {0};
    struct modules modules = {0};
    struct error err = {0};
    Dl_info library;
    const struct module *module = NULL;
    char read[MANY];

    (void)state;
    assert_true(dladdr((const void *)gnu_get_libc_version, &library) != 0);
    assert_int_equal(file_read_regular(library.dli_fname, SIZE_MAX, &file, &err), 0);
    module = modules_open(&modules, modules_add(&modules, slice_of(library.dli_fname), (struct slice){0},
                                                (struct file_seen){0}, 0));
    assert_true(module->code.count > 0);
    for (size_t i = 0; i < module->code.count; i++) {
        const struct module_code *code = &module->code.items[i];
        uint64_t end = code->size_bytes;

        if (end < SOME)
            continue;
        for (uint64_t at = 0; at <= end - SOME; at += STEP) {
            assert_reads(module, code, at, SOME, &file);
            assert_reads(module, code, end - SOME - at, SOME, &file);
        }
        if (end >= MANY)
            assert_reads(module, code, end - MANY, MANY, &file);
        assert_reads(module, code, end - SOME, SOME, &file);
        assert_false(module_read_code(module, code->svma + end - SOME, SOME + 1, read));
        assert_reads(module, code, 0, 1, &file);
    }
    modules_done(&modules);
}

static void a_module_is_opened_with_its_code_and_rows(void **state)
{
    struct modules modules = {0};
    const struct module *module = NULL;
    uint64_t svma = 0;

    (void)state;
    assert_reads_itself(&modules, (struct slice){0}, true);
    module = &modules.items.items[0];
    for (size_t i = 0; i < module->code.count; i++) {
        const struct module_code *code = &module->code.items[i];

        assert_true(module_svma(module, code->file_offset + code->size_bytes - 1, &svma));
        assert_int_equal(svma, code->svma + code->size_bytes - 1);
    }
    assert_false(module_svma(module, UINT64_MAX, &svma));
    modules_done(&modules);
}

static void where_a_program_begins_is_outermost_without_frame_information(void **state)
{
    struct module module = {.entry_svma = 0x1000};
    uint32_t return_register = 0;

    (void)state;
    assert_null(module_rule(&module, 0xfff, &return_register));
    assert_int_equal(module_rule(&module, 0x1000, &return_register)->return_rule, CFI_UNDEFINED);
    assert_int_equal(module_rule(&module, 0x107f, &return_register)->return_rule, CFI_UNDEFINED);
    assert_null(module_rule(&module, 0x1080, &return_register));
    module.entry_svma = 0;
    assert_null(module_rule(&module, 0x10, &return_register));
}

static void a_file_that_was_built_anew_is_not_taken(void **state)
{
    struct modules modules = {0};

    (void)state;
    assert_reads_itself(&modules, SLICE("another build id"), false);
    modules_done(&modules);
}

/* The file as it is now, mapped `ago_ns` before. */
static struct file_seen seen_before(const char *path, uint64_t ago_ns)
{
    struct stat file;

    assert_int_equal(stat(path, &file), 0);
    return (struct file_seen){file.st_ino, clock_now_ns() - ago_ns, 0};
}

static void write_at(const char *path, const char *content)
{
    struct error err = {0};

    assert_int_equal(file_replace(path, slice_of(content), &err), 0);
}

static void a_file_is_another_when_it_came_or_changed_after_it_was_mapped(void **state)
{
    enum { HOUR = 3600 };
    const uint64_t hour_ns = UINT64_C(1000000000) * HOUR;
    char path[] = "/tmp/processes_XXXXXX";
    int descriptor = mkstemp(path);
    struct file_seen seen;
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_nsec = UTIME_OMIT}};
    struct stat before;
    struct stat now;

    (void)state;
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_int_equal(stat(path, &before), 0);
    seen = seen_before(path, 0);
    assert_false(file_is_later(&seen, &before));
    seen = seen_before(path, hour_ns);
    assert_true(file_is_later(&seen, &before)); /* written to since */
    times[1] = (struct timespec){.tv_sec = before.st_mtim.tv_sec - 2 * HOUR};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    assert_int_equal(stat(path, &now), 0);
    assert_false(file_is_later(&seen, &now)); /* only a link, or a right, was added */
    assert_true(file_differs(&before, &now));
    assert_false(file_differs(&now, &now));
    seen.inode++;
    assert_true(file_is_later(&seen, &now)); /* another was put there */
    seen.inode = 0;
    assert_false(file_is_later(&seen, &now));
    seen = (struct file_seen){now.st_ino + 1, 0, 0};
    assert_false(file_is_later(&seen, &now));
    write_at(path, "another");
    assert_int_equal(stat(path, &before), 0);
    assert_true(file_differs(&before, &now));
    unlink(path);
}

static void another_inode_tells_another_file_whatever_the_clock_says(void **state)
{
    int descriptor = open("/proc/self/exe", O_RDONLY);
    struct statfs system;
    struct stat now;
    bool is_another = false;

    (void)state;
    assert_int_equal(fstat(descriptor, &now) | fstatfs(descriptor, &system), 0);
    assert_false(file_has_another_inode(&(struct file_seen){.inode = now.st_ino}, descriptor, &now));
    is_another = file_has_another_inode(&(struct file_seen){.inode = now.st_ino + 1}, descriptor, &now);
    assert_int_equal(is_another, system.f_type != OVERLAYFS_SUPER_MAGIC);
    close(descriptor);
}

static void without_a_build_id_the_inode_tells_files_apart(void **state)
{
    struct modules modules = {0};
    struct file_seen one = {1, 5, 0};
    uint32_t first = modules_add(&modules, SLICE("/bin/a"), SLICE(""), one, 0);

    (void)state;
    assert_int_equal(modules_add(&modules, SLICE("/bin/a"), SLICE(""), (struct file_seen){1, 9, 0}, 0),
                     first);
    assert_int_equal(modules.items.items[first].seen.time_ns, 5);
    assert_int_not_equal(modules_add(&modules, SLICE("/bin/a"), SLICE(""), (struct file_seen){2, 9, 0}, 0),
                         first);
    assert_int_equal(modules_add(&modules, SLICE("/bin/a"), SLICE("id"), (struct file_seen){1, 9, 0}, 0),
                     modules_add(&modules, SLICE("/bin/a"), SLICE("id"), (struct file_seen){2, 9, 3}, 0));
    modules_done(&modules);
}

/* Each tmpfs counts its inodes from the same number on. */
static void so_does_the_device(void **state)
{
    struct modules modules = {0};
    uint32_t first = modules_add(&modules, SLICE("/bin/a"), SLICE(""), (struct file_seen){2, 5, 3}, 0);

    (void)state;
    assert_int_equal(modules_add(&modules, SLICE("/bin/a"), SLICE(""), (struct file_seen){2, 9, 3}, 0),
                     first);
    assert_int_not_equal(modules_add(&modules, SLICE("/bin/a"), SLICE(""), (struct file_seen){2, 9, 4}, 0),
                         first);
    modules_done(&modules);
}

/* A file of our own code without a build id: that of this program with its note's type made another one. */
static void write_without_build_id(const char *path)
{
    enum { MOST_BYTES = 64 << 20 };
    struct error err = {0};
    SCOPED(text_done) struct text bytes = {0};
    size_t at = 0;

    assert_int_equal(file_read("/proc/self/exe", MOST_BYTES, &bytes, &err), 0);
    /* NT_GNU_BUILD_ID, whose section is near the start: elf(5), "Notes (Nhdr)". */
    at = slice_find(text_slice(&bytes), SLICE("\3\0\0\0GNU"));
    if (at < bytes.length)
        bytes.data[at] = '\x77';
    assert_int_equal(file_replace(path, text_slice(&bytes), &err), 0);
}

static void append_to(const char *path)
{
    int descriptor = open(path, O_WRONLY | O_APPEND);

    assert_int_equal(write(descriptor, "x", 1), 1);
    close(descriptor);
}

static void a_file_that_was_written_to_is_another_when_it_is_mapped_again(void **state)
{
    char path[] = "/tmp/modules_XXXXXX";
    struct modules modules = {0};
    struct file_seen seen;
    uint32_t first = 0;
    uint32_t second = 0;
    int descriptor = mkstemp(path);

    (void)state;
    close(descriptor);
    write_without_build_id(path);
    seen = (struct file_seen){.inode = seen_before(path, 0).inode, .time_ns = UINT64_MAX / 4};
    first = modules_add(&modules, slice_of(path), SLICE(""), seen, 0);
    assert_int_equal(modules_add(&modules, slice_of(path), SLICE(""), seen, 0), first);
    assert_true(modules_open(&modules, first)->is_readable);
    assert_int_equal(modules.items.items[first].build_id.length, 0);
    assert_int_equal(modules_add(&modules, slice_of(path), SLICE(""), seen, 0), first);
    assert_false(module_was_replaced(&modules.items.items[first]));
    append_to(path);
    second = modules_add(&modules, slice_of(path), SLICE(""), seen, 0);
    assert_int_not_equal(second, first);
    assert_int_equal(modules_add(&modules, slice_of(path), SLICE(""), seen, 0), second);
    assert_true(modules_open(&modules, second)->is_readable);
    unlink(path);
    assert_true(module_was_replaced(&modules.items.items[first]));
    assert_false(module_was_replaced(&modules.items.items[second]));
    assert_true(module_is_unlinked(&modules.items.items[second]));
    modules_done(&modules);
}

static void memory_that_looks_like_a_file_is_none(void **state)
{
    (void)state;
    assert_false(module_is_file(&(struct module){.path = SLICE("/memfd:doublemapper (deleted)")}));
    assert_false(module_is_file(&(struct module){.path = SLICE("/SYSV00000000 (deleted)")}));
    assert_true(module_is_file(&(struct module){.path = SLICE("/usr/lib/libc.so.6")}));
}

static void a_file_that_is_not_there_has_no_code(void **state)
{
    struct modules modules = {0};
    const struct module *module = NULL;
    uint64_t svma = 0;

    (void)state;
    module = modules_open(&modules,
                          modules_add(&modules, SLICE("/not/there"), SLICE(""), (struct file_seen){0}, 0));
    assert_false(module->is_readable);
    assert_false(module->is_denied);
    assert_false(module_svma(module, 0, &svma));
    assert_null(module->frames);
    modules_done(&modules);
}

static void the_vdso_is_read_from_memory(void **state)
{
    struct modules modules = {0};
    const struct module *module = NULL;

    (void)state;
    module =
        modules_open(&modules, modules_add(&modules, SLICE("[vdso]"), SLICE(""), (struct file_seen){0}, 0));
    assert_true(module->is_vdso);
    assert_true(module->code.count > 0);
    assert_non_null(module->frames);
    modules_done(&modules);
}

/* Writes a vdso with that build id, which differs from ours, to where perf keeps it. */
static void keep_vdso(const char *folder, struct slice build_id)
{
    SCOPED(text_done) struct text bytes = {0};
    SCOPED(text_done) struct text path = {0};
    struct image ours;
    struct error err = {0};
    size_t at = 0;

    text_add(&bytes, vdso_bytes());
    assert_int_equal(image_open_bytes(vdso_bytes(), "[vdso]", &ours, &err), 0);
    assert_int_equal(ours.build_id.length, build_id.length);
    at = slice_find(text_slice(&bytes), ours.build_id);
    assert_true(at < bytes.length);
    memcpy(bytes.data + at, build_id.data, build_id.length);
    image_close(&ours);
    text_add_string(&path, folder);
    build_id_add_path(&path, build_id);
    assert_int_equal(folder_make(text_string(&path), &err), 0);
    text_add_string(&path, "/vdso");
    assert_int_equal(file_replace(text_string(&path), text_slice(&bytes), &err), 0);
}

static void that_of_another_kernel_is_perfs_copy(void **state)
{
    char folder[] = "/tmp/test_modules.XXXXXX";
    const struct slice build_id = SLICE("0123456789abcdefghij");
    SCOPED(text_done) struct text command = {0};
    struct modules modules = {0};
    const struct module *module = NULL;
    uint32_t id = modules_add(&modules, SLICE("[vdso]"), build_id, (struct file_seen){0}, 0);

    (void)state;
    assert_non_null(mkdtemp(folder));
    keep_vdso(folder, build_id);
    modules.places.copies = folder;
    module = modules_open(&modules, id);
    assert_true(module->is_vdso);
    assert_true(module->code.count > 0);
    assert_true(slice_ends_with(module->found_at, SLICE("/vdso")));
    modules_done(&modules);

    modules = (struct modules){0};
    id = modules_add(&modules, SLICE("[vdso]"), build_id, (struct file_seen){0}, 0);
    assert_int_equal(modules_open(&modules, id)->code.count, 0);
    modules_done(&modules);
    text_format(&command, "rm -r %s", folder);
    assert_int_equal(system(text_string(&command)), 0); /* NOLINT(cert-env33-c): a folder of our own name */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_one_module_however_often_it_is_mapped),
        cmocka_unit_test(the_c_library_is_no_program),
        cmocka_unit_test(code_is_read_to_its_last_byte_in_any_order),
        cmocka_unit_test(a_module_is_opened_with_its_code_and_rows),
        cmocka_unit_test(where_a_program_begins_is_outermost_without_frame_information),
        cmocka_unit_test(a_file_that_was_built_anew_is_not_taken),
        cmocka_unit_test(a_file_is_another_when_it_came_or_changed_after_it_was_mapped),
        cmocka_unit_test(another_inode_tells_another_file_whatever_the_clock_says),
        cmocka_unit_test(without_a_build_id_the_inode_tells_files_apart),
        cmocka_unit_test(so_does_the_device),
        cmocka_unit_test(a_file_that_was_written_to_is_another_when_it_is_mapped_again),
        cmocka_unit_test(memory_that_looks_like_a_file_is_none),
        cmocka_unit_test(a_file_that_is_not_there_has_no_code),
        cmocka_unit_test(the_vdso_is_read_from_memory),
        cmocka_unit_test(that_of_another_kernel_is_perfs_copy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
