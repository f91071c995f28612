#include "cli/real_options.h"

#include "base/scan.h"

int options_real(const struct options *options, const char *name, double most, double *out, struct error *err)
{
    const char *value = options_value(options, name);
    struct scan scan = scan_of(slice_of(value));
    double number = 0;

    if (!value)
        return 0;
    if (!scan_real(&scan, &number) || !scan_at_end(&scan) || number > most)
        return error_set(err, ERROR_USAGE, "--%s %s: a number from 0 to %g", name, value, most);
    *out = number;
    return 0;
}

int options_percent(const struct options *options, const char *name, double *out, struct error *err)
{
    const char *value = options_value(options, name);
    struct scan scan = scan_of(slice_of(value));
    double percent = 0;
    bool is_number = value && scan_real(&scan, &percent);

    if (!value)
        return 0;
    scan_byte(&scan, '%');
    if (!is_number || !scan_at_end(&scan) || percent > 100)
        return error_set(err, ERROR_USAGE, "--%s %s: a percentage from 0 to 100, as in 5%%", name, value);
    *out = percent / 100;
    return 0;
}
