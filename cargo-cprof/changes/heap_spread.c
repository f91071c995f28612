#include "changes/heap_spread.h"

#include <math.h>

/*
 * With x = n / interval the value is interval * x / (1 - exp(-x)), so that x is the limit of what follows;
 * its variance is the value's square times 1 - p, exp(-x).
 */
double heap_spread_of(double value, double interval_bytes)
{
    enum { STEPS = 50 };
    double intervals = interval_bytes > 0 ? value / interval_bytes : INFINITY;
    double x = intervals;

    if (isinf(intervals))
        return 0;
    for (int i = 0; i < STEPS; i++)
        x = -intervals * expm1(-x);
    return value * value * exp(-x);
}

uint64_t heap_spread_next(struct heap_spread *spread, const struct profile_sample *sample)
{
    const struct profile_series *series = spread->series;
    double runs = heap_event_is_of_moment(series->heap) && spread->run_count > 1 ? spread->run_count : 1;
    double value = (double)sample->value * runs;
    double variance = 0;

    while (spread->next_interval < series->intervals.count &&
           series->intervals.items[spread->next_interval].from_ns <= sample->time_ns)
        spread->next_interval++;
    if (series->heap == HEAP_EVENT_COUNT)
        variance = value * value - value; /* it is 1 / p */
    else if (spread->next_interval > 0)
        variance = heap_spread_of(value, (double)series->intervals.items[spread->next_interval - 1].bytes);
    variance /= runs * runs;
    return variance < (double)UINT32_MAX * UINT32_MAX ? (uint64_t)variance : UINT64_MAX / 2;
}
