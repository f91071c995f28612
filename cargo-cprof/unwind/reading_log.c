#include "unwind/reading_log.h"

enum {
    ENOUGH_PROVED = 3, /* of the readings near by */
    NEAR = 8,          /* so many readings before and after */
    AROUND = READING_LOG_AFTER,
    MOST_FLICKERS = 1,
};

/* The numbers from `first` to `last`. */
struct span {
    uint32_t first;
    uint32_t last;
};

struct reading_note *reading_log_note(struct reading_log *log, uint32_t number)
{
    return &log->notes[number % READING_LOG_LENGTH];
}

const struct reading_note *reading_log_seen(const struct reading_log *log, uint32_t number)
{
    return &log->notes[number % READING_LOG_LENGTH];
}

struct reading_note *reading_log_add(struct reading_log *log)
{
    struct reading_note *note = reading_log_note(log, ++log->count);

    *note = (struct reading_note){0};
    return note;
}

static struct span span_around(const struct reading_log *log, uint32_t number, uint32_t distance)
{
    return (struct span){
        .first = number > distance ? number - distance : 1,
        .last = number + distance < log->count ? number + distance : log->count,
    };
}

/*
 * Callers that were seen once, the readings before and after showing others. Callers that change for good
 * differ once.
 */
static unsigned flicker_count(const struct reading_log *log, uint32_t number)
{
    struct span span = span_around(log, number, AROUND);
    unsigned count = 0;
    bool has_differed = false;

    for (uint32_t i = span.first; i <= span.last; i++) {
        const struct reading_note *note = reading_log_seen(log, i);
        bool is_flicker = has_differed && note->differs;

        if (note->is_void)
            continue;
        count += is_flicker;
        has_differed = note->differs && !is_flicker;
    }
    return count;
}

bool reading_log_is_trusted(const struct reading_log *log, uint32_t number)
{
    struct span span = span_around(log, number, NEAR);
    unsigned proved = 0;

    for (uint32_t i = span.first; i <= span.last; i++) {
        const struct reading_note *note = reading_log_seen(log, i);

        proved += note->is_proved;
        if (note->is_disturbed || (note->differs && !note->is_void))
            return false;
    }
    return proved >= ENOUGH_PROVED && flicker_count(log, number) <= MOST_FLICKERS;
}
