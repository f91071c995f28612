#include "pprof_fixture.h"

#include "cmocka_all.h"
#include "import/pprof.h"

int pprof_set_up(void **state)
{
    static struct pprof_fixture fixture;

    fixture = (struct pprof_fixture){0};
    profile_init(&fixture.profile);
    *state = &fixture;
    return 0;
}

int pprof_tear_down(void **state)
{
    struct pprof_fixture *f = *state;

    pprof_builder_done(&f->built);
    profile_done(&f->profile);
    return 0;
}

void pprof_read_built(struct pprof_fixture *f)
{
    assert_int_equal(pprof_read(pprof_builder_bytes(&f->built), &f->profile, &f->err), 0);
}

void pprof_assert_refused(struct pprof_fixture *f, const char *message)
{
    assert_int_equal(pprof_read(pprof_builder_bytes(&f->built), &f->profile, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_string_equal(f->err.message, message);
}

void pprof_assert_series(const struct pprof_fixture *f, uint32_t at, const char *event, const char *unit)
{
    assert_true(at < f->profile.series.count);
    assert_true(slice_is(profile_text(&f->profile, f->profile.series.items[at].event), event));
    assert_true(slice_is(profile_text(&f->profile, f->profile.series.items[at].unit), unit));
}

/* What the samples of a series add up to. */
static struct sample_sum all_of(const struct pprof_fixture *f, uint32_t series)
{
    struct sums_cursor cursor = sums_cursor_of(&f->profile.series.items[series].samples.sums);
    struct sample_sum all = {0};
    struct sample_sum sum;

    while (sums_cursor_next(&cursor, &sum)) {
        all.count += sum.count;
        all.value += sum.value;
    }
    return all;
}

void pprof_assert_all(const struct pprof_fixture *f, uint32_t series, uint64_t count, uint64_t value)
{
    assert_int_equal(all_of(f, series).count, count);
    assert_int_equal(all_of(f, series).value, value);
    assert_int_equal(f->profile.series.items[series].samples.count, count);
}

static const struct profile_function *function_of(const struct pprof_fixture *f,
                                                  const struct profile_frame *frame)
{
    return &f->profile.functions.items[frame->function];
}

void pprof_assert_frame(const struct pprof_fixture *f, uint32_t location, uint32_t at, const char *name,
                        const char *file, uint32_t line)
{
    const struct profile_location *of = &f->profile.locations.items[location];
    const struct profile_frame *frame = &f->profile.frames.items[of->first_frame + at];

    assert_true(at < of->frame_count);
    assert_true(slice_is(profile_text(&f->profile, function_of(f, frame)->name), name));
    assert_true(slice_is(profile_text(&f->profile, frame->file), file));
    assert_int_equal(frame->line, line);
    assert_int_equal(frame->is_inlined, at + 1 < of->frame_count);
}

/* The names of a series' only stack, from the outermost in; inlined calls are left out. */
void pprof_assert_stack(const struct pprof_fixture *f, const char *path)
{
    struct sums_cursor cursor = sums_cursor_of(&f->profile.series.items[0].samples.sums);
    SCOPED(text_done) struct text names = {0};
    SCOPED(text_done) struct text all = {0};
    struct sample_sum sum;

    assert_true(sums_cursor_next(&cursor, &sum));
    for (uint32_t at = sum.stack; at != PROFILE_NONE; at = f->profile.stacks.items[at].parent) {
        const struct profile_location *location =
            &f->profile.locations.items[f->profile.stacks.items[at].location];
        const struct profile_frame *frame =
            &f->profile.frames.items[location->first_frame + location->frame_count - 1];

        text_clear(&names);
        text_add(&names, profile_text(&f->profile, function_of(f, frame)->name));
        text_add_string(&names, all.length > 0 ? ";" : "");
        text_add(&names, text_slice(&all));
        text_clear(&all);
        text_add(&all, text_slice(&names));
    }
    assert_string_equal(text_string(&all), path);
}
