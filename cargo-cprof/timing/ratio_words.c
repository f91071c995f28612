#include "timing/ratio_words.h"

#include <math.h>

#include "timing/figures.h"

void ratio_add_change(struct text *text, double ratio)
{
    double percent = (ratio - 1) * 100;

    if (!isfinite(percent))
        text_add_string(text, "?");
    else if (fabs(percent) < 0.05)
        text_add_string(text, "0.0%");
    else
        text_format(text, "%+.1f%%", percent);
}

/* As many decimals as tell on which side of 0 a bound is: the verdict goes by that. */
static int decimals_of(double percent)
{
    enum { MOST_DECIMALS = 6 };
    double scaled = fabs(percent) * 10;
    int decimals = 1;

    for (; scaled > 0 && scaled < 0.5 && decimals < MOST_DECIMALS; decimals++)
        scaled *= 10;
    return decimals;
}

static void add_bound(struct text *text, double ratio)
{
    double percent = (ratio - 1) * 100;

    if (isfinite(percent) && percent != 0)
        text_format(text, "%+.*f%%", decimals_of(percent), percent);
    else
        ratio_add_change(text, ratio);
}

void ratio_add_interval(struct text *text, struct ratio ratio)
{
    if (verdict_of_ratio(ratio) == VERDICT_UNKNOWN || !isfinite(ratio.low)) {
        text_add_string(text, "?");
        return;
    }
    if (!ratio.is_bounded)
        text_add_string(text, "at least ");
    add_bound(text, ratio.low);
    if (!ratio.is_bounded)
        return;
    text_add_string(text, " to ");
    add_bound(text, ratio.high);
}

static void add_percent_of(struct text *text, double ratio)
{
    double percent = fabs(ratio - 1) * 100;

    text_format(text, "%.*f%%", decimals_of(percent), percent);
}

void ratio_add_more_or_less(struct text *text, double ratio)
{
    add_percent_of(text, ratio);
    text_add_string(text, ratio < 1 ? " less" : " more");
}

static void add_noise(struct text *text, struct ratio ratio, const char *noun, double confidence,
                      const char *before, const char *after)
{
    if (ratio.low == 1 && ratio.high == 1) {
        text_format(text, "no change: %s takes as much%s as %s in each run", after, noun, before);
        return;
    }
    text_format(text, "no change beyond noise: %s takes between ", after);
    ratio_add_more_or_less(text, ratio.low);
    text_add_string(text, " and ");
    ratio_add_more_or_less(text, ratio.high);
    text_format(text, "%s than %s, with %g%% confidence", noun, before, confidence * 100);
}

static void add_difference(struct text *text, struct ratio ratio, const char *noun, double confidence,
                           const char *before, const char *after)
{
    bool is_slower = ratio.low > 1;

    if (!isfinite(ratio.low)) {
        text_format(text, "%s has some in each run, and %s none in any", after, before);
        return;
    }
    /* Not "faster": what takes half the time is twice as fast. */
    text_format(text, "%s takes ", after);
    ratio_add_more_or_less(text, ratio.estimate);
    text_format(text, "%s than %s: %s ", noun, before, ratio.is_bounded ? "between" : "at least");
    add_percent_of(text, is_slower ? ratio.low : ratio.high);
    if (ratio.is_bounded) {
        text_add_string(text, " and ");
        add_percent_of(text, is_slower ? ratio.high : ratio.low);
    }
    text_format(text, ", with %g%% confidence", confidence * 100);
}

void ratio_add_sentence(struct text *text, struct ratio ratio, const char *noun, double confidence,
                        const char *before, const char *after)
{
    switch (verdict_of_ratio(ratio)) {
    case VERDICT_UNKNOWN:
        text_format(text, "too few runs, or too unlike each other, to tell %s from %s", after, before);
        return;
    case VERDICT_NOISE:
        add_noise(text, ratio, noun, confidence, before, after);
        return;
    default:
        add_difference(text, ratio, noun, confidence, before, after);
    }
}
