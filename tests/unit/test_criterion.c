/* What Criterion has kept: a tree that it wrote (fixtures/criterion), and files that are not of its form. */
#include "cmocka_all.h"

#include <dirent.h>
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/remove.h"
#include "criterion/baselines.h"
#include "criterion/benchmark_rows.h"
#include "report/render.h"

#define TREE FIXTURES "/criterion"

struct fixture {
    struct arena arena;
    struct criterion_baselines baselines;
    struct json_document document;
    struct error err;
};

/* The C library's, on a file system that does not say what an entry is. */
struct dirent *readdir(DIR *folder)
{
    typedef struct dirent *readdir_fn(DIR *);
    readdir_fn *real = (readdir_fn *)dlsym(RTLD_NEXT, "readdir");
    struct dirent *entry = real(folder);

    if (entry)
        entry->d_type = DT_UNKNOWN;
    return entry;
}

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    criterion_baselines_done(&f->baselines);
    json_document_done(&f->document);
    arena_done(&f->arena);
    return 0;
}

static int read_tree(struct fixture *f, const char *folder, const char *before, const char *after)
{
    const struct criterion_request request = {
        .folder = folder, .baselines = {before, after}, .confidence = 0.95};

    return criterion_baselines_read(&request, &f->baselines, &f->err);
}

static void parse_file(struct fixture *f, const char *path)
{
    SCOPED(text_done) struct text content = {0};

    json_document_done(&f->document);
    assert_int_equal(file_read(path, 1 << 20, &content, &f->err), 0);
    assert_int_equal(json_parse(text_slice(&content), 1 << 20, &f->document, &f->err), 0);
}

static void benchmarks_with_both_baselines_are_found_and_sorted(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_tree(f, TREE, "main", "new"), 0);
    assert_int_equal(f->baselines.items.count, 3);
    assert_string_equal(f->baselines.items.items[0].id, "split only");
    assert_string_equal(f->baselines.items.items[1].id, "summary/10");
    assert_string_equal(f->baselines.items.items[2].id, "summary/1000");
    assert_int_equal(f->baselines.items.items[1].samples[CRITERION_BEFORE].count, 100);
    assert_int_equal(f->baselines.skipped.count, 0);
    assert_int_equal(f->baselines.without_before, 0);
}

/* Criterion resamples at random, so that its bounds are a little different each time. */
static void changes_are_those_that_criterion_tells(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_tree(f, TREE, "main", "new"), 0);
    criterion_baselines_judge(&f->baselines, 0.95);
    for (size_t i = 0; i < f->baselines.items.count; i++) {
        const struct criterion_benchmark *benchmark = &f->baselines.items.items[i];
        struct criterion_estimate change;

        parse_file(f, arena_format(&f->arena, TREE "/%s/change/estimates.json", benchmark->id));
        assert_int_equal(criterion_read_time(&f->document, &change, &f->err), 0);
        assert_true(fabs(benchmark->ratio.estimate - (1 + change.value)) < 1e-9);
        assert_true(benchmark->ratio.is_bounded);
        assert_true(fabs(benchmark->ratio.low - (1 + change.low)) < 0.03);
        assert_true(fabs(benchmark->ratio.high - (1 + change.high)) < 0.03);
        assert_true(criterion_is_change(benchmark));
    }
}

static void a_baseline_against_itself_is_the_same_run(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_tree(f, TREE, "main", "main"), 0);
    criterion_baselines_judge(&f->baselines, 0.95);
    assert_int_equal(f->baselines.items.count, 3);
    assert_int_equal(criterion_baselines_count(&f->baselines, CRITERION_SAME_RUN), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(f->baselines.items.items[i].ratio.estimate == 1);
        assert_false(criterion_is_change(&f->baselines.items.items[i]));
    }
}

/* --- Verdicts -------------------------------------------------------------------------- */

enum { TIMES = 40 };

/* Adds a benchmark of mean `mean` against 100, both scattered by 1. */
static void add_benchmark(struct fixture *f, double mean)
{
    struct criterion_benchmark *benchmark = vec_add(&f->baselines.items);

    *benchmark = (struct criterion_benchmark){0};
    for (size_t side = 0; side < CRITERION_SIDES; side++) {
        double *times = ARENA_ARRAY(&f->arena, TIMES, double);

        for (int i = 0; i < TIMES; i++)
            times[i] = (side == CRITERION_BEFORE ? 100 : mean) + (i % 2 ? 1 : -1) + (side ? i * 1e-6 : 0);
        benchmark->samples[side] = (struct criterion_sample){times, TIMES};
    }
    benchmark->ratio = ratio_of_samples(benchmark->samples[CRITERION_BEFORE].times, TIMES,
                                        benchmark->samples[CRITERION_AFTER].times, TIMES, 0.95);
}

static enum criterion_verdict verdict_among(struct fixture *f, double mean, size_t others)
{
    f->baselines.items.count = 0;
    add_benchmark(f, mean);
    for (size_t i = 0; i < others; i++)
        add_benchmark(f, 100);
    criterion_baselines_judge(&f->baselines, 0.95);
    assert_int_equal(criterion_baselines_count(&f->baselines, CRITERION_NOISE),
                     others + (f->baselines.items.items[0].verdict == CRITERION_NOISE));
    return f->baselines.items.items[0].verdict;
}

static void what_is_within_one_percent_is_noise(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(verdict_among(f, 101.2, 0), CRITERION_NOISE);
    assert_int_equal(verdict_among(f, 98.8, 0), CRITERION_NOISE);
    assert_int_equal(verdict_among(f, 101.6, 0), CRITERION_SLOWER);
    assert_int_equal(verdict_among(f, 98.4, 0), CRITERION_FASTER);
}

/* Within 1 % and half an interval of 0.45 % alone, of 0.71 % among 24. */
static void what_chance_makes_of_many_benchmarks_is_no_change(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(verdict_among(f, 101.6, 23), CRITERION_MAYBE);
    assert_false(criterion_is_change(&f->baselines.items.items[0]));
    assert_int_equal(verdict_among(f, 98.4, 23), CRITERION_MAYBE);
    assert_int_equal(verdict_among(f, 102, 23), CRITERION_SLOWER);
    assert_true(criterion_is_change(&f->baselines.items.items[0]));
    assert_int_equal(verdict_among(f, 98, 23), CRITERION_FASTER);
    assert_int_equal(verdict_among(f, 101.2, 23), CRITERION_NOISE);
}

static void samples_that_tell_no_bounds_are_told_as_such(void **state)
{
    struct fixture *f = *state;

    add_benchmark(f, 101);
    f->baselines.items.items[0].ratio.is_bounded = false;
    criterion_baselines_judge(&f->baselines, 0.95);
    assert_int_equal(f->baselines.items.items[0].verdict, CRITERION_UNKNOWN);
}

static void a_baseline_that_is_not_there_is_told_with_those_that_are(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_tree(f, TREE, "old", "new"), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
    assert_string_equal(f->err.message, "no benchmark in " TREE " has both baselines old and new");
    assert_non_null(strstr(f->err.hint, "main"));
    assert_non_null(strstr(f->err.hint, "--save-baseline old"));
    assert_int_equal(f->baselines.without_before, 3);
    criterion_baselines_done(&f->baselines);
    f->baselines = (struct criterion_baselines){0};
    assert_int_equal(read_tree(f, TREE "/nothing", "old", "new"), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
}

/* --- Files that are not of the form ---------------------------------------------------- */

static void parse(struct fixture *f, const char *json)
{
    json_document_done(&f->document);
    f->err = (struct error){0};
    assert_int_equal(json_parse(slice_of(json), 1 << 20, &f->document, &f->err), 0);
}

static void assert_no_sample(struct fixture *f, const char *json, const char *message)
{
    struct criterion_sample sample = {.count = 42};

    parse(f, json);
    assert_int_equal(criterion_read_sample(&f->arena, &f->document, &sample, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_string_equal(f->err.message, message);
    assert_int_equal(sample.count, 42);
}

static void samples_are_times_of_one_iteration(void **state)
{
    struct fixture *f = *state;
    struct criterion_sample sample;

    parse(f, "{\"sampling_mode\":\"Linear\",\"iters\":[1,2.0,4],\"times\":[5,8,10]}");
    assert_int_equal(criterion_read_sample(&f->arena, &f->document, &sample, &f->err), 0);
    assert_int_equal(sample.count, 3);
    assert_true(sample.times[0] == 5 && sample.times[1] == 4 && sample.times[2] == 2.5);
}

static void what_is_no_sample_is_refused(void **state)
{
    struct fixture *f = *state;

    assert_no_sample(f, "{\"iters\":[],\"times\":[]}", "0 iters and 0 times: not a sample");
    assert_no_sample(f, "{\"iters\":[1,2],\"times\":[1]}", "2 iters and 1 times: not a sample");
    assert_no_sample(f, "{\"iters\":[1],\"times\":[1,2]}", "1 iters and 2 times: not a sample");
    assert_no_sample(f, "{\"iters\":[0],\"times\":[1]}", "0 iterations in 1 ns: not a sample");
    assert_no_sample(f, "{\"iters\":[1],\"times\":[0]}", "1 iterations in 0 ns: not a sample");
    assert_no_sample(f, "{\"iters\":[-1],\"times\":[1]}", "-1 iterations in 1 ns: not a sample");
    assert_no_sample(f, "{\"iters\":[1e-300],\"times\":[1e300]}",
                     "1e-300 iterations in 1e+300 ns: not a sample");
    assert_no_sample(f, "{\"iters\":[1],\"times\":[\"x\"]}", "times[0]: not a number");
    assert_no_sample(f, "{\"times\":[1]}", "iters: missing");
    assert_no_sample(f, "[[1],[2]]", "iters: missing");
}

static void estimates_and_ids_must_be_whole(void **state)
{
    struct fixture *f = *state;
    struct criterion_estimate estimate = {.value = 42};
    const char *id = "untouched";

    parse(f, "{\"mean\":{\"point_estimate\":1.5,\"confidence_interval\":{\"lower_bound\":1}}}");
    assert_int_equal(criterion_read_time(&f->document, &estimate, &f->err), -1);
    assert_string_equal(f->err.message, "mean.confidence_interval.upper_bound: missing");
    assert_true(estimate.value == 42);
    parse(f, "{\"full_id\":7}");
    assert_int_equal(criterion_read_id(&f->arena, &f->document, &id, &f->err), -1);
    assert_string_equal(f->err.message, "full_id: not a string");
    assert_string_equal(id, "untouched");
}

static void a_file_that_is_damaged_is_left_out_and_named(void **state)
{
    struct fixture *f = *state;
    char folder[] = "/tmp/criterion.XXXXXX";
    const char *names[] = {"benchmark.json", "sample.json", "estimates.json"};

    assert_non_null(mkdtemp(folder));
    assert_int_equal(mkdir(arena_format(&f->arena, "%s/b", folder), 0755), 0);
    assert_int_equal(mkdir(arena_format(&f->arena, "%s/b/new", folder), 0755), 0);
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        assert_int_equal(file_replace(arena_format(&f->arena, "%s/b/new/%s", folder, names[i]),
                                      i == 0 ? SLICE("{\"full_id\":\"b\"}") : SLICE("{}"), &f->err),
                         0);
    assert_int_equal(read_tree(f, folder, "new", "new"), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_non_null(strstr(f->err.message, "b/new/sample.json: iters: missing"));
    assert_int_equal(f->baselines.skipped.count, 1);
    assert_int_equal(remove_all(folder, NULL, &f->err), 0);
}

static void a_pipe_in_place_of_a_file_is_named_and_not_waited_for(void **state)
{
    struct fixture *f = *state;
    char folder[] = "/tmp/criterion.XXXXXX";

    assert_non_null(mkdtemp(folder));
    assert_int_equal(mkdir(arena_format(&f->arena, "%s/new", folder), 0755), 0);
    assert_int_equal(file_replace(arena_format(&f->arena, "%s/new/benchmark.json", folder),
                                  SLICE("{\"full_id\":\"b\"}"), &f->err),
                     0);
    assert_int_equal(mkfifo(arena_format(&f->arena, "%s/new/sample.json", folder), 0600), 0);
    assert_int_equal(read_tree(f, folder, "new", "new"), -1);
    assert_string_equal(f->err.message,
                        arena_format(&f->arena, "%s/new/sample.json: not a regular file", folder));
    assert_int_equal(remove_all(folder, NULL, &f->err), 0);
}

/* No benchmark lies so deep: its id has a group, a function and a value. */
static void folders_that_lie_too_deep_are_told(void **state)
{
    struct fixture *f = *state;
    char folder[] = "/tmp/criterion.XXXXXX";
    const char *path = folder;

    assert_non_null(mkdtemp(folder));
    for (unsigned depth = 1; depth <= 18; depth++) {
        path = arena_format(&f->arena, "%s/d", path);
        assert_int_equal(mkdir(path, 0755), 0);
    }
    assert_int_equal(read_tree(f, folder, "main", "new"), -1);
    assert_int_equal(f->baselines.skipped.count, 1);
    assert_string_equal(f->baselines.skipped.items[0],
                        arena_format(&f->arena, "%s: 1 folder too deep (more than 16)", folder));
    assert_string_equal(f->err.message, f->baselines.skipped.items[0]);
    assert_int_equal(remove_all(folder, NULL, &f->err), 0);
}

static void rows_tell_each_benchmark(void **state)
{
    struct fixture *f = *state;
    SCOPED(rows_done) struct rows rows = {0};
    SCOPED(text_done) struct text text = {0};

    assert_int_equal(read_tree(f, TREE, "main", "new"), 0);
    criterion_baselines_judge(&f->baselines, 0.95);
    benchmark_rows_begin(&rows);
    for (size_t i = 0; i < f->baselines.items.count; i++)
        benchmark_rows_add(&f->baselines.items.items[i], &rows);
    benchmark_rows_end(&f->baselines, "main", "new", &rows);
    render_json(&text, &rows);
    assert_non_null(strstr(text_string(&text),
                           "\"benchmark-count\":3,\"slower\":1,\"faster\":2,\"maybe\":0,\"same-run\":0"));
    assert_non_null(
        strstr(text_string(&text), "{\"verdict\":\"slower\",\"benchmark\":\"summary/10\",\"before-ps\":"));
    assert_null(strstr(text_string(&text), "\"function\""));
    assert_non_null(
        strstr(text_string(&text),
               "\"baselines\":{\"before\":\"main\",\"after\":\"new\",\"intervals\":\"within-run\"}"));
}

/* Of one run of each side, which is said where something is told to have changed, and of nothing else. */
static void what_verdicts_rest_on_is_told_with_them(void **state)
{
    struct fixture *f = *state;
    static const char *const baselines[] = {"main", "new"};

    for (size_t i = 0; i < 2; i++) {
        SCOPED(rows_done) struct rows rows = {0};
        SCOPED(text_done) struct text text = {0};
        bool has_changes = i == 0;

        criterion_baselines_done(&f->baselines);
        assert_int_equal(read_tree(f, TREE, baselines[i], "new"), 0);
        criterion_baselines_judge(&f->baselines, 0.95);
        benchmark_rows_begin(&rows);
        benchmark_rows_add(&f->baselines.items.items[0], &rows);
        benchmark_rows_end(&f->baselines, baselines[i], "new", &rows);
        render_table(&text, &rows, (struct render_look){0});
        assert_int_equal(strstr(text_string(&text), "slower and faster compare one run of each side:") !=
                             NULL,
                         has_changes);
        text_clear(&text);
        render_markdown(&text, &rows);
        assert_int_equal(strstr(text_string(&text), "(one run of each side:") != NULL, has_changes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(benchmarks_with_both_baselines_are_found_and_sorted, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(changes_are_those_that_criterion_tells, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_baseline_against_itself_is_the_same_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_within_one_percent_is_noise, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_chance_makes_of_many_benchmarks_is_no_change, set_up, tear_down),
        cmocka_unit_test_setup_teardown(samples_that_tell_no_bounds_are_told_as_such, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_baseline_that_is_not_there_is_told_with_those_that_are, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(samples_are_times_of_one_iteration, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_sample_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(estimates_and_ids_must_be_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_is_damaged_is_left_out_and_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pipe_in_place_of_a_file_is_named_and_not_waited_for, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(folders_that_lie_too_deep_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_tell_each_benchmark, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_verdicts_rest_on_is_told_with_them, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
