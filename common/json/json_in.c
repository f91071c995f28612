#include "json/json_in.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/library.h"

/* The functions of the library, as cJSON.h declares them. What a node is we ask it ourselves. */
static struct {
    __typeof__(&cJSON_ParseWithLengthOpts) parse;
    __typeof__(&cJSON_Delete) delete;
    __typeof__(&cJSON_GetObjectItemCaseSensitive) find;
    __typeof__(&cJSON_PrintUnformatted) print;
    __typeof__(&cJSON_free) free;
} cjson;

static int load_cjson(struct error *err)
{
    const struct library_symbol symbols[] = {
        {"cJSON_ParseWithLengthOpts", (void **)&cjson.parse},
        {"cJSON_Delete", (void **)&cjson.delete},
        {"cJSON_GetObjectItemCaseSensitive", (void **)&cjson.find},
        {"cJSON_PrintUnformatted", (void **)&cjson.print},
        {"cJSON_free", (void **)&cjson.free},
    };

    if (cjson.free)
        return 0;
    return library_load("libcjson.so.1", "libcjson1", symbols, ARRAY_COUNT(symbols), err);
}

static bool is_type(const struct cJSON *node, int types)
{
    return node && (node->type & types);
}

/* The first line is 1. `end` lies in `content` or one past it. */
static size_t line_of(struct slice content, const char *end)
{
    size_t line = 1;

    for (const char *at = content.data; at < end; at++)
        line += *at == '\n';
    return line;
}

/* Whether a string, an array or an object is open where the text stops, and a parser got as far. */
static bool is_cut_short(struct slice content, const char *end)
{
    const char *last_mark = content.data;
    bool is_in_string = false;
    size_t depth = 0;

    for (size_t i = 0; i < content.length; i++) {
        char byte = content.data[i];

        if (is_in_string && byte == '\\') {
            i++;
            continue;
        }
        if (byte == '"')
            is_in_string = !is_in_string;
        else if (is_in_string || !strchr("{}[],:", byte))
            continue;
        last_mark = content.data + i;
        depth += byte == '{' || byte == '[';
        if ((byte == '}' || byte == ']') && depth-- == 0)
            return false;
    }
    return (depth > 0 || is_in_string) && end > last_mark;
}

/* The error of text that cJSON reads until `end`, NULL for not at all. */
static int refuse(struct slice content, const char *end, struct error *err)
{
    if (end && is_cut_short(content, end))
        return error_set(err, ERROR_FORMAT, "cut short: the JSON stops in line %zu",
                         line_of(content, content.data + content.length));
    return error_set(err, ERROR_FORMAT, "not JSON, or nested too deep: line %zu",
                     line_of(content, end ? end : content.data));
}

int json_parse(struct slice content, size_t limit_bytes, struct json_document *out, struct error *err)
{
    SCOPED(text_done) struct text copy = {0};
    const char *end = NULL;
    struct cJSON *root = NULL;

    if (content.length > limit_bytes)
        return error_set(err, ERROR_FORMAT, "larger than %zu bytes", limit_bytes);
    /*
     * cJSON is given a terminated copy: older releases look one byte past what they were
     * told, and with a terminator they also refuse what follows the value.
     */
    if (slice_find_byte(content, '\0') < content.length)
        return error_set(err, ERROR_FORMAT, "not JSON: a NUL byte in line %zu",
                         line_of(content, content.data + slice_find_byte(content, '\0')));
    if (load_cjson(err) < 0)
        return -1;
    text_add(&copy, content);
    text_string(&copy);
    root = cjson.parse(copy.data, copy.length + 1, &end, true);
    if (!root)
        return refuse(text_slice(&copy), end, err);
    out->root = root;
    return 0;
}

void json_document_done(struct json_document *document)
{
    if (document->root)
        cjson.delete(document->root);
    document->root = NULL;
}

struct json_value json_root(const struct json_document *document)
{
    return (struct json_value){.node = document->root};
}

static void add_step(struct text *text, const struct json_value *value)
{
    if (is_type(value->parent->node, cJSON_Array)) {
        text_format(text, "[%zu]", value->index);
        return;
    }
    if (value->parent->parent)
        text_add_byte(text, '.');
    text_add_terminal(text, json_name(value));
}

void json_add_path(struct text *text, const struct json_value *value)
{
    size_t steps = 0;

    for (const struct json_value *at = value; at->parent; at = at->parent)
        steps++;
    if (steps == 0)
        text_add_string(text, "the outermost value");
    /* From the outermost step in; a document is at most 1000 deep. */
    while (steps-- > 0) {
        const struct json_value *at = value;

        for (size_t up = 0; up < steps; up++)
            at = at->parent;
        add_step(text, at);
    }
}

static int is_not(const struct json_value *value, const char *what, struct error *err)
{
    SCOPED(text_done) struct text path = {0};

    json_add_path(&path, value);
    return error_set(err, ERROR_FORMAT, "%s: not %s", text_string(&path), what);
}

static int is_missing(const struct json_value *object, const char *name, struct error *err)
{
    SCOPED(text_done) struct text path = {0};

    if (object->parent) {
        json_add_path(&path, object);
        text_add_byte(&path, '.');
    }
    text_add_string(&path, name);
    return error_set(err, ERROR_FORMAT, "%s: missing", text_string(&path));
}

bool json_find(const struct json_value *object, const char *name, struct json_value *out)
{
    const struct cJSON *node = is_type(object->node, cJSON_Object) ? cjson.find(object->node, name) : NULL;

    if (!node || is_type(node, cJSON_NULL))
        return false;
    *out = (struct json_value){.node = node, .parent = object};
    return true;
}

int json_get_string(const struct json_value *object, const char *name, struct slice *out, struct error *err)
{
    struct json_value member;

    return json_find(object, name, &member) ? json_as_string(&member, out, err)
                                            : is_missing(object, name, err);
}

int json_get_u64(const struct json_value *object, const char *name, uint64_t *out, struct error *err)
{
    struct json_value member;

    return json_find(object, name, &member) ? json_as_u64(&member, out, err) : is_missing(object, name, err);
}

int json_get_double(const struct json_value *object, const char *name, double *out, struct error *err)
{
    struct json_value member;

    return json_find(object, name, &member) ? json_as_double(&member, out, err)
                                            : is_missing(object, name, err);
}

int json_get_bool(const struct json_value *object, const char *name, bool *out, struct error *err)
{
    struct json_value member;

    return json_find(object, name, &member) ? json_as_bool(&member, out, err) : is_missing(object, name, err);
}

int json_get_array(const struct json_value *object, const char *name, struct json_value *out,
                   struct error *err)
{
    struct json_value member;

    if (!json_find(object, name, &member))
        return is_missing(object, name, err);
    if (!json_is_array(&member))
        return is_not(&member, "an array", err);
    *out = member;
    return 0;
}

int json_get_object(const struct json_value *object, const char *name, struct json_value *out,
                    struct error *err)
{
    struct json_value member;

    if (!json_find(object, name, &member))
        return is_missing(object, name, err);
    if (!json_is_object(&member))
        return is_not(&member, "an object", err);
    *out = member;
    return 0;
}

int json_as_string(const struct json_value *value, struct slice *out, struct error *err)
{
    if (!json_is_string(value))
        return is_not(value, "a string", err);
    *out = slice_of(value->node->valuestring);
    return 0;
}

int json_as_u64(const struct json_value *value, uint64_t *out, struct error *err)
{
    const double limit = 9007199254740992.0; /* 2^53 */
    double number = is_type(value->node, cJSON_Number) ? value->node->valuedouble : -1;

    if (!(number >= 0 && number <= limit) || (double)(uint64_t)number != number)
        return is_not(value, "a whole number from 0 to 2^53", err);
    *out = (uint64_t)number;
    return 0;
}

int json_as_double(const struct json_value *value, double *out, struct error *err)
{
    if (!is_type(value->node, cJSON_Number))
        return is_not(value, "a number", err);
    *out = value->node->valuedouble;
    return 0;
}

int json_as_bool(const struct json_value *value, bool *out, struct error *err)
{
    if (!is_type(value->node, cJSON_True | cJSON_False))
        return is_not(value, "true or false", err);
    *out = is_type(value->node, cJSON_True);
    return 0;
}

bool json_is_array(const struct json_value *value)
{
    return is_type(value->node, cJSON_Array);
}

bool json_is_object(const struct json_value *value)
{
    return is_type(value->node, cJSON_Object);
}

bool json_is_string(const struct json_value *value)
{
    return is_type(value->node, cJSON_String) && value->node->valuestring;
}

size_t json_count(const struct json_value *value)
{
    size_t count = 0;
    struct json_value item;

    for (bool more = json_first(value, &item); more; more = json_next(&item))
        count++;
    return count;
}

bool json_first(const struct json_value *parent, struct json_value *item)
{
    if (!parent->node || !parent->node->child)
        return false;
    *item = (struct json_value){.node = parent->node->child, .parent = parent};
    return true;
}

bool json_next(struct json_value *item)
{
    if (!item->node->next)
        return false;
    item->node = item->node->next;
    item->index++;
    return true;
}

struct slice json_name(const struct json_value *member)
{
    return slice_of(member->node ? member->node->string : NULL);
}

void json_add_value(struct text *text, const struct json_value *value)
{
    char *printed = cjson.print(value->node);

    text_add_string(text, printed);
    cjson.free(printed);
}
