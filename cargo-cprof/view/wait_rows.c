#include "view/wait_rows.h"

#include "base/intern.h"
#include "base/memory.h"
#include "facts/series_unit.h"
#include "profile/totals.h"
#include "view/system_calls.h"

enum { SHARE, TIME, WAITS, CALL };

/* What is waited for, by name. */
struct waited {
    struct intern names;
    VEC(struct sample_sum) sums; /* by name; count and value */
    uint64_t whole_us;
};

static void waited_done(struct waited *waited)
{
    intern_done(&waited->names);
    vec_done(&waited->sums);
}

static void add_up(const struct profile *profile, uint32_t series, struct waited *out)
{
    SCOPED(memory_free_at) uint32_t *calls = system_calls_of_stacks(profile);
    struct sums_cursor cursor = sums_cursor_of(&profile->series.items[series].samples.sums);
    struct sample_sum sum;

    while (sums_cursor_next(&cursor, &sum)) {
        struct slice name =
            sum.stack == PROFILE_NONE ? SLICE("[no stack]") : system_call_name(profile, calls[sum.stack]);
        uint32_t id = intern_add(&out->names, name);

        while (id >= out->sums.count)
            *vec_add(&out->sums) = (struct sample_sum){0};
        weight_add(&out->sums.items[id].value, sum.value);
        out->sums.items[id].count += sum.count;
        weight_add(&out->whole_us, sum.value);
    }
}

void wait_rows_fill(const struct profile *profile, uint32_t series, struct rows *out)
{
    SCOPED(waited_done) struct waited waited = {0};

    add_up(profile, series, &waited);
    rows_add_column(out,
                    (struct column){COLUMN_SHARE, "Part", NULL, TIME, series_waited_ns(waited.whole_us)});
    rows_add_column(out, (struct column){COLUMN_TIME, "Time", "time-ns", 0, 0});
    rows_add_column(out, (struct column){COLUMN_COUNT, "Waits", "waits", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, "System call", "syscall", 0, 0});
    out->list_key = "syscalls";
    out->noun = "system call";
    for (uint32_t i = 0; i < waited.sums.count; i++) {
        union cell *cells = rows_add(out);

        cells[TIME].number = series_waited_ns(waited.sums.items[i].value);
        cells[WAITS].number = waited.sums.items[i].count;
        cells[CALL].text = slice_of(arena_copy(&out->arena, intern_text(&waited.names, i)));
    }
    rows_sort_by(out, TIME, WAITS);
}
