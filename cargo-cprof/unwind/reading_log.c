#include "unwind/reading_log.h"

enum {
    ENOUGH_PROVED = 3,               /* readings around a stack that are proved; */
    ENOUGH_BESIDE_OTHER = 8,         /* and where others tell nothing, */
    MOST_STALE = 4,                  /* as so many may, */
    MOST_ELSEWHERE = 2,              /* or met the thread as it went from one function to another; */
    SHORTEST_STAY = READINGS_AROUND, /* between two changes of callers */
};

struct reading_status *reading_log_at(struct reading_log *log, uint32_t number)
{
    return &log->items[number % READINGS_LOGGED];
}

uint32_t reading_log_begin(struct reading_log *log, uint32_t round)
{
    log->round = round;
    log->is_open = true;
    *reading_log_at(log, ++log->count) = (struct reading_status){0};
    return log->count;
}

void reading_log_notice(struct reading_log *log, uint32_t round, struct reading_sight sight)
{
    struct reading_status *status = reading_log_at(log, log->count);

    if (!log->is_open)
        return;
    if (log->round == round) {
        log->was_in_it = sight.is_in_it;
        log->was_elsewhere = sight.is_elsewhere;
        log->last_sp = sight.sp;
        return;
    }
    log->is_open = false;
    status->is_proved = sight.is_in_it && log->was_in_it;
    status->is_elsewhere = sight.is_elsewhere || log->was_elsewhere;
    status->sp = sight.sp > log->last_sp ? sight.sp : log->last_sp;
}

bool reading_log_proves(struct reading_log *log, uint32_t number, uint64_t known_start)
{
    const struct reading_status *status = reading_log_at(log, number);

    return status->is_proved && status->sp <= known_start;
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

/*
 * Whether callers did not stay for long around that reading: of code that is called from elsewhere now and
 * then the readings of a short time show one of the callers alone, as if for the other's samples, too. One
 * change may be for good; of several each was followed by a stay that is long enough.
 */
static bool is_restless(struct reading_log *log, uint32_t number, uint32_t count)
{
    enum { BEFORE = READINGS_BEFORE + SHORTEST_STAY };
    const uint32_t last = count - number < READINGS_AFTER ? count : number + READINGS_AFTER;
    uint32_t changed = 0;
    unsigned changes = 0;

    for (uint32_t i = number > BEFORE ? number - BEFORE + 1 : 1; i <= last; i++) {
        if (!reading_log_at(log, i)->is_doubtful)
            continue;
        if (changes > 0 && i - changed < SHORTEST_STAY)
            return true;
        changed = i;
        changes++;
    }
    return changes > 1 && last - changed + 1 < SHORTEST_STAY;
}

/* Whether callers were seen to change right beside that reading. */
static bool is_beside_change(struct reading_log *log, uint32_t number, uint32_t count)
{
    enum { BESIDE = 2 };
    const uint32_t last = count - number < BESIDE ? count : number + BESIDE;

    for (uint32_t i = number > BESIDE ? number - BESIDE : 1; i <= last; i++)
        if (reading_log_at(log, i)->is_doubtful)
            return true;
    return false;
}

/*
 * Whether the thread was read often enough around this reading, and nothing spoke against it. It is one of
 * the last OUTER_MOST_ROUNDS. READINGS_AFTER later the answer stays.
 */
static bool trusts(struct reading_log *log, uint32_t number)
{
    const uint32_t count = log->count;
    unsigned telling = 0;
    unsigned proved = 0;
    unsigned stale = 0;
    unsigned elsewhere = 0;
    /* Nobody knows yet whether callers that changed change back. */
    bool is_recent = count - number < READINGS_AFTER;

    if (reading_log_at(log, number)->is_elsewhere || is_beside_change(log, number, count) ||
        is_restless(log, number, count))
        return false;
    for (uint32_t i = last_around(number, count); i > 0 && telling < READINGS_AROUND; i--) {
        const struct reading_status *status = reading_log_at(log, i);

        telling += !status->is_stale;
        stale += status->is_stale;
        elsewhere += status->is_elsewhere;
        proved += status->is_proved;
        if ((status->is_doubtful && is_recent) || stale > MOST_STALE || elsewhere > MOST_ELSEWHERE)
            return false;
    }
    return proved >= (stale + elsewhere > 0 ? ENOUGH_BESIDE_OTHER : ENOUGH_PROVED);
}

enum outer_verdict reading_log_verdict(struct reading_log *log, struct reading_use use)
{
    if (!use.is_decided && log->count < use.number + READINGS_AFTER)
        return OUTER_OPEN;
    return use.is_proved && trusts(log, use.number) ? OUTER_KEEP : OUTER_TAKE_BACK;
}
