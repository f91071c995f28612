#include "elf/find_debug.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cache_folder.h"
#include "base/file.h"
#include "base/text.h"
#include "elf/build_id.h"
#include "elf/perf_copies.h"

/* Where distributions install debug files. */
#define DEBUG_FOLDER "/usr/lib/debug"

/* The content of .gnu_debuglink. */
struct debug_link {
    struct slice name; /* a file name without folders; empty when there is no link */
    uint32_t checksum;
};

/* The search: what was looked at, and what was found that did not fit. */
struct search {
    struct image *image;
    struct debug_link link;
    struct image *out;
    struct text tried;     /* paths, with ", " between */
    struct error rejected; /* why the first existing candidate was not taken; kind is ERROR_NONE for none */
};

bool find_debug_is_inside(const struct image *image)
{
    static const char *const names[] = {".debug_info", ".zdebug_info"};

    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        const struct section *section = sections_find(&image->sections, slice_of(names[i]));

        if (section && section->file_bytes > 0)
            return true;
    }
    return false;
}

static int read_link(struct image *image, struct debug_link *link, struct error *err)
{
    const struct section *section = sections_find(&image->sections, SLICE(".gnu_debuglink"));
    struct slice content = {0};
    struct bytes cursor;
    struct slice name;

    if (!section)
        return 0;
    if (image_read_section(image, section, &content, err) < 0)
        return -1;
    cursor = image_cursor(image, content);
    name = bytes_string(&cursor);
    bytes_seek(&cursor, (cursor.at + 3) & ~(size_t)3);
    link->checksum = bytes_u32(&cursor);
    /* A name with folders in it would lead anywhere. */
    if (!cursor.failed && slice_find_byte(name, '/') == name.length && name.length <= NAME_MAX)
        link->name = name;
    return 0;
}

struct slice find_debug_link_name(struct image *image)
{
    struct debug_link link = {0};
    struct error unread = {0};

    return read_link(image, &link, &unread) == 0 ? link.name : (struct slice){0};
}

/* CRC-32 as of IEEE 802.3, which the debug link uses. */
static void fill_checksum_table(uint32_t table[256])
{
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
    }
}

static int checksum_file(const char *path, uint32_t *out, struct error *err)
{
    SCOPED(file_close_descriptor) int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    uint32_t table[256];
    unsigned char buffer[16384];
    uint32_t sum = UINT32_MAX;
    ssize_t got = 0;

    fill_checksum_table(table);
    do {
        got = descriptor < 0 ? -1 : read(descriptor, buffer, sizeof(buffer));
        for (ssize_t i = 0; i < got; i++)
            sum = sum >> 8 ^ table[(sum ^ buffer[i]) & 0xff];
    } while (got > 0 || (got < 0 && errno == EINTR));
    if (got < 0)
        return error_set(err, ERROR_IO, "read %s: %s", path, strerror(errno));
    *out = sum ^ UINT32_MAX;
    return 0;
}

/* Whether `candidate` was made from the same link of the program. */
static int check_belongs(const struct search *search, const char *path, const struct image *candidate,
                         struct error *err)
{
    const struct slice wanted = search->image->build_id;
    uint32_t checksum = 0;

    if (wanted.length > 0 && candidate->build_id.length > 0) {
        if (slice_equal(wanted, candidate->build_id))
            return 0;
        return error_set(err, ERROR_FORMAT, "%s does not belong to %s: its build-id is another", path,
                         search->image->name);
    }
    if (search->link.name.length == 0)
        return error_set(err, ERROR_FORMAT, "%s may not belong to %s: it has no build-id", path,
                         search->image->name);
    if (checksum_file(path, &checksum, err) < 0)
        return -1;
    if (checksum != search->link.checksum)
        return error_set(err, ERROR_FORMAT,
                         "%s does not belong to %s: its checksum is %08" PRIx32 " instead of %08" PRIx32,
                         path, search->image->name, checksum, search->link.checksum);
    return 0;
}

/* Tries one path; true when its file was taken. */
static bool try_path(struct search *search, struct text *path)
{
    const char *name = text_string(path);
    struct error err = {0};
    struct image candidate;

    if (search->tried.length > 0)
        text_add_string(&search->tried, ", ");
    text_add_string(&search->tried, name);
    if (access(name, F_OK) != 0)
        return false;
    if (image_open(name, &candidate, &err) == 0) {
        if (check_belongs(search, name, &candidate, &err) == 0) {
            *search->out = candidate;
            return true;
        }
        image_close(&candidate);
    }
    if (search->rejected.kind == ERROR_NONE)
        search->rejected = err;
    return false;
}

/* ROOT/usr/lib/debug/.build-id/ab/cdef....debug. */
static bool try_build_id(struct search *search, struct slice root)
{
    SCOPED(text_done) struct text path = {0};

    text_add(&path, root);
    text_add_string(&path, DEBUG_FOLDER);
    build_id_add_path(&path, search->image->build_id);
    text_add_string(&path, ".debug");
    return try_path(search, &path);
}

/* What was downloaded for gdb, perf and others. An empty file notes that there was none to download. */
static bool try_downloaded(struct search *search)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(text_done) struct text path = {0};
    const char *chosen = getenv("DEBUGINFOD_CACHE_PATH");
    const char *folder = chosen && chosen[0] ? chosen : cache_folder(&arena, "debuginfod_client");
    struct stat file;

    if (!folder)
        return false;
    text_format(&path, "%s/", folder);
    text_add_hex_bytes(&path, search->image->build_id);
    text_add_string(&path, "/debuginfo");
    return (stat(text_string(&path), &file) < 0 || file.st_size > 0) && try_path(search, &path);
}

/* As perf finds it in the system, or the container, that it records on: FOLDER/.build-id/ab/cdef.../debug. */
static bool try_kept_by_perf(struct search *search)
{
    SCOPED(text_done) struct text path = {0};

    perf_copies_add_folder(&path);
    build_id_add_path(&path, search->image->build_id);
    text_add_string(&path, "/debug");
    return try_path(search, &path);
}

/* The file's path where its root is ours. */
static struct slice path_in_root(const struct image *image)
{
    return slice_of(image->place + image->root_length);
}

/* The debug link's name in ROOT + `before` + the file's folder + `after`. */
static bool try_link_in(struct search *search, struct slice root, const char *before, const char *after)
{
    SCOPED(text_done) struct text path = {0};
    struct slice file = path_in_root(search->image);
    size_t folder_end = slice_find_last_byte(file, '/');

    text_add(&path, root);
    text_add_string(&path, before);
    text_add(&path, folder_end == file.length ? SLICE("./") : slice_range(file, 0, folder_end + 1));
    text_add_string(&path, after);
    text_add(&path, search->link.name);
    /* A file may be its own link's name. */
    return !slice_equal(text_slice(&path), slice_of(search->image->place)) &&
           !slice_equal(text_slice(&path), file) && try_path(search, &path);
}

static bool try_link(struct search *search, struct slice root)
{
    return try_link_in(search, root, "", "") || try_link_in(search, root, "", ".debug/") ||
           (slice_starts_with(path_in_root(search->image), SLICE("/")) &&
            try_link_in(search, root, DEBUG_FOLDER, ""));
}

static bool try_all(struct search *search)
{
    const struct image *image = search->image;
    const struct slice ours = SLICE("");
    const struct slice root = {image->place, image->root_length};
    const bool has_root = root.length > 0;
    const bool has_build_id = image->build_id.length > 1;

    return (has_build_id && ((has_root && try_build_id(search, root)) || try_build_id(search, ours))) ||
           (search->link.name.length > 0 &&
            ((has_root && try_link(search, root)) || try_link(search, ours))) ||
           (has_build_id && (try_downloaded(search) || try_kept_by_perf(search)));
}

static int report_nothing(struct search *search, struct error *err)
{
    if (search->rejected.kind != ERROR_NONE) {
        *err = search->rejected;
        return -1;
    }
    error_hint(err, "build with debug information: --config 'profile.release.debug=1'");
    if (search->tried.length == 0)
        return error_set(err, ERROR_MISSING, "%s: no debug information, and nothing that says where it is",
                         search->image->name);
    return error_set(err, ERROR_MISSING, "%s: no debug information, neither inside nor in %s",
                     search->image->name, text_string(&search->tried));
}

int find_debug_open(struct image *image, struct image *out, struct error *err)
{
    struct search search = {.image = image, .out = out};
    int result = 0;

    if (read_link(image, &search.link, err) < 0)
        return -1;
    if (!try_all(&search)) {
        result = report_nothing(&search, err);
    } else {
        out->place = image->place;
        out->root_length = image->root_length;
    }
    text_done(&search.tried);
    return result;
}

void find_debug_add_places(const struct image *image, struct text *out)
{
    text_add_string(out, "neither beside it, nor in .debug there, nor below " DEBUG_FOLDER);
    if (image->root_length > 0)
        text_add_string(out, " of its root folder or ours");
    if (image->build_id.length > 1)
        text_add_string(out, ", nor in the caches of debuginfod and perf");
}
