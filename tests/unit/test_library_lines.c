/* Lines of the C library, which are read when they are asked for. */
#include "cmocka_all.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "elf/image.h"
#include "symbolize/library_lines.h"
#include "symbolize/symbolize.h"

/* Where the function is in the file that it is from, whose path goes to `path`. */
static uint64_t svma_of(void *function, char *path, size_t size)
{
    Dl_info info;
    struct link_map *map = NULL;
    ssize_t length = readlink("/proc/self/exe", path, size - 1);

    assert_true(length > 0);
    path[length] = '\0';
    assert_int_not_equal(dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP), 0);
    return (uint64_t)((uintptr_t)function - map->l_addr);
}

/* As below the folder of --symfs, or in a container. */
static void they_are_read_where_the_file_is_and_not_at_its_path(void **state)
{
    struct profile profile;
    const struct symbolize_request request = {.kernel_symbols = "/dev/null"};
    char path[4096];
    char folder[] = "/tmp/library-lines-XXXXXX";
    char library[sizeof(folder) + sizeof("/libc.so.6")];
    uint64_t svma = svma_of((void *)they_are_read_where_the_file_is_and_not_at_its_path, path, sizeof(path));
    struct image image;
    struct error err = {0};
    uint32_t module = 0;
    uint32_t location = 0;
    const struct profile_frame *frame = NULL;

    (void)state;
    profile_init(&profile);
    assert_non_null(mkdtemp(folder));
    snprintf(library, sizeof(library), "%s/libc.so.6", folder);
    assert_int_equal(symlink(path, library), 0);
    assert_int_equal(image_open(path, &image, &err), 0);
    module = profile_add_module(&profile, MODULE_LIBRARY, SLICE("/nowhere/libc.so.6"), image.build_id);
    image_close(&image);
    profile.modules.items[module].place = profile_string(&profile, slice_of(library));
    location = profile_location(&profile, module, svma);
    symbolize_profile(&profile, &request);
    frame = &profile.frames.items[profile.locations.items[location].first_frame];
    assert_int_equal(frame->line, 0);
    library_lines_add(&profile);
    unlink(library);
    rmdir(folder);
    frame = &profile.frames.items[profile.locations.items[location].first_frame];
    if (profile.modules.items[module].build_id != PROFILE_NO_STRING)
        assert_true(frame->line > 0);
    profile_done(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_read_where_the_file_is_and_not_at_its_path),
    };

    return cmocka_run_group_tests_name("library_lines", tests, NULL, NULL);
}
