#include "import/pprof_message.h"

#include "import/pprof_fields.h"

void pprof_message_done(struct pprof_message *message)
{
    vec_done(&message->strings);
    vec_done(&message->types);
    vec_done(&message->mappings);
    vec_done(&message->functions);
    vec_done(&message->locations);
    vec_done(&message->lines);
    vec_done(&message->samples);
    vec_done(&message->comments);
    pair_index_done(&message->mapping_ids);
    pair_index_done(&message->function_ids);
    pair_index_done(&message->location_ids);
    *message = (struct pprof_message){0};
}

void pprof_sample_done(struct pprof_sample *sample)
{
    vec_done(&sample->locations);
    vec_done(&sample->values);
    vec_done(&sample->labels);
}

struct slice pprof_text(const struct pprof_message *message, uint64_t string)
{
    return string < message->strings.count ? message->strings.items[string] : (struct slice){0};
}

const struct pprof_mapping *pprof_mapping_of(const struct pprof_message *message, uint64_t id)
{
    uint32_t at = pair_index_find(&message->mapping_ids, id, 0);

    return at < message->mappings.count ? &message->mappings.items[at] : NULL;
}

const struct pprof_function *pprof_function_of(const struct pprof_message *message, uint64_t id)
{
    uint32_t at = pair_index_find(&message->function_ids, id, 0);

    return at < message->functions.count ? &message->functions.items[at] : NULL;
}

/* --- Detection ----------------------------------------------------------------------------------- */

/* Whether a field of the whole has the type that it is to have. */
static bool is_field_of_profile(const struct protobuf_field *field)
{
    switch (field->field) {
    case PROFILE_SAMPLE_TYPE:
    case PROFILE_SAMPLE:
    case PROFILE_MAPPING:
    case PROFILE_LOCATION:
    case PROFILE_FUNCTION:
    case PROFILE_STRING:
    case PROFILE_PERIOD_TYPE:
        return field->type == PROTOBUF_BYTES;
    case PROFILE_COMMENT:
        return field->type == PROTOBUF_BYTES || field->type == PROTOBUF_NUMBER;
    case PROFILE_DROP_FRAMES:
    case PROFILE_KEEP_FRAMES:
    case PROFILE_TIME_NANOS:
    case PROFILE_DURATION_NANOS:
    case PROFILE_PERIOD:
    case PROFILE_DEFAULT_TYPE:
    case PROFILE_DOC_URL:
        return field->type == PROTOBUF_NUMBER;
    default:
        return field->field > PROFILE_DOC_URL && field->field <= PROFILE_LATER_MOST;
    }
}

/* Lengths and keys of short fields are bytes that no text has. */
static bool has_bytes_of_no_text(struct slice start)
{
    for (size_t i = 0; i < start.length; i++)
        if ((unsigned char)start.data[i] < '\b')
            return true;
    return false;
}

bool pprof_message_begins(struct slice start)
{
    struct bytes message = bytes_of(start, false);
    struct protobuf_field field = {0};
    size_t count = 0;

    for (; protobuf_next(&message, &field); count++)
        if (!is_field_of_profile(&field))
            return false;
    /* The last one may go on behind the start. */
    return count > 0 && has_bytes_of_no_text(start) && (!message.failed || is_field_of_profile(&field));
}

/* --- Tables -------------------------------------------------------------------------------------- */

/* The numbers of a message in the message, by field; no field of more is asked for. */
enum { FIELDS_MOST = MAPPING_BUILD_ID + 1 };

struct fields {
    uint64_t numbers[FIELDS_MOST];
};

/* False when the message is damaged; fields of no number are passed over. */
static bool read_fields(struct slice bytes, struct fields *out)
{
    struct bytes message = bytes_of(bytes, false);
    struct protobuf_field field;

    *out = (struct fields){0};
    while (protobuf_next(&message, &field))
        if (field.field < FIELDS_MOST && field.type == PROTOBUF_NUMBER)
            out->numbers[field.field] = field.number;
    return !message.failed;
}

static bool read_type(struct slice bytes, struct pprof_type *out)
{
    struct fields fields;

    if (!read_fields(bytes, &fields))
        return false;
    *out = (struct pprof_type){fields.numbers[VALUE_TYPE], fields.numbers[VALUE_UNIT]};
    return true;
}

/* Whether nothing had the id before, which is that of the next one then. */
static bool take_id(struct pair_index *ids, uint64_t id, size_t count)
{
    return id > 0 && pair_index_add(ids, id, 0) == count;
}

static bool add_mapping(struct pprof_message *message, struct slice bytes)
{
    struct fields fields;

    if (!read_fields(bytes, &fields) ||
        !take_id(&message->mapping_ids, fields.numbers[MAPPING_ID], message->mappings.count))
        return false;
    *vec_add(&message->mappings) = (struct pprof_mapping){
        .start_avma = fields.numbers[MAPPING_START],
        .limit_avma = fields.numbers[MAPPING_LIMIT],
        .file_offset = fields.numbers[MAPPING_OFFSET],
        .file = fields.numbers[MAPPING_FILE],
        .build_id = fields.numbers[MAPPING_BUILD_ID],
    };
    return true;
}

static bool add_function(struct pprof_message *message, struct slice bytes)
{
    struct fields fields;

    if (!read_fields(bytes, &fields) ||
        !take_id(&message->function_ids, fields.numbers[FUNCTION_ID], message->functions.count))
        return false;
    *vec_add(&message->functions) = (struct pprof_function){
        .name = fields.numbers[FUNCTION_NAME],
        .system_name = fields.numbers[FUNCTION_SYSTEM_NAME],
        .file = fields.numbers[FUNCTION_FILE],
    };
    return true;
}

static bool add_line(struct pprof_message *message, struct slice bytes)
{
    struct fields fields;

    if (!read_fields(bytes, &fields))
        return false;
    *vec_add(&message->lines) =
        (struct pprof_line){fields.numbers[LINE_FUNCTION], (int64_t)fields.numbers[LINE_NUMBER]};
    return true;
}

static bool add_location(struct pprof_message *message, struct slice bytes)
{
    struct bytes rest = bytes_of(bytes, false);
    size_t first_line = message->lines.count;
    struct protobuf_field field;
    struct fields fields;

    if (!read_fields(bytes, &fields) ||
        !take_id(&message->location_ids, fields.numbers[LOCATION_ID], message->locations.count))
        return false;
    while (protobuf_next(&rest, &field))
        if (field.field == LOCATION_LINE && (field.type != PROTOBUF_BYTES || !add_line(message, field.bytes)))
            return false;
    *vec_add(&message->locations) = (struct pprof_location){
        .mapping = fields.numbers[LOCATION_MAPPING],
        .avma = fields.numbers[LOCATION_ADDRESS],
        .first_line = first_line,
        .line_count = message->lines.count - first_line,
    };
    return true;
}

static bool add_type(struct pprof_message *message, struct slice bytes)
{
    struct pprof_type type;

    if (!read_type(bytes, &type))
        return false;
    *vec_add(&message->types) = type;
    return true;
}

static bool add_field(struct pprof_message *message, const struct protobuf_field *field)
{
    switch (field->field) {
    case PROFILE_SAMPLE_TYPE:
        return add_type(message, field->bytes);
    case PROFILE_SAMPLE:
        *vec_add(&message->samples) = field->bytes;
        return true;
    case PROFILE_MAPPING:
        return add_mapping(message, field->bytes);
    case PROFILE_LOCATION:
        return add_location(message, field->bytes);
    case PROFILE_FUNCTION:
        return add_function(message, field->bytes);
    case PROFILE_STRING:
        *vec_add(&message->strings) = field->bytes;
        return true;
    case PROFILE_DROP_FRAMES:
        message->drop_frames = field->number;
        return true;
    case PROFILE_KEEP_FRAMES:
        message->keep_frames = field->number;
        return true;
    case PROFILE_TIME_NANOS:
        message->time_ns = (int64_t)field->number;
        return true;
    case PROFILE_DURATION_NANOS:
        message->duration_ns = (int64_t)field->number;
        return true;
    case PROFILE_PERIOD_TYPE:
        return read_type(field->bytes, &message->period_type);
    case PROFILE_PERIOD:
        message->period = field->number;
        return true;
    case PROFILE_COMMENT:
        return protobuf_add_numbers(field, &message->comments);
    case PROFILE_DEFAULT_TYPE:
        message->default_type = field->number;
        return true;
    default:
        return true;
    }
}

/* --- Checks -------------------------------------------------------------------------------------- */

static int refuse(struct error *err, const char *what)
{
    error_hint(err, "copy it again from where it was written, or record again");
    return error_set(err, ERROR_FORMAT, "damaged: %s", what);
}

static bool has_types(const struct pprof_message *message)
{
    for (size_t i = 0; i < message->types.count; i++)
        if (message->types.items[i].type >= message->strings.count ||
            message->types.items[i].unit >= message->strings.count)
            return false;
    return message->period_type.type < message->strings.count &&
           message->period_type.unit < message->strings.count;
}

/* Whether all text that is referred to is there. */
static bool has_strings(const struct pprof_message *message)
{
    size_t count = message->strings.count;

    for (size_t i = 0; i < message->mappings.count; i++)
        if (message->mappings.items[i].file >= count || message->mappings.items[i].build_id >= count)
            return false;
    for (size_t i = 0; i < message->functions.count; i++)
        if (message->functions.items[i].name >= count || message->functions.items[i].system_name >= count ||
            message->functions.items[i].file >= count)
            return false;
    for (size_t i = 0; i < message->comments.count; i++)
        if (message->comments.items[i] >= count)
            return false;
    return message->default_type < count && message->drop_frames < count && message->keep_frames < count;
}

static int check(const struct pprof_message *message, struct error *err)
{
    if (message->strings.count == 0 || message->strings.items[0].length > 0)
        return refuse(err, "its first string is not the empty one");
    if (!has_types(message) || !has_strings(message))
        return refuse(err, "a name is none of its strings");
    if (message->types.count == 0)
        return error_set(err, ERROR_FORMAT, "it does not tell what its samples are of");
    if (message->types.count > PPROF_TYPES_MOST)
        return error_set(err, ERROR_FORMAT, "its samples have %zu values each, and %d are read",
                         message->types.count, PPROF_TYPES_MOST);
    return 0;
}

static int read_message(struct slice bytes, struct pprof_message *message, struct error *err)
{
    struct bytes rest = bytes_of(bytes, false);
    struct protobuf_field field;

    while (protobuf_next(&rest, &field)) {
        if (!is_field_of_profile(&field))
            return refuse(err, "a field is of another type");
        if (!add_field(message, &field))
            return refuse(err, "a mapping, a location or a function");
    }
    if (rest.failed)
        return refuse(err, "cut short, or no field where one is to begin");
    return check(message, err);
}

int pprof_message_read(struct slice bytes, struct pprof_message *out, struct error *err)
{
    *out = (struct pprof_message){0};
    if (read_message(bytes, out, err) == 0)
        return 0;
    pprof_message_done(out);
    return -1;
}

/* --- Samples ------------------------------------------------------------------------------------- */

static bool add_label(struct slice bytes, struct pprof_sample *out)
{
    struct fields fields;

    if (!read_fields(bytes, &fields))
        return false;
    *vec_add(&out->labels) = (struct pprof_label){fields.numbers[LABEL_KEY], fields.numbers[LABEL_TEXT],
                                                  fields.numbers[LABEL_NUMBER]};
    return true;
}

static bool add_field_of_sample(const struct protobuf_field *field, struct pprof_sample *out)
{
    switch (field->field) {
    case SAMPLE_LOCATION:
        return protobuf_add_numbers(field, &out->locations);
    case SAMPLE_VALUE:
        return protobuf_add_numbers(field, &out->values);
    case SAMPLE_LABEL:
        return field->type == PROTOBUF_BYTES && add_label(field->bytes, out);
    default:
        return true;
    }
}

/* Ids become places. */
static bool find_locations(const struct pprof_message *message, struct pprof_sample *sample)
{
    for (size_t i = 0; i < sample->locations.count; i++) {
        uint32_t at = pair_index_find(&message->location_ids, sample->locations.items[i], 0);

        if (at >= message->locations.count)
            return false;
        sample->locations.items[i] = at;
    }
    return true;
}

static bool has_labels(const struct pprof_message *message, const struct pprof_sample *sample)
{
    for (size_t i = 0; i < sample->labels.count; i++)
        if (sample->labels.items[i].key >= message->strings.count ||
            sample->labels.items[i].text >= message->strings.count)
            return false;
    return true;
}

static int check_values(const struct pprof_message *message, const struct pprof_sample *sample,
                        struct error *err)
{
    if (sample->values.count != message->types.count)
        return refuse(err, "a sample has more or fewer values than there are types");
    for (size_t i = 0; i < sample->values.count; i++) {
        if (sample->values.items[i] <= INT64_MAX)
            continue;
        error_hint(err, "differences are not read: cargo cprof diff BEFORE AFTER makes them of two profiles");
        return error_set(err, ERROR_FORMAT, "it has values below 0, as a difference of two profiles");
    }
    return 0;
}

int pprof_sample_read(const struct pprof_message *message, struct slice bytes, struct pprof_sample *out,
                      struct error *err)
{
    struct bytes rest = bytes_of(bytes, false);
    struct protobuf_field field;

    out->locations.count = out->values.count = out->labels.count = 0;
    while (protobuf_next(&rest, &field))
        if (!add_field_of_sample(&field, out))
            return refuse(err, "a sample");
    if (rest.failed)
        return refuse(err, "a sample");
    if (!find_locations(message, out))
        return refuse(err, "a sample is in a location that is not there");
    if (!has_labels(message, out))
        return refuse(err, "a name is none of its strings");
    return check_values(message, out, err);
}
