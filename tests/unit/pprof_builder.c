#include "pprof_builder.h"

void pprof_builder_done(struct pprof_builder *builder)
{
    text_done(&builder->message);
    intern_done(&builder->strings);
}

void pprof_put_number(struct text *message, unsigned field, uint64_t number)
{
    text_add_uleb128(message, (uint64_t)field << 3);
    text_add_uleb128(message, number);
}

void pprof_put_bytes(struct text *message, unsigned field, struct slice bytes)
{
    text_add_uleb128(message, (uint64_t)field << 3 | 2);
    text_add_uleb128(message, bytes.length);
    text_add(message, bytes);
}

uint64_t pprof_builder_string(struct pprof_builder *builder, const char *text)
{
    intern_add(&builder->strings, SLICE(""));
    return intern_add(&builder->strings, slice_of(text));
}

static void put_value_type(struct pprof_builder *builder, unsigned field, const char *type, const char *unit)
{
    SCOPED(text_done) struct text message = {0};

    pprof_put_number(&message, 1, pprof_builder_string(builder, type));
    pprof_put_number(&message, 2, pprof_builder_string(builder, unit));
    pprof_put_bytes(&builder->message, field, text_slice(&message));
}

void pprof_builder_type(struct pprof_builder *builder, const char *type, const char *unit)
{
    put_value_type(builder, 1, type, unit);
}

void pprof_builder_period(struct pprof_builder *builder, const char *type, const char *unit, uint64_t period)
{
    put_value_type(builder, 11, type, unit);
    pprof_put_number(&builder->message, 12, period);
}

uint64_t pprof_builder_mapping(struct pprof_builder *builder, const uint64_t start_limit_offset[3],
                               const char *file, const char *build_id)
{
    SCOPED(text_done) struct text message = {0};

    pprof_put_number(&message, 1, ++builder->mapping_count);
    for (unsigned i = 0; i < 3; i++)
        pprof_put_number(&message, i + 2, start_limit_offset[i]);
    pprof_put_number(&message, 5, pprof_builder_string(builder, file));
    pprof_put_number(&message, 6, pprof_builder_string(builder, build_id));
    pprof_put_bytes(&builder->message, 3, text_slice(&message));
    return builder->mapping_count;
}

uint64_t pprof_builder_function(struct pprof_builder *builder, const char *name, const char *system_name,
                                const char *file)
{
    SCOPED(text_done) struct text message = {0};

    pprof_put_number(&message, 1, ++builder->function_count);
    pprof_put_number(&message, 2, pprof_builder_string(builder, name));
    pprof_put_number(&message, 3, pprof_builder_string(builder, system_name));
    pprof_put_number(&message, 4, pprof_builder_string(builder, file));
    pprof_put_bytes(&builder->message, 5, text_slice(&message));
    return builder->function_count;
}

uint64_t pprof_builder_location(struct pprof_builder *builder, uint64_t mapping, uint64_t address,
                                const uint64_t *lines)
{
    SCOPED(text_done) struct text message = {0};
    SCOPED(text_done) struct text line = {0};

    pprof_put_number(&message, 1, ++builder->location_count);
    pprof_put_number(&message, 2, mapping);
    pprof_put_number(&message, 3, address);
    for (; *lines > 0; lines += 2) {
        text_clear(&line);
        pprof_put_number(&line, 1, lines[0]);
        pprof_put_number(&line, 2, lines[1]);
        pprof_put_bytes(&message, 4, text_slice(&line));
    }
    pprof_put_bytes(&builder->message, 4, text_slice(&message));
    return builder->location_count;
}

uint64_t pprof_builder_call(struct pprof_builder *builder, const char *name)
{
    const uint64_t lines[] = {pprof_builder_function(builder, name, NULL, NULL), 0, 0};

    return pprof_builder_location(builder, 0, 0, lines);
}

static void put_numbers(struct text *message, unsigned field, const uint64_t *numbers, size_t count)
{
    SCOPED(text_done) struct text packed = {0};

    for (size_t i = 0; i < count; i++)
        text_add_uleb128(&packed, numbers[i]);
    pprof_put_bytes(message, field, text_slice(&packed));
}

static void put_sample(struct text *message, const uint64_t *locations, const uint64_t *values,
                       size_t value_count)
{
    size_t count = 0;

    while (locations[count] > 0)
        count++;
    put_numbers(message, 1, locations, count);
    put_numbers(message, 2, values, value_count);
}

void pprof_builder_sample(struct pprof_builder *builder, const uint64_t *locations, const uint64_t *values,
                          size_t value_count)
{
    SCOPED(text_done) struct text message = {0};

    put_sample(&message, locations, values, value_count);
    pprof_put_bytes(&builder->message, 2, text_slice(&message));
}

void pprof_builder_labelled(struct pprof_builder *builder, uint64_t location, uint64_t value, const char *key,
                            const char *text, uint64_t number)
{
    const uint64_t locations[] = {location, 0};
    SCOPED(text_done) struct text message = {0};
    SCOPED(text_done) struct text label = {0};

    put_sample(&message, locations, &value, 1);
    pprof_put_number(&label, 1, pprof_builder_string(builder, key));
    if (text)
        pprof_put_number(&label, 2, pprof_builder_string(builder, text));
    else
        pprof_put_number(&label, 3, number);
    pprof_put_bytes(&message, 3, text_slice(&label));
    pprof_put_bytes(&builder->message, 2, text_slice(&message));
}

struct slice pprof_builder_bytes(struct pprof_builder *builder)
{
    intern_add(&builder->strings, SLICE(""));
    for (uint32_t i = 0; i < builder->strings.entries.count; i++)
        pprof_put_bytes(&builder->message, 6, intern_text(&builder->strings, i));
    return text_slice(&builder->message);
}
