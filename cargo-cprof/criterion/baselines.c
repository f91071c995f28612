#include "criterion/baselines.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/intern.h"
#include "base/units.h"

enum { DEPTH_MAX = 16, FOLDERS_MAX = 100000, FILE_BYTES_MAX = 64 * 1024 * 1024 };

/* One look through the folder. */
struct search {
    const struct criterion_request *request;
    struct criterion_baselines *out;
    struct intern names;       /* of all baselines that were seen */
    VEC(const char *) folders; /* those to be looked into, in the arena; */
    VEC(unsigned) depths;      /* and how deep each lies */
    uint64_t too_deep;         /* folders that are not looked into: below DEPTH_MAX; */
    uint64_t too_many;         /* beyond FOLDERS_MAX */
};

static void search_done(struct search *search)
{
    intern_done(&search->names);
    vec_done(&search->folders);
    vec_done(&search->depths);
}

void criterion_baselines_done(struct criterion_baselines *baselines)
{
    vec_done(&baselines->items);
    vec_done(&baselines->skipped);
    arena_done(&baselines->arena);
}

/* --- Verdicts -------------------------------------------------------------------------- */

static struct ratio ratio_at(const struct criterion_sample *samples, double confidence)
{
    const struct criterion_sample *before = &samples[CRITERION_BEFORE];
    const struct criterion_sample *after = &samples[CRITERION_AFTER];

    return ratio_of_samples(before->times, before->count, after->times, after->count, confidence);
}

static bool is_beyond_noise(struct ratio ratio)
{
    static const double threshold = 0.01;

    return ratio.is_bounded && (ratio.low > 1 + threshold || ratio.high < 1 - threshold);
}

/* No two runs take the same time to the digit in each of their samples. */
static bool is_same_run(const struct criterion_sample *samples)
{
    const struct criterion_sample *before = &samples[CRITERION_BEFORE];
    const struct criterion_sample *after = &samples[CRITERION_AFTER];

    return before->count == after->count &&
           memcmp(before->times, after->times, before->count * sizeof(*before->times)) == 0;
}

static enum criterion_verdict verdict_of(const struct criterion_benchmark *benchmark,
                                         double confidence_among_all)
{
    if (is_same_run(benchmark->samples))
        return CRITERION_SAME_RUN;
    if (!benchmark->ratio.is_bounded)
        return CRITERION_UNKNOWN;
    if (!is_beyond_noise(benchmark->ratio))
        return CRITERION_NOISE;
    if (!is_beyond_noise(ratio_at(benchmark->samples, confidence_among_all)))
        return CRITERION_MAYBE;
    return benchmark->ratio.low > 1 ? CRITERION_SLOWER : CRITERION_FASTER;
}

void criterion_baselines_judge(struct criterion_baselines *baselines, double confidence)
{
    for (size_t i = 0; i < baselines->items.count; i++)
        baselines->items.items[i].verdict =
            verdict_of(&baselines->items.items[i], 1 - (1 - confidence) / (double)baselines->items.count);
}

size_t criterion_baselines_count(const struct criterion_baselines *baselines, enum criterion_verdict verdict)
{
    size_t count = 0;

    for (size_t i = 0; i < baselines->items.count; i++)
        count += baselines->items.items[i].verdict == verdict;
    return count;
}

bool criterion_is_change(const struct criterion_benchmark *benchmark)
{
    return benchmark->verdict == CRITERION_SLOWER || benchmark->verdict == CRITERION_FASTER;
}

/* --- One benchmark --------------------------------------------------------------------- */

/* What is read of one baseline. */
struct saved {
    const char *id;
    struct criterion_sample sample;
    struct criterion_estimate time;
};

static int open_json(const char *path, struct json_document *out, struct error *err)
{
    SCOPED(text_done) struct text content = {0};

    if (file_read_regular(path, FILE_BYTES_MAX, &content, err) < 0)
        return -1;
    if (json_parse(text_slice(&content), FILE_BYTES_MAX, out, err) < 0)
        return error_wrap(err, "%s", path);
    return 0;
}

typedef int read_fn(struct arena *arena, const struct json_document *document, struct saved *out,
                    struct error *err);

static int read_id(struct arena *arena, const struct json_document *document, struct saved *out,
                   struct error *err)
{
    return criterion_read_id(arena, document, &out->id, err);
}

static int read_sample(struct arena *arena, const struct json_document *document, struct saved *out,
                       struct error *err)
{
    return criterion_read_sample(arena, document, &out->sample, err);
}

static int read_time(struct arena *arena, const struct json_document *document, struct saved *out,
                     struct error *err)
{
    (void)arena;
    return criterion_read_time(document, &out->time, err);
}

static int read_saved(struct arena *arena, const char *folder, const char *baseline, struct saved *out,
                      struct error *err)
{
    static const struct {
        const char *name;
        read_fn *read;
    } files[] = {{"benchmark.json", read_id}, {"sample.json", read_sample}, {"estimates.json", read_time}};

    for (size_t i = 0; i < ARRAY_COUNT(files); i++) {
        SCOPED(json_document_done) struct json_document document = {0};
        const char *path = arena_format(arena, "%s/%s/%s", folder, baseline, files[i].name);

        if (open_json(path, &document, err) < 0)
            return -1;
        if (files[i].read(arena, &document, out, err) < 0)
            return error_wrap(err, "%s", path);
    }
    return 0;
}

static int read_benchmark(const struct search *search, const char *folder, struct criterion_benchmark *out,
                          struct error *err)
{
    struct saved saved[CRITERION_SIDES] = {{0}};

    for (size_t i = 0; i < CRITERION_SIDES; i++)
        if (read_saved(&search->out->arena, folder, search->request->baselines[i], &saved[i], err) < 0)
            return -1;
    *out = (struct criterion_benchmark){
        .id = saved[CRITERION_AFTER].id,
        .times = {saved[CRITERION_BEFORE].time, saved[CRITERION_AFTER].time},
        .samples = {saved[CRITERION_BEFORE].sample, saved[CRITERION_AFTER].sample},
    };
    out->ratio = ratio_at(out->samples, search->request->confidence);
    return 0;
}

static bool has_baseline(struct arena *arena, const char *folder, const char *baseline)
{
    return access(arena_format(arena, "%s/%s/benchmark.json", folder, baseline), F_OK) == 0;
}

/* Takes the folder if it is that of a benchmark with the second baseline. */
static void take_benchmark(struct search *search, const char *folder)
{
    struct criterion_baselines *out = search->out;
    struct criterion_benchmark benchmark;
    struct error unread = {0};

    if (!has_baseline(&out->arena, folder, search->request->baselines[CRITERION_AFTER]))
        return;
    if (!has_baseline(&out->arena, folder, search->request->baselines[CRITERION_BEFORE]))
        out->without_before++;
    else if (read_benchmark(search, folder, &benchmark, &unread) == 0)
        *vec_add(&out->items) = benchmark;
    else
        *vec_add(&out->skipped) = arena_copy(&out->arena, slice_of(unread.message));
}

/* --- All of them ----------------------------------------------------------------------- */

static void add_folder(struct search *search, const char *path, unsigned depth)
{
    *vec_add(&search->folders) = path;
    *vec_add(&search->depths) = depth;
}

/* Not all file systems tell in d_type (readdir(3)). Links are not followed. */
static bool is_folder(DIR *parent, const char *name)
{
    struct stat about;

    return fstatat(dirfd(parent), name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(about.st_mode);
}

/* A folder with benchmark.json is a baseline; any other may hold benchmarks. */
static void take_folder(struct search *search, const char *parent, unsigned depth, const char *name)
{
    struct arena *arena = &search->out->arena;

    if (has_baseline(arena, parent, name))
        intern_add(&search->names, slice_of(name));
    else if (depth == DEPTH_MAX)
        search->too_deep++;
    else if (search->folders.count == FOLDERS_MAX)
        search->too_many++;
    else
        add_folder(search, arena_format(arena, "%s/%s", parent, name), depth + 1);
}

static int look_into(struct search *search, const char *path, unsigned depth, struct error *err)
{
    SCOPED(folder_close) DIR *folder = opendir(path);
    const struct dirent *entry = NULL;

    if (!folder)
        return error_set(err, errno == ENOENT ? ERROR_MISSING : ERROR_IO, "open %s: %s", path,
                         strerror(errno));
    while ((entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            is_folder(folder, entry->d_name))
            take_folder(search, path, depth, entry->d_name);
    take_benchmark(search, path);
    return 0;
}

/* "target/criterion: 2 folders too many (more than 100,000)" */
static void skip_folders(struct search *search, uint64_t count, const char *too, uint64_t limit)
{
    struct arena *arena = &search->out->arena;
    SCOPED(text_done) struct text line = {0};

    if (count == 0)
        return;
    text_format(&line, "%s: ", search->request->folder);
    units_add_things(&line, count, "folder");
    text_format(&line, " too %s (more than ", too);
    units_add_count(&line, limit);
    text_add_string(&line, ")");
    *vec_add(&search->out->skipped) = arena_copy(arena, text_slice(&line));
}

static int compare_ids(const void *one, const void *other)
{
    const struct criterion_benchmark *a = one;
    const struct criterion_benchmark *b = other;

    return strcmp(a->id, b->id);
}

static int compare_names(const void *one, const void *other)
{
    return slice_compare(*(const struct slice *)one, *(const struct slice *)other);
}

/* "base, main, new" */
static void add_names(struct text *text, const struct search *search)
{
    VEC(struct slice) names = {0};

    for (uint32_t i = 0; i < search->names.entries.count; i++)
        *vec_add(&names) = intern_text(&search->names, i);
    vec_sort(&names, compare_names);
    for (size_t i = 0; i < names.count; i++) {
        text_add_string(text, i > 0 ? ", " : "");
        text_add(text, names.items[i]);
    }
    vec_done(&names);
}

static int refuse_nothing(const struct search *search, struct error *err)
{
    const struct criterion_request *request = search->request;
    SCOPED(text_done) struct text names = {0};

    add_names(&names, search);
    if (names.length > 0)
        error_hint(err, "there are %s; cargo bench -- --save-baseline %s keeps one of this name",
                   text_string(&names), request->baselines[CRITERION_BEFORE]);
    else
        error_hint(err, "cargo bench -- --save-baseline %s keeps one", request->baselines[CRITERION_BEFORE]);
    if (search->out->skipped.count > 0)
        return error_set(err, ERROR_FORMAT, "%s", search->out->skipped.items[0]);
    return error_set(err, ERROR_MISSING, "no benchmark in %s has both baselines %s and %s", request->folder,
                     request->baselines[CRITERION_BEFORE], request->baselines[CRITERION_AFTER]);
}

int criterion_baselines_read(const struct criterion_request *request, struct criterion_baselines *out,
                             struct error *err)
{
    SCOPED(search_done) struct search search = {.request = request, .out = out};

    *out = (struct criterion_baselines){0};
    add_folder(&search, request->folder, 0);
    for (size_t i = 0; i < search.folders.count; i++) {
        if (look_into(&search, search.folders.items[i], search.depths.items[i], err) == 0)
            continue;
        if (err->kind == ERROR_MISSING)
            error_hint(err, "cargo bench -- --save-baseline %s keeps one",
                       request->baselines[CRITERION_BEFORE]);
        return -1;
    }
    skip_folders(&search, search.too_deep, "deep", DEPTH_MAX);
    skip_folders(&search, search.too_many, "many", FOLDERS_MAX);
    vec_sort(&out->items, compare_ids);
    return out->items.count > 0 ? 0 : refuse_nothing(&search, err);
}
