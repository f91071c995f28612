/* Fixtures that are kept compressed by zstd. */
#ifndef TESTS_PACKED_FIXTURE_H
#define TESTS_PACKED_FIXTURE_H

#include "cmocka_all.h"

#include <zstd.h>

#include "base/file.h"

enum { PACKED_FIXTURE_LIMIT = 100 << 20 };

/* Appends the content of a file that zstd made of a file, whose length it therefore knows. */
static inline void read_packed_fixture(const char *path, struct text *out)
{
    SCOPED(text_done) struct text packed = {0};
    struct error err = {0};
    size_t length = 0;
    unsigned long long content = 0;
    ZSTD_DCtx *context = NULL;

    if (file_read(path, PACKED_FIXTURE_LIMIT, &packed, &err) < 0)
        fail_msg("%s", err.message);
    content = ZSTD_getFrameContentSize(packed.data, packed.length);
    assert_true(content < PACKED_FIXTURE_LIMIT);
    context = ZSTD_createDCtx();
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 27);
    length = ZSTD_decompressDCtx(context, text_extend(out, content), content, packed.data, packed.length);
    ZSTD_freeDCtx(context);
    assert_int_equal(length, content);
}

#endif
