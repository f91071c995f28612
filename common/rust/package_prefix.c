#include "rust/package_prefix.h"

#include "base/scan.h"

/* Of releases, as ring parts what follows the third number from the symbol by one more '_'. */
static const struct prefix {
    const char *start;
    const char *end;
    struct slice package;
} prefixes[] = {
    {"aws_lc_fips_", "_", SLICE("aws-lc-fips-sys")},
    {"aws_lc_", "_", SLICE("aws-lc-sys")},
    {"ring_core_", "__", SLICE("ring")},
};

static bool read_prefix(struct slice symbol, const struct prefix *prefix, uint64_t version[3])
{
    struct scan scan = scan_of(symbol);

    return scan_text(&scan, prefix->start) && scan_decimal(&scan, &version[0]) && scan_byte(&scan, '_') &&
           scan_decimal(&scan, &version[1]) && scan_byte(&scan, '_') && scan_decimal(&scan, &version[2]) &&
           scan_text(&scan, prefix->end) && !scan_at_end(&scan);
}

bool package_prefix_read(struct slice symbol, struct slice *package, struct text *version)
{
    uint64_t parts[3];

    for (size_t i = 0; i < ARRAY_COUNT(prefixes); i++) {
        if (!read_prefix(symbol, &prefixes[i], parts))
            continue;
        *package = prefixes[i].package;
        text_format(version, "%llu.%llu.%llu", (unsigned long long)parts[0], (unsigned long long)parts[1],
                    (unsigned long long)parts[2]);
        return true;
    }
    return false;
}
