#include "cmocka_all.h"

#include "ir/sources.h"

#define OF_PROGRAM "_RNvCs0_9hashbrown4find"
#define OF_STD "_RNvCs1_9hashbrown4find"

static void see(struct ir_sources *sources, const char *line)
{
    ir_sources_see(sources, slice_of(line));
}

static void see_file(struct ir_sources *sources, unsigned number, const char *name, const char *folder)
{
    SCOPED(text_done) struct text line = {0};

    text_format(&line, "!%u = !DIFile(filename: \"%s\", directory: \"%s\", checksumkind: CSK_MD5)", number,
                name, folder);
    see(sources, text_string(&line));
}

static void see_function(struct ir_sources *sources, const char *symbol, unsigned file)
{
    SCOPED(text_done) struct text line = {0};

    text_format(
        &line,
        "!9 = distinct !DISubprogram(name: \"find\", linkageName: \"%s\", scope: !3, file: !%u, line: 7)",
        symbol, file);
    see(sources, text_string(&line));
}

static void assert_told(struct ir_sources *sources, const char *expected)
{
    SCOPED(crates_done) struct crates crates = {.is_partial = true};
    SCOPED(text_done) struct text told = {0};

    ir_sources_tell(sources, &crates);
    for (size_t i = 0; i < crates.items.count; i++)
        text_format(&told, "%.*s[%llx] %.*s%s;", SLICE_ARGUMENTS(crates.items.items[i].name),
                    (unsigned long long)crates.items.items[i].disambiguator,
                    SLICE_ARGUMENTS(crates.items.items[i].version),
                    crates.items.items[i].is_std ? " std" : "");
    assert_string_equal(text_string(&told), expected);
    ir_sources_done(sources);
    *sources = (struct ir_sources){0};
}

static void files_tell_the_version_and_which_is_stds(void **state)
{
    struct ir_sources sources = {0};

    (void)state;
    see_function(&sources, OF_STD, 2);
    see_file(&sources, 2, "src/raw/mod.rs", "/rust/deps/hashbrown-0.16.1");
    see_file(&sources, 1, "src/map.rs", "/home/me/.cargo/registry/src/index.crates.io-19/hashbrown-0.15.5");
    see_function(&sources, OF_PROGRAM, 1);
    see_function(&sources, OF_PROGRAM, 1);
    assert_told(&sources, "hashbrown[3] 0.16.1 std;hashbrown[2] 0.15.5;");
    see_file(&sources, 4, "/home/me/.cargo/registry/src/i-1/serde-json-1.0.3/src/a.rs", "/ws");
    see_function(&sources, "_RNvCs0_10serde_json4find", 4);
    assert_told(&sources, "serde_json[2] 1.0.3;");
}

static void what_does_not_tell_is_not_known(void **state)
{
    struct ir_sources sources = {0};

    (void)state;
    /* Of a workspace; of another package, whose macro wrote the function; of two versions. */
    see_file(&sources, 1, "src/map.rs", "/ws/hashbrown");
    see_file(&sources, 2, "src/lib.rs", "/home/me/.cargo/registry/src/i-1/libc-0.2.1");
    see_function(&sources, OF_PROGRAM, 1);
    see_function(&sources, OF_PROGRAM, 2);
    see_function(&sources, OF_PROGRAM, 3);
    assert_told(&sources, "");
    see_file(&sources, 1, "src/map.rs", "/home/me/.cargo/registry/src/i-1/hashbrown-0.15.5");
    see_file(&sources, 2, "src/map.rs", "/home/me/.cargo/registry/src/i-1/hashbrown-0.15.4");
    see_function(&sources, OF_PROGRAM, 1);
    see_function(&sources, OF_PROGRAM, 2);
    assert_told(&sources, "");
    /* Legacy names do not say which crate of the name it is. */
    see_file(&sources, 1, "src/map.rs", "/home/me/.cargo/registry/src/i-1/hashbrown-0.15.5");
    see_function(&sources, "_ZN9hashbrown4find17h0123456789abcdefE", 1);
    see(&sources, "!1 = !DIFile(filename: \"src/map.rs\"");
    see(&sources, "!1 = !DISubprogram(name: \"f\", linkageName: \"" OF_PROGRAM);
    see(&sources, "!1 = !DISubprogram(name: \"f\", linkageName: \"" OF_PROGRAM "\", file: !");
    see(&sources, "!llvm.ident = !{!5}");
    assert_told(&sources, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_tell_the_version_and_which_is_stds),
        cmocka_unit_test(what_does_not_tell_is_not_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
