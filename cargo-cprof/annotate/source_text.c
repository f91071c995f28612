#include "annotate/source_text.h"

#include "base/file.h"
#include "base/scan.h"
#include "proc/run.h"

#define REMAPPED "/rustc/" /* --remap-path-prefix of how Rust's own libraries are built */
#define INSTALLED "/lib/rustlib/src/rust"

enum { SOURCE_MOST_BYTES = 64 << 20, ANSWER_MOST_BYTES = 1 << 16 };

void source_finder_done(struct source_finder *finder)
{
    text_done(&finder->root);
    text_done(&finder->commit);
}

void source_text_done(struct source_text *source)
{
    text_done(&source->content);
    vec_done(&source->lines);
}

/* What `rustc ARGUMENT...` prints; nothing where it does not succeed. */
static void ask_rustc(const char *const *argv, struct text *out)
{
    struct spawn what = {.argv = argv, .input = SPAWN_NULL, .error = SPAWN_NULL};
    struct process_status status = {0};
    struct error unasked = {0};

    if (run_capture(&what, ANSWER_MOST_BYTES, out, &status, &unasked) < 0 || status.exit_code != 0)
        text_clear(out);
}

static void ask(struct source_finder *finder)
{
    static const char *const version[] = {"rustc", "-vV", NULL};
    static const char *const sysroot[] = {"rustc", "--print", "sysroot", NULL};
    SCOPED(text_done) struct text answer = {0};
    struct scan scan;
    struct slice line = {0};

    if (finder->was_asked)
        return;
    finder->was_asked = true;
    ask_rustc(version, &answer);
    for (scan = scan_of(text_slice(&answer)); scan_line(&scan, &line);)
        if (slice_starts_with(line, SLICE("commit-hash: ")))
            text_add(&finder->commit,
                     slice_trim(slice_range(line, SLICE("commit-hash: ").length, line.length)));
    text_clear(&answer);
    ask_rustc(sysroot, &answer);
    text_add(&finder->root, slice_trim(text_slice(&answer)));
    text_add_string(&finder->root, INSTALLED);
}

/* As rustc --version tells it. */
static struct slice short_commit(struct slice commit)
{
    enum { SHORT = 9 };

    return slice_range(commit, 0, commit.length < SHORT ? commit.length : SHORT);
}

/* Appends where the source of Rust's own is here that was built as `path`. */
static int find_installed(struct source_finder *finder, struct slice path, struct text *out,
                          struct error *err)
{
    struct slice rest = slice_range(path, SLICE(REMAPPED).length, path.length);
    struct slice commit = slice_range(rest, 0, slice_find_byte(rest, '/'));

    ask(finder);
    if (finder->commit.length == 0)
        return error_set(err, ERROR_MISSING, "rustc, which tells where it is, does not start here");
    if (!slice_equal(commit, text_slice(&finder->commit)))
        return error_set(err, ERROR_MISSING,
                         "it is of another compiler, of commit %.*s, than rustc starts here, of %.*s",
                         SLICE_ARGUMENTS(short_commit(commit)),
                         SLICE_ARGUMENTS(short_commit(text_slice(&finder->commit))));
    text_add(out, text_slice(&finder->root));
    text_add(out, slice_range(rest, commit.length, rest.length));
    return 0;
}

static void split(struct source_text *source)
{
    struct scan scan = scan_of(text_slice(&source->content));
    struct slice line = {0};

    while (scan_line(&scan, &line)) {
        if (slice_ends_with(line, SLICE("\r")))
            line.length--;
        *vec_add(&source->lines) = line;
    }
}

static int read_source(struct source_finder *finder, struct slice path, struct source_text *out,
                       struct error *err)
{
    SCOPED(text_done) struct text place = {0};
    bool is_installed = slice_starts_with(path, SLICE(REMAPPED));

    out->is_rusts = is_installed;
    if (is_installed && find_installed(finder, path, &place, err) < 0)
        return -1;
    if (!is_installed)
        text_add(&place, path);
    if (file_read_regular(text_string(&place), SOURCE_MOST_BYTES, &out->content, err) < 0) {
        if (is_installed)
            error_hint(err, "it is installed by: rustup component add rust-src");
        return -1;
    }
    if (!is_installed)
        out->changed_unix_ns = file_changed_unix_ns(text_string(&place));
    return 0;
}

void source_text_read(struct source_finder *finder, struct slice path, struct source_text *out)
{
    *out = (struct source_text){0};
    if (read_source(finder, path, out, &out->problem) == 0)
        split(out);
}

struct slice source_text_line(const struct source_text *source, uint32_t line)
{
    return line >= 1 && line <= source->lines.count ? source->lines.items[line - 1] : (struct slice){0};
}
