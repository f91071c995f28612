#include "profile/profile_file.h"

#include "profile/chunks.h"
#include "profile/file_tables.h"

/* In an order in which each refers only to those before it. */
static const struct {
    enum chunk_kind kind;
    bool is_optional; /* older writers of this version have none; nor is one without bytes written */
    const char *name;
    file_table_write *write;
    file_table_read *read;
} tables[] = {
    {CHUNK_STRINGS, false, "strings", file_write_strings, file_read_strings},
    {CHUNK_FACTS, false, "facts", file_write_facts, file_read_facts},
    {CHUNK_MODULES, false, "modules", file_write_modules, file_read_modules},
    {CHUNK_FUNCTIONS, false, "functions", file_write_functions, file_read_functions},
    {CHUNK_LOCATIONS, false, "locations", file_write_locations, file_read_locations},
    {CHUNK_FUTURES, true, "futures", file_write_futures, file_read_futures},
    {CHUNK_STACKS, false, "stacks", file_write_stacks, file_read_stacks},
    {CHUNK_THREADS, false, "threads", file_write_threads, file_read_threads},
    {CHUNK_RUNS, true, "runs", file_write_runs, file_read_runs},
    {CHUNK_HEAP, true, "heap", file_write_heap, file_read_heap},
};

bool profile_file_begins(struct slice start)
{
    return chunks_begin_file(start);
}

static int refuse(const char *part, struct error *err)
{
    error_hint(err, "copy it again from where it was written, or record again");
    return error_set(err, ERROR_FORMAT, "damaged: its %s", part);
}

/* --- Writing ------------------------------------------------------------------------------------- */

static int add_table(struct chunk_writer *writer, enum chunk_kind kind, uint32_t series, struct text *content,
                     struct error *err)
{
    struct chunk chunk = {.kind = kind, .series = series};
    int result = chunk_writer_add(writer, chunk, text_slice(content), err);

    text_clear(content);
    return result;
}

static void write_counts(const struct profile_series *series, struct text *out)
{
    const struct series_whole *whole = &series->whole;
    const uint64_t counts[] = {
        series->happened_count, whole->sample_count, whole->value_sum, whole->lost_count,
        whole->happened_count,  whole->cpu_ns,       whole->user_ns,
    };
    bool has_more = whole->sample_count > 0 || series->intervals.count > 0;
    size_t count = has_more ? ARRAY_COUNT(counts) : 1;
    uint64_t time_ns = 0;

    for (size_t i = 0; i < count; i++)
        text_add_uleb128(out, counts[i]);
    for (size_t i = 0; i < series->intervals.count; i++) {
        text_add_uleb128(out, series->intervals.items[i].from_ns - time_ns);
        text_add_uleb128(out, series->intervals.items[i].bytes);
        time_ns = series->intervals.items[i].from_ns;
    }
}

static int write_tables(const struct profile *profile, struct chunk_writer *writer, struct error *err)
{
    SCOPED(text_done) struct text content = {0};

    for (size_t i = 0; i < ARRAY_COUNT(tables); i++) {
        tables[i].write(profile, &content);
        if (!(tables[i].is_optional && content.length == 0) &&
            add_table(writer, tables[i].kind, 0, &content, err) < 0)
            return -1;
    }
    for (uint32_t i = 0; i < profile->series.count; i++) {
        file_write_series(&profile->series.items[i], &content);
        if (add_table(writer, CHUNK_SERIES, i, &content, err) < 0)
            return -1;
        write_counts(&profile->series.items[i], &content);
        if (add_table(writer, CHUNK_COUNTS, i, &content, err) < 0 ||
            (profile->series.items[i].is_summed && add_table(writer, CHUNK_SUMMED, i, &content, err) < 0))
            return -1;
    }
    return 0;
}

static int write_block(const struct sample_store *samples, const struct sample_block *block, uint32_t series,
                       struct chunk_writer *writer, struct error *err)
{
    SCOPED(text_done) struct text scratch = {0};
    SCOPED(text_done) struct text content = {0};
    struct slice stored = {0};
    struct chunk chunk = {
        .kind = CHUNK_SAMPLES,
        .series = series,
        .count = block->count,
        .first_time_ns = block->first_time_ns,
        .last_time_ns = block->last_time_ns,
        .content_bytes = block->content_bytes,
    };

    /* What is packed already stays so, but is looked at: nobody is to be given damaged samples. */
    if (!sample_store_stored(samples, block, &scratch, &stored) ||
        !chunks_unpack(stored, block->content_bytes, &content))
        return refuse("samples", err);
    if (stored.length == content.length)
        return chunk_writer_add(writer, chunk, stored, err);
    return chunk_writer_add_packed(writer, chunk, stored, err);
}

static int write_samples(const struct profile *profile, struct chunk_writer *writer, struct error *err)
{
    for (uint32_t i = 0; i < profile->series.count; i++) {
        const struct sample_store *samples = &profile->series.items[i].samples;

        for (size_t at = 0; at < samples->blocks.count; at++)
            if (write_block(samples, &samples->blocks.items[at], i, writer, err) < 0)
                return -1;
    }
    return 0;
}

int profile_file_write(const struct profile *profile, struct sink sink, struct error *err)
{
    SCOPED(chunk_writer_done) struct chunk_writer writer = {.sink = sink};

    if (chunk_writer_begin(&writer, err) < 0 || write_samples(profile, &writer, err) < 0 ||
        write_tables(profile, &writer, err) < 0)
        return -1;
    return chunk_writer_end(&writer, err);
}

/* --- Reading ------------------------------------------------------------------------------------- */

/* The chunk of a kind and series. NULL unless there is exactly one. */
static const struct chunk *find(const struct chunks *chunks, enum chunk_kind kind, uint32_t series)
{
    const struct chunk *found = NULL;

    for (size_t i = 0; i < chunks->items.count; i++) {
        const struct chunk *chunk = &chunks->items.items[i];

        if (chunk->kind != kind || chunk->series != series)
            continue;
        if (found)
            return NULL;
        found = chunk;
    }
    return found;
}

static bool has_kind(const struct chunks *chunks, enum chunk_kind kind)
{
    for (size_t i = 0; i < chunks->items.count; i++)
        if (chunks->items.items[i].kind == kind)
            return true;
    return false;
}

/* What the chunk holds, which `content` then does. False when there is none, or it is damaged. */
static bool open_chunk(struct slice file, const struct chunk *chunk, struct text *content, struct bytes *out)
{
    text_clear(content);
    if (!chunk || !chunks_read(file, chunk, content))
        return false;
    *out = bytes_of(text_slice(content), false);
    return true;
}

static int read_tables(struct slice file, const struct chunks *chunks, struct profile *profile,
                       struct error *err)
{
    SCOPED(text_done) struct text content = {0};

    for (size_t i = 0; i < ARRAY_COUNT(tables); i++) {
        const struct chunk *chunk = find(chunks, tables[i].kind, 0);
        struct bytes bytes;

        if (tables[i].is_optional && !has_kind(chunks, tables[i].kind))
            continue;
        if (!open_chunk(file, chunk, &content, &bytes) || !tables[i].read(&bytes, profile))
            return refuse(tables[i].name, err);
    }
    return 0;
}

static struct series_whole read_whole(struct bytes *bytes)
{
    struct series_whole whole = {0};

    whole.sample_count = bytes_uleb128(bytes);
    whole.value_sum = bytes_uleb128(bytes);
    whole.lost_count = bytes_uleb128(bytes);
    whole.happened_count = bytes_uleb128(bytes);
    whole.cpu_ns = bytes_uleb128(bytes);
    whole.user_ns = bytes_uleb128(bytes);
    return whole;
}

/* A later writer of this version may tell more; an older one has none. */
static bool read_counts(struct slice file, const struct chunk *chunk, struct profile_series *series)
{
    SCOPED(text_done) struct text content = {0};
    struct bytes bytes;
    uint64_t time_ns = 0;

    if (!chunk)
        return true;
    if (!open_chunk(file, chunk, &content, &bytes))
        return false;
    series->happened_count = bytes_uleb128(&bytes);
    if (bytes_left(&bytes) > 0)
        series->whole = read_whole(&bytes);
    while (bytes_left(&bytes) > 0 && !bytes.failed) {
        struct heap_interval interval = {.from_ns = time_ns + bytes_uleb128(&bytes)};

        interval.bytes = bytes_uleb128(&bytes);
        *vec_add(&series->intervals) = interval;
        time_ns = interval.from_ns;
    }
    return !bytes.failed;
}

static int read_series(struct slice file, const struct chunks *chunks, struct profile *profile,
                       struct error *err)
{
    SCOPED(text_done) struct text content = {0};
    uint32_t count = 0;

    for (size_t i = 0; i < chunks->items.count; i++)
        count += chunks->items.items[i].kind == CHUNK_SERIES;
    for (uint32_t i = 0; i < count; i++) {
        const struct chunk *chunk = find(chunks, CHUNK_SERIES, i);
        struct bytes bytes;

        if (!open_chunk(file, chunk, &content, &bytes) || !file_read_series(&bytes, profile))
            return refuse("series", err);
        if (!read_counts(file, find(chunks, CHUNK_COUNTS, i), &profile->series.items[i]))
            return refuse("counts", err);
        profile->series.items[i].is_summed = find(chunks, CHUNK_SUMMED, i) != NULL;
    }
    return count > 0 ? 0 : refuse("series", err);
}

/* Adds a block to its series; false when it is damaged, or not behind the one before in time. */
static bool take_block(struct slice file, const struct chunk *chunk, struct profile *profile)
{
    struct sample_store *samples = NULL;
    struct sample_block block = {
        .content_bytes = chunk->content_bytes,
        .count = chunk->count,
        .first_time_ns = chunk->first_time_ns,
        .last_time_ns = chunk->last_time_ns,
    };

    if (chunk->series >= profile->series.count || chunk->count == 0 || chunk->count > SAMPLE_BLOCK_MOST ||
        !chunks_stored(file, chunk, &block.stored))
        return false;
    samples = &profile->series.items[chunk->series].samples;
    if (samples->blocks.count > 0 &&
        samples->blocks.items[samples->blocks.count - 1].last_time_ns > chunk->first_time_ns)
        return false;
    *vec_add(&samples->blocks) = block;
    samples->summed_count++;
    return true;
}

static bool counts_add_up(const struct profile *profile)
{
    for (size_t i = 0; i < profile->series.count; i++) {
        const struct sample_store *samples = &profile->series.items[i].samples;
        uint64_t count = 0;

        for (size_t at = 0; at < samples->blocks.count; at++)
            count += samples->blocks.items[at].count;
        if (count != samples->count)
            return false;
    }
    return true;
}

static int read_samples(struct slice file, const struct chunks *chunks, struct profile *profile,
                        struct error *err)
{
    for (size_t i = 0; i < chunks->items.count; i++)
        if (chunks->items.items[i].kind == CHUNK_SAMPLES &&
            !take_block(file, &chunks->items.items[i], profile))
            return refuse("samples", err);
    for (size_t i = 0; i < profile->series.count; i++)
        profile->series.items[i].samples.limits =
            (struct sample_limits){(uint32_t)profile->threads.count, (uint32_t)profile->stacks.count};
    return counts_add_up(profile) ? 0 : refuse("samples", err);
}

int profile_file_read(struct text *file, struct profile *out, struct error *err)
{
    SCOPED(chunks_done) struct chunks chunks = {0};
    struct slice bytes = text_slice(file);
    struct profile profile;

    if (chunks_read_index(bytes, &chunks, err) < 0)
        return -1;
    profile_init(&profile);
    if (read_tables(bytes, &chunks, &profile, err) < 0 || read_series(bytes, &chunks, &profile, err) < 0 ||
        read_samples(bytes, &chunks, &profile, err) < 0) {
        profile_done(&profile);
        return -1;
    }
    profile.file = *file;
    *file = (struct text){0};
    *out = profile;
    return 0;
}
