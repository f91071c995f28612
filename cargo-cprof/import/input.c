#include "import/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/scan.h"
#include "import/folded.h"
#include "import/input_file.h"
#include "import/perf_import.h"
#include "import/pprof.h"
#include "profile/profile_file.h"
#include "sampler/perf_data/header.h"

#define PROFILE_MOST_BYTES ((size_t)1 << 33)

static const struct {
    struct slice start;
    const char *what;
    const char *hint;
} foreign[] = {
    {{"\177ELF", 4}, "a program", "cargo cprof exec -- PROGRAM records one"},
    {{"<?xml", 5}, "a picture already", "open it in a browser; pictures are drawn from folded stacks"},
    {{"<svg", 4}, "a picture already", "open it in a browser; pictures are drawn from folded stacks"},
};

/* Whether whoever named the file so takes it for a profile file. */
static bool is_named_profile(const char *name)
{
    return slice_ends_with(input_file_plain_name(name), SLICE(".cprof"));
}

/* What the file's start shows to be JSON: an object with a name, or a list of such. A call may begin with a
 * brace. */
static bool is_json(struct slice start)
{
    struct scan scan = scan_of(slice_trim(start));

    if (scan_byte(&scan, '['))
        scan_skip_any(&scan, " \t\r\n");
    if (!scan_byte(&scan, '{'))
        return false;
    scan_skip_any(&scan, " \t\r\n");
    return scan_byte(&scan, '"');
}

static int refuse(const char *name, const char *what, const char *hint, struct error *err)
{
    error_hint(err, "%s", hint);
    return error_set(err, ERROR_FORMAT, "%s is %s, not %s", name, what,
                     is_named_profile(name) ? "a profile" : "folded stacks");
}

/* Refuses what other programs read. */
static int check_start(const char *name, struct slice start, struct error *err)
{
    for (size_t i = 0; i < ARRAY_COUNT(foreign); i++)
        if (slice_starts_with(start, foreign[i].start))
            return refuse(name, foreign[i].what, foreign[i].hint, err);
    if (unpacker_kind(start))
        return refuse(name, "packed more than once", "unpack it once, and name what that leaves", err);
    if (is_json(start))
        return refuse(name, "JSON",
                      "what is read is a .cprof, perf.data, folded stacks or a profile of pprof; one in JSON "
                      "is opened at "
                      "profiler.firefox.com or "
                      "speedscope.app: keep a .cprof beside it",
                      err);
    return 0;
}

/* What files hold, gathered. */
struct gathered {
    struct folded_import folded;
    struct text profile; /* a profile file's bytes; empty when there is none */
    struct profile made; /* of a file of perf's or of pprof's, */
    bool has_made;       /* if there is one */
    const char *root;    /* as of perf_import, */
    bool has_used_root;  /* which took it */
    struct input_losses losses;
};

static void gathered_done(struct gathered *gathered)
{
    folded_import_done(&gathered->folded);
    text_done(&gathered->profile);
    if (gathered->has_made)
        profile_done(&gathered->made);
}

static void add_left_out(struct input_lines *lines, uint64_t count, uint64_t first_number, const char *name)
{
    lines->count = count;
    if (first_number == 0 || lines->first_number > 0)
        return;
    lines->first_number = first_number;
    lines->first_file = name;
}

/* Of the file that has ended, beside those before it. */
static void add_losses(struct input_losses *losses, const struct folded_import *folded, const char *name)
{
    losses->line_count = folded->line_count;
    losses->fraction_count = folded->fraction_count;
    losses->beyond_count = folded->beyond_count;
    add_left_out(&losses->bad, folded->bad_count, folded->first_bad_number, name);
    add_left_out(&losses->too_long, folded->long_count, folded->first_long_number, name);
}

static int read_folded(struct input_file *file, struct slice part, struct gathered *out, struct error *err)
{
    struct folded_import *folded = &out->folded;

    if (slice_find_byte(part, '\0') < part.length)
        return error_set(err, ERROR_FORMAT, "%s holds no folded stacks: it is no text", file->name);
    while (part.length > 0) {
        folded_import_add(folded, part);
        if (input_file_next(file, &part, err) < 0)
            return -1;
    }
    if (folded_import_end_file(folded, err) < 0)
        return error_wrap(err, "%s", file->name);
    add_losses(&out->losses, folded, file->name);
    return 0;
}

static int refuse_as_profile(const char *name, const char *why, struct error *err)
{
    error_hint(err, "copy it again from where it was written, or record again");
    return error_set(err, ERROR_FORMAT, "%s is no profile: %s", name, why);
}

/* Editors of other systems begin a text with it: it is no part of the first name. */
static struct slice without_byte_order_mark(struct slice text)
{
    struct slice mark = SLICE("\xef\xbb\xbf");

    return slice_starts_with(text, mark) ? slice_range(text, mark.length, text.length) : text;
}

/* Whether a line is a call as perf script writes it: "\t    55d0c0ffee work+0x12 (/usr/bin/app)". */
static bool has_calls_of_perf(struct slice text)
{
    struct scan scan = scan_of(text);
    struct slice line = {0};

    while (scan_line(&scan, &line)) {
        struct scan call = scan_of(line);
        uint64_t address = 0;

        if ((scan_byte(&call, '\t') || scan_byte(&call, ' ')) && scan_skip_any(&call, " ") &&
            scan_hex(&call, &address) && scan_byte(&call, ' ') &&
            slice_ends_with(slice_trim(line), SLICE(")")))
            return true;
    }
    return false;
}

/* A file that does not begin as a profile file. */
static int read_text(struct input_file *file, struct slice part, struct gathered *out, struct error *err)
{
    bool is_named = is_named_profile(file->name);
    bool is_of_perf = has_calls_of_perf(part);

    part = without_byte_order_mark(part);
    if (check_start(file->name, part, err) < 0)
        return -1;
    if (is_named && part.length == 0)
        return refuse_as_profile(file->name, "there is nothing in it", err);
    if (part.length == 0 && slice_ends_with(input_file_plain_name(file->name), SLICE("perf.data"))) {
        error_hint(err, "perf record leaves it so where it fails: it says why");
        return error_set(err, ERROR_FORMAT, "there is nothing in %s", file->name);
    }
    if (read_folded(file, part, out, err) == 0)
        return 0;
    if (is_of_perf && err->kind == ERROR_FORMAT)
        error_hint(err, "what perf script writes: name the perf.data that it is of, or inferno-collapse-perf "
                        "FILE > FILE.folded, and that");
    return is_named && err->kind == ERROR_FORMAT
               ? refuse_as_profile(file->name, "it does not begin as one", err)
               : -1;
}

/* A second one is refused by the caller, who has the first. */
static void take_made(struct gathered *out, struct profile made)
{
    if (out->has_made)
        profile_done(&out->made);
    out->made = made;
    out->has_made = true;
}

/* It is read here and there: what is packed, or comes through a pipe, has to be kept first. */
static int read_perf_data(struct input_file *file, struct slice part, struct gathered *out, struct error *err)
{
    SCOPED(file_close_descriptor) int kept = -1;
    bool is_stream = file->unpacker || lseek(file->descriptor, 0, SEEK_CUR) < 0;
    struct profile made;

    if (is_stream && input_file_keep(file, part, &kept, err) < 0)
        return -1;
    if (perf_import(is_stream ? kept : file->descriptor, file->name, out->root, &made, &out->losses.perf,
                    err) < 0)
        return -1;
    take_made(out, made);
    out->has_used_root = true;
    return 0;
}

static int read_pprof(struct input_file *file, struct slice part, struct gathered *out, struct error *err)
{
    SCOPED(text_done) struct text content = {0};
    struct profile made;

    if (input_file_rest(file, part, PPROF_MOST_BYTES, &content, err) < 0)
        return -1;
    profile_init(&made);
    if (pprof_read(text_slice(&content), &made, err) < 0) {
        profile_done(&made);
        return error_wrap(err, "%s", file->name);
    }
    take_made(out, made);
    return 0;
}

static int read_all(struct input_file *file, struct gathered *out, struct error *err)
{
    struct slice part = {0};

    if (input_file_next(file, &part, err) < 0)
        return -1;
    if (perf_data_begins(part))
        return read_perf_data(file, part, out, err);
    if (pprof_begins(part))
        return read_pprof(file, part, out, err);
    if (!profile_file_begins(part))
        return read_text(file, part, out, err);
    return input_file_rest(file, part, PROFILE_MOST_BYTES, &out->profile, err);
}

static const char *name_of(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* Of a folder, as perf record --kcore and --threads make it, the file with the records. */
static int open_input(const char *path)
{
    int opened = open(path, O_RDONLY | O_CLOEXEC);
    int inside = -1;
    struct stat about;

    if (opened >= 0 && fstat(opened, &about) == 0 && S_ISDIR(about.st_mode))
        inside = openat(opened, "data", O_RDONLY | O_CLOEXEC);
    if (inside >= 0) {
        close(opened);
        return inside;
    }
    return opened;
}

static int read_file(const char *path, struct gathered *out, struct error *err)
{
    SCOPED(file_close_descriptor) int opened = -1;
    SCOPED(input_file_done) struct input_file file = {.name = name_of(path), .descriptor = STDIN_FILENO};

    if (strcmp(path, "-") != 0) {
        opened = open_input(path);
        if (opened < 0)
            return error_set(err, ERROR_IO, "open %s: %s", path, strerror(errno));
        file.descriptor = opened;
    }
    return read_all(&file, out, err);
}

static int finish_folded(struct folded_import *folded, const char *name, struct profile *profile,
                         struct error *err)
{
    profile_init(profile);
    if (folded_import_finish(folded, profile, err) < 0) {
        profile_done(profile);
        return error_wrap(err, "%s", name);
    }
    return 0;
}

int input_read(const char *const *paths, size_t count, const char *root, struct profile *profile,
               struct input_losses *losses, struct error *err)
{
    SCOPED(gathered_done) struct gathered gathered = {.root = root};

    for (size_t i = 0; i < count; i++) {
        if (read_file(paths[i], &gathered, err) < 0)
            return -1;
        if ((gathered.profile.length > 0 || gathered.has_made) && count > 1) {
            error_hint(err, "two are compared by `cargo cprof diff BASE HEAD`");
            return error_set(err, ERROR_USAGE, "%s is a profile: only folded stacks are taken together",
                             name_of(paths[i]));
        }
    }
    if (root && !gathered.has_used_root) {
        error_hint(err, "leave it out: names are in the file");
        return error_set(err, ERROR_USAGE, "--symfs is for what perf has recorded, which %s is not",
                         name_of(paths[0]));
    }
    *losses = gathered.losses;
    if (gathered.has_made) {
        *profile = gathered.made;
        gathered.has_made = false;
        return 0;
    }
    if (gathered.profile.length == 0) {
        return finish_folded(&gathered.folded, count > 1 ? "these files" : name_of(paths[0]), profile, err);
    }
    if (profile_file_read(&gathered.profile, profile, err) < 0)
        return error_wrap(err, "%s", name_of(paths[0]));
    return 0;
}
