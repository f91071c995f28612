#include "unwind/reading_log.h"

enum {
    ENOUGH_PROVED = 3,       /* readings around a stack that are proved; */
    ENOUGH_BESIDE_STALE = 8, /* and where a reading tells nothing, */
    MOST_STALE = 4,          /* as so many may */
};

struct reading_worth *reading_log_at(struct reading_log *log, uint32_t number)
{
    return &log->items[number % READINGS_LOGGED];
}

bool reading_log_proves(struct reading_log *log, uint32_t number, uint64_t known_start)
{
    const struct reading_worth *worth = reading_log_at(log, number);

    return worth->is_proved && worth->sp <= known_start;
}

/*
 * The last of the readings around this one. Of the thread's first and last ones as many are looked at as of
 * those between: few that show the same callers tell little.
 */
static uint32_t last_around(uint32_t number, uint32_t count)
{
    uint32_t last = number + READINGS_NEAR > READINGS_AROUND ? number + READINGS_NEAR : READINGS_AROUND;

    return last < count ? last : count;
}

bool reading_log_trusts(struct reading_log *log, uint32_t number, uint32_t count)
{
    unsigned telling = 0;
    unsigned proved = 0;
    unsigned stale = 0;

    for (uint32_t i = last_around(number, count); i > 0 && telling < READINGS_AROUND; i--) {
        const struct reading_worth *worth = reading_log_at(log, i);

        telling += !worth->is_stale;
        stale += worth->is_stale;
        proved += worth->is_proved;
        if (worth->is_doubtful || stale > MOST_STALE)
            return false;
    }
    return proved >= (stale > 0 ? ENOUGH_BESIDE_STALE : ENOUGH_PROVED);
}
