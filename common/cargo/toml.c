#include "cargo/toml.h"

#include <string.h>

#include "base/ascii.h"
#include "base/intern.h"
#include "base/text.h"
#include "base/vec.h"
#include "cargo/toml_string.h"

/* A member of a table; found by the parent's id and its key. */
struct indexed_member {
    struct toml_node *node;
};

/* The file being read. */
struct parser {
    struct toml_cursor cursor;
    struct toml_node *root;
    struct toml_node *table; /* of the header above: where keys go */
    uint32_t node_count;
    struct intern index;                /* finds a member without walking its table */
    VEC(struct indexed_member) indexed; /* by the id in `index` */
    struct text scratch;
};

static void parser_done(struct parser *parser)
{
    intern_done(&parser->index);
    vec_done(&parser->indexed);
    text_done(&parser->scratch);
}

static struct toml_node *add_node(struct parser *parser, struct toml_node *parent, enum toml_kind kind,
                                  enum toml_origin origin)
{
    struct toml_node *node = ARENA_NEW(parser->cursor.arena, struct toml_node);

    node->kind = kind;
    node->origin = origin;
    node->id = parser->node_count++;
    node->line = parser->cursor.line;
    if (!parent)
        return node;
    if (parent->last_child)
        parent->last_child->next = node;
    else
        parent->first_child = node;
    parent->last_child = node;
    return node;
}

static struct slice member_name(struct parser *parser, const struct toml_node *table, struct slice key)
{
    text_clear(&parser->scratch);
    text_add(&parser->scratch, (struct slice){(const char *)&table->id, sizeof(table->id)});
    text_add(&parser->scratch, key);
    return text_slice(&parser->scratch);
}

static struct toml_node *find_member(struct parser *parser, const struct toml_node *table, struct slice key)
{
    uint32_t id = intern_find(&parser->index, member_name(parser, table, key));

    return id == INTERN_NONE ? NULL : parser->indexed.items[id].node;
}

static struct toml_node *add_member(struct parser *parser, struct toml_node *table, struct slice key,
                                    enum toml_kind kind, enum toml_origin origin)
{
    struct toml_node *node = add_node(parser, table, kind, origin);

    node->key = key;
    intern_add(&parser->index, member_name(parser, table, key));
    *vec_add(&parser->indexed) = (struct indexed_member){node};
    return node;
}

static int fail_duplicate(const struct parser *parser, const struct toml_node *first, struct error *err)
{
    return toml_fail(&parser->cursor, err, "`%s` is defined already in line %u", first->key.data,
                     first->line);
}

static void skip_blanks(struct parser *parser)
{
    scan_skip_any(&parser->cursor.scan, " \t");
}

/* A comment, which may be none; its line end stays. */
static void skip_comment(struct parser *parser)
{
    struct scan *scan = &parser->cursor.scan;

    if (scan_peek(scan) != '#')
        return;
    while (!scan_at_end(scan) && toml_is_text_byte(scan_peek(scan)))
        scan_byte(scan, scan_peek(scan));
}

/* Blanks, comments and line ends, as may stand between the items of an array. */
static void skip_lines(struct parser *parser)
{
    do {
        skip_blanks(parser);
        skip_comment(parser);
    } while (toml_take_newline(&parser->cursor));
}

static int take_line_end(struct parser *parser, struct error *err)
{
    skip_blanks(parser);
    skip_comment(parser);
    if (toml_take_newline(&parser->cursor) || scan_at_end(&parser->cursor.scan))
        return 0;
    return toml_fail(&parser->cursor, err, "something stands where the line should end");
}

static bool is_bare_key_byte(char byte)
{
    return ascii_is_name(byte) || byte == '-';
}

/* The run of bytes at the cursor for which `is_part` says so. */
static struct slice take_run(struct parser *parser, bool (*is_part)(char))
{
    struct slice rest = parser->cursor.scan.rest;
    struct slice run = {0};
    size_t count = 0;

    while (count < rest.length && is_part(rest.data[count]))
        count++;
    scan_bytes(&parser->cursor.scan, count, &run);
    return run;
}

/* One part of a dotted key, and the blanks after it. */
static int take_key(struct parser *parser, struct slice *out, struct error *err)
{
    char byte = scan_peek(&parser->cursor.scan);
    struct slice bare;

    if (byte == '"' || byte == '\'') {
        if (toml_take_string(&parser->cursor, false, out, err) < 0)
            return -1;
        skip_blanks(parser);
        return 0;
    }
    bare = take_run(parser, is_bare_key_byte);
    if (bare.length == 0)
        return toml_fail(&parser->cursor, err, "a key is missing, or begins with a byte that needs quotes");
    *out = arena_slice(parser->cursor.arena, bare);
    skip_blanks(parser);
    return 0;
}

static bool take_dot(struct parser *parser)
{
    if (!scan_byte(&parser->cursor.scan, '.'))
        return false;
    skip_blanks(parser);
    return true;
}

/* The table that `key` of a header names on the way to the last key. */
static int enter_header_key(struct parser *parser, struct toml_node **table, struct slice key,
                            struct error *err)
{
    struct toml_node *node = find_member(parser, *table, key);

    if (!node)
        node = add_member(parser, *table, key, TOML_TABLE, TOML_ORIGIN_IMPLICIT);
    else if (node->origin == TOML_ORIGIN_VALUE)
        return fail_duplicate(parser, node, err);
    *table = node->kind == TOML_ARRAY ? node->last_child : node;
    return 0;
}

/* The last key of [header]. */
static int define_table(struct parser *parser, struct toml_node *parent, struct slice key, struct error *err)
{
    struct toml_node *node = find_member(parser, parent, key);

    if (!node)
        node = add_member(parser, parent, key, TOML_TABLE, TOML_ORIGIN_HEADER);
    else if (node->origin != TOML_ORIGIN_IMPLICIT)
        return fail_duplicate(parser, node, err);
    node->origin = TOML_ORIGIN_HEADER;
    node->line = parser->cursor.line;
    parser->table = node;
    return 0;
}

/* The last key of [[header]]. */
static int define_array_item(struct parser *parser, struct toml_node *parent, struct slice key,
                             struct error *err)
{
    struct toml_node *node = find_member(parser, parent, key);

    if (!node)
        node = add_member(parser, parent, key, TOML_ARRAY, TOML_ORIGIN_HEADER);
    else if (node->kind != TOML_ARRAY || node->origin != TOML_ORIGIN_HEADER)
        return fail_duplicate(parser, node, err);
    parser->table = add_node(parser, node, TOML_TABLE, TOML_ORIGIN_HEADER);
    return 0;
}

/* After the "[". */
static int parse_header(struct parser *parser, struct error *err)
{
    bool is_array = scan_byte(&parser->cursor.scan, '[');
    struct toml_node *parent = parser->root;
    struct slice key;

    skip_blanks(parser);
    if (take_key(parser, &key, err) < 0)
        return -1;
    while (take_dot(parser))
        if (enter_header_key(parser, &parent, key, err) < 0 || take_key(parser, &key, err) < 0)
            return -1;
    if (!scan_text(&parser->cursor.scan, is_array ? "]]" : "]"))
        return toml_fail(&parser->cursor, err, "a header does not end in %s", is_array ? "]]" : "]");
    return is_array ? define_array_item(parser, parent, key, err) : define_table(parser, parent, key, err);
}

/* The table that `key` of a dotted key names on the way to the last key. */
static int enter_dotted_key(struct parser *parser, struct toml_node **table, struct slice key,
                            struct error *err)
{
    struct toml_node *node = find_member(parser, *table, key);

    if (!node)
        node = add_member(parser, *table, key, TOML_TABLE, TOML_ORIGIN_DOTTED);
    else if (node->origin != TOML_ORIGIN_DOTTED && node->origin != TOML_ORIGIN_IMPLICIT)
        return fail_duplicate(parser, node, err);
    node->origin = TOML_ORIGIN_DOTTED;
    *table = node;
    return 0;
}

/* "key.key = ": gives the node that the value goes into. */
static int take_assignment(struct parser *parser, struct toml_node *table, struct toml_node **out,
                           struct error *err)
{
    const struct toml_node *known = NULL;
    struct slice key;

    if (take_key(parser, &key, err) < 0)
        return -1;
    while (take_dot(parser))
        if (enter_dotted_key(parser, &table, key, err) < 0 || take_key(parser, &key, err) < 0)
            return -1;
    known = find_member(parser, table, key);
    if (known)
        return fail_duplicate(parser, known, err);
    if (!scan_byte(&parser->cursor.scan, '='))
        return toml_fail(&parser->cursor, err, "a key without \"=\"");
    skip_blanks(parser);
    *out = add_member(parser, table, key, TOML_STRING, TOML_ORIGIN_VALUE);
    return 0;
}

static bool is_scalar_byte(char byte)
{
    return is_bare_key_byte(byte) || byte == '+' || byte == '.' || byte == ':';
}

/* A date and a time may have a space between them. */
static struct slice take_scalar_token(struct parser *parser)
{
    struct slice rest = parser->cursor.scan.rest;
    struct slice token = take_run(parser, is_scalar_byte);
    bool is_date = token.length == sizeof("2000-01-01") - 1 && token.data[4] == '-' && token.data[7] == '-';

    if (is_date && rest.length > token.length + 1 && rest.data[token.length] == ' ' &&
        ascii_is_digit(rest.data[token.length + 1])) {
        scan_byte(&parser->cursor.scan, ' ');
        token.length += 1 + take_run(parser, is_scalar_byte).length;
    }
    return token;
}

static int parse_scalar(struct parser *parser, struct toml_node *node, struct error *err)
{
    char byte = scan_peek(&parser->cursor.scan);
    struct slice token;

    if (byte == '"' || byte == '\'')
        return toml_take_string(&parser->cursor, true, &node->text, err);
    token = take_scalar_token(parser);
    if (token.length == 0)
        return toml_fail(&parser->cursor, err, "a value is missing");
    node->text = arena_slice(parser->cursor.arena, token);
    if (!toml_classify(token, &node->kind, &node->integer))
        return toml_fail(&parser->cursor, err, "`%.*s` is no value",
                         token.length < 40 ? (int)token.length : 40, token.data);
    return 0;
}

/* The arrays and inline tables that are open, outermost first. */
struct nesting {
    struct toml_node *open[TOML_LIMIT_NESTING];
    size_t depth;
};

/* What comes next in the innermost open array or inline table. */
enum next_item { ITEM_FAILED = -1, ITEM_VALUE, ITEM_CLOSED };

static enum next_item next_in_array(struct parser *parser, struct toml_node *array, struct toml_node **slot,
                                    struct error *err)
{
    skip_lines(parser);
    if (array->last_child && !scan_byte(&parser->cursor.scan, ',')) {
        if (scan_byte(&parser->cursor.scan, ']'))
            return ITEM_CLOSED;
        return toml_fail(&parser->cursor, err, "an array needs \",\" or \"]\" here");
    }
    skip_lines(parser);
    if (scan_byte(&parser->cursor.scan, ']'))
        return ITEM_CLOSED;
    *slot = add_node(parser, array, TOML_STRING, TOML_ORIGIN_VALUE);
    return ITEM_VALUE;
}

/* An inline table stands on one line and has no comma at its end. */
static enum next_item next_in_table(struct parser *parser, struct toml_node *table, struct toml_node **slot,
                                    struct error *err)
{
    skip_blanks(parser);
    if (scan_byte(&parser->cursor.scan, '}'))
        return ITEM_CLOSED;
    if (table->last_child) {
        if (!scan_byte(&parser->cursor.scan, ','))
            return toml_fail(&parser->cursor, err, "an inline table needs \",\" or \"}\" here");
        skip_blanks(parser);
    }
    return take_assignment(parser, table, slot, err) < 0 ? ITEM_FAILED : ITEM_VALUE;
}

/* Closes what ends here and stops at the place of the next value; `slot` is NULL when all is closed. */
static int find_next_slot(struct parser *parser, struct nesting *nesting, struct toml_node **slot,
                          struct error *err)
{
    *slot = NULL;
    while (nesting->depth > 0) {
        struct toml_node *innermost = nesting->open[nesting->depth - 1];
        enum next_item next = innermost->kind == TOML_ARRAY ? next_in_array(parser, innermost, slot, err)
                                                            : next_in_table(parser, innermost, slot, err);

        if (next != ITEM_CLOSED)
            return next == ITEM_FAILED ? -1 : 0;
        nesting->depth--;
    }
    return 0;
}

/* A value of any depth, without recursion. */
static int parse_value(struct parser *parser, struct toml_node *slot, struct error *err)
{
    struct nesting nesting;

    nesting.depth = 0;
    while (slot) {
        bool is_array = scan_byte(&parser->cursor.scan, '[');

        if (is_array || scan_byte(&parser->cursor.scan, '{')) {
            if (nesting.depth == TOML_LIMIT_NESTING)
                return toml_fail(&parser->cursor, err, "nested deeper than %d", TOML_LIMIT_NESTING);
            slot->kind = is_array ? TOML_ARRAY : TOML_TABLE;
            nesting.open[nesting.depth++] = slot;
        } else if (parse_scalar(parser, slot, err) < 0) {
            return -1;
        }
        if (find_next_slot(parser, &nesting, &slot, err) < 0)
            return -1;
    }
    return 0;
}

/* One header or one key with its value; the lines before it may be empty. */
static int parse_expression(struct parser *parser, struct error *err)
{
    struct toml_node *slot = NULL;

    if (scan_byte(&parser->cursor.scan, '['))
        return parse_header(parser, err);
    if (take_assignment(parser, parser->table, &slot, err) < 0)
        return -1;
    return parse_value(parser, slot, err);
}

static int parse_document(struct parser *parser, struct error *err)
{
    for (skip_lines(parser); !scan_at_end(&parser->cursor.scan); skip_lines(parser))
        if (parse_expression(parser, err) < 0 || take_line_end(parser, err) < 0)
            return -1;
    return 0;
}

static int check_utf8(struct slice content, struct error *err)
{
    struct toml_cursor cursor = {.line = 1};

    for (size_t at = 0, length = 0; at < content.length; at += length) {
        length = text_utf8_length(slice_range(content, at, content.length));
        if (length == 0)
            return toml_fail(&cursor, err, "not UTF-8");
        cursor.line += content.data[at] == '\n';
    }
    return 0;
}

int toml_parse(struct arena *arena, struct slice content, const struct toml_node **out, struct error *err)
{
    SCOPED(parser_done)
    struct parser parser = {.cursor = {.scan = scan_of(content), .line = 1, .arena = arena}};

    if (content.length > TOML_LIMIT_BYTES)
        return error_set(err, ERROR_FORMAT, "larger than %d bytes", TOML_LIMIT_BYTES);
    if (check_utf8(content, err) < 0)
        return -1;
    scan_text(&parser.cursor.scan, "\xef\xbb\xbf");
    parser.root = add_node(&parser, NULL, TOML_TABLE, TOML_ORIGIN_HEADER);
    parser.table = parser.root;
    if (parse_document(&parser, err) < 0)
        return -1;
    *out = parser.root;
    return 0;
}

const struct toml_node *toml_find(const struct toml_node *table, struct slice key)
{
    for (const struct toml_node *member = table->first_child; member; member = member->next)
        if (slice_equal(member->key, key))
            return member;
    return NULL;
}

const struct toml_node *toml_find_path(const struct toml_node *node, const char *const *keys)
{
    for (; node && *keys; keys++)
        node = node->kind == TOML_TABLE ? toml_find(node, slice_of(*keys)) : NULL;
    return node;
}

bool toml_is_bare_key(struct slice key)
{
    size_t bare = 0;

    while (bare < key.length && is_bare_key_byte(key.data[bare]))
        bare++;
    return bare == key.length && bare > 0;
}
