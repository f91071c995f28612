#include "other_tools_tables.h"

#define NO_PERF "-F, -e, -c and --call-graph say what is sampled; perf is not run"
#define NOT_NEEDED "perf's, and nothing here needs it: leave it out"
#define NO_BRANCHES "branches are not recorded; who called whom is told by unwind information"
#define NO_ADDRESSES                                                                                         \
    "addresses of data are not recorded; who writes to one place: -e mem:0xADDRESS/8:w; where memory is "    \
    "first touched: -e page-faults"
#define NO_TRACES "what a processor traces is not recorded, but samples are: -F HZ says how many"
#define NO_REGISTERS "registers are needed to find the stack and not kept"
#define WHOLE_FILE                                                                                           \
    "one file holds all of the recording; a part of it is shown by: cargo cprof report FILE.cprof --time "   \
    "10..20"
#define DEBUG_FILES                                                                                          \
    "debug files are found beside the program, in .debug there and below /usr/lib/debug: put them there"
#define JIT_MAPS                                                                                             \
    "code made at run time has the names that its process writes to /tmp/perf-PID.map, or to a jitdump "     \
    "file, which is found where the process has it"
#define OF_WINDOWS "samply's for Windows: leave it out"
#define NOT_SERVED "nothing is served: -o FILE.json.gz is opened at profiler.firefox.com"
#define OF_REPORT(option)                                                                                    \
    "what was recorded is asked afterwards: -o FILE.cprof, then cargo cprof report FILE.cprof --" option
#define WAITING "where threads wait, and for how long, is recorded by --off-cpu"

const struct option_answer record_answers[] = {
    /* cargo-flamegraph's */
    {"cmd", 0, NO_PERF},
    {"count=", 0, NO_PERF},
    {"custom-cmd", 0, NO_PERF},
    {"inverted", 'i', "a letter that is perf's elsewhere: write --inverted"},
    {"perfdata", 0, "what was recorded before is drawn by: cargo cprof flamegraph FILE"},
    {"post-process", 0,
     "write folded stacks, change them, draw them: -o a.folded, then YOUR-FILTER < a.folded | cargo cprof "
     "flamegraph > a.svg"},
    {"root=", 0, "what it runs is sudo, without options of your own: --root"},

    /* report's own */
    {"callees", 0, OF_REPORT("callees NAME")},
    {"callers", 0, OF_REPORT("callers NAME")},
    {"children", 0, OF_REPORT("children")},
    {"crate", 0, OF_REPORT("crate NAME")},
    {"no-children", 0, OF_REPORT("no-children")},
    {"percent-limit", 0, OF_REPORT("percent-limit NUM")},
    {"process", 0, OF_REPORT("process REGEXP")},
    {"thread", 0, OF_REPORT("thread REGEXP")},
    {"time", 0, OF_REPORT("time 2..5")},
    {"tree", 0, OF_REPORT("tree")},

    /* perf's */
    {"addr", 0, NO_ADDRESSES},
    {"affinity", 0, NOT_NEEDED},
    {"aio", 0, NOT_NEEDED},
    {"all-cgroups", 0, NOT_NEEDED},
    {"all-kernel", 0, "what the kernel did of it: cargo cprof report FILE.cprof --crate '[kernel]'"},
    {"append", 'A', "a file is written anew; several runs into one profile: --runs NUM"},
    {"aux-sample", 0, NO_TRACES},
    {"branch-any", 'b', NO_BRANCHES},
    {"branch-filter", 0, NO_BRANCHES},
    {"buildid-all", 0, NOT_NEEDED},
    {"buildid-mmap", 0, NOT_NEEDED},
    {"call-graph=lbr", 0,
     "branches that a processor keeps (lbr) are not read; dwarf, the usual, finds any stack"},
    {"cgroup", 'G', "not by cgroup: --pid PID,PID watches processes, --all-cpus the machine"},
    {"clang-opt", 0, NOT_NEEDED},
    {"clang-path", 0, NOT_NEEDED},
    {"clockid", 'k', "times are always those of CLOCK_MONOTONIC"},
    {"code-page-size", 0, NO_ADDRESSES},
    {"compression-level", 'z', "-o FILE.cprof is packed already"},
    {"control", 0, "recording is not switched from outside: --delay TIME and --duration TIME limit it"},
    {"data", 0, NO_ADDRESSES},
    {"data-page-size", 0, NO_ADDRESSES},
    {"debuginfod", 0,
     "no server is asked, what debuginfod-find debuginfo FILE has fetched is read; " DEBUG_FILES},
    {"delay", 'D', "--delay takes a time with its unit: 100ms"},
    {"dry-run", 0, "nothing is only tried; a run of one second is -d 1"},
    {"exclude-perf", 0,
     "of the whole machine cargo-cprof is one more process; without it: cargo cprof report FILE.cprof "
     "--process '^(?!cargo-cprof)'"},
    {"filter", 0, "samples are chosen afterwards: cargo cprof report FILE.cprof --filter REGEXP"},
    {"frequency", 0, "that is -F HZ here, as perf has it, or --freq HZ"},
    {"group", 0, NOT_NEEDED},
    {"intr-regs", 'I', NO_REGISTERS},
    {"kcore", 0, NOT_NEEDED},
    {"kernel-callchains", 0,
     "stacks have the kernel's calls where that is allowed; --kernel makes sure of it"},
    {"latency", 0, WAITING},
    {"max-size", 0, "a file has no limit; -d TIME and a lower -F keep it small"},
    {"mmap-flush", 0, NOT_NEEDED},
    {"mmap-pages", 'm', "buffers are as large as the system allows; where samples are lost a lower -F helps"},
    {"namespaces", 0, NOT_NEEDED},
    {"no-bpf-event", 0, NOT_NEEDED},
    {"no-buffering", 0, NOT_NEEDED},
    {"no-buildid", 'B', NOT_NEEDED},
    {"no-buildid-cache", 'N', NOT_NEEDED},
    {"no-inherit", 0, "threads and children that come are recorded too; --thread NAME picks afterwards"},
    {"no-samples", 0, "samples are all that is recorded"},
    {"num-thread-synthesize", 0, NOT_NEEDED},
    {"off-cpu-thresh", 0, "--off-cpu tells each wait, however short: leave it out"},
    {"overwrite", 0, WHOLE_FILE},
    {"period", 0, NOT_NEEDED},
    {"phys-addr", 0, NO_ADDRESSES},
    {"phys-data", 0, NO_ADDRESSES},
    {"proc-map-timeout", 0, NOT_NEEDED},
    {"raw-samples", 'R', NOT_NEEDED},
    {"realtime", 0, "what records as root goes before all else by itself where samples are lost"},
    {"running-time", 0, NOT_NEEDED},
    {"sample-cpu", 0, "samples do not tell their processor; --cpu LIST watches some of them"},
    {"sample-identifier", 0, NOT_NEEDED},
    {"snapshot", 'S', NO_TRACES},
    {"stat", 0, "what each thread took is told by: cargo cprof report FILE.cprof --by thread"},
    {"strict-freq", 0, "a frequency that the kernel does not allow is lowered, and said so"},
    {"switch-events", 0, NOT_NEEDED},
    {"switch-max-files", 0, WHOLE_FILE},
    {"switch-output", 0, WHOLE_FILE},
    {"switch-output-event", 0, WHOLE_FILE},
    {"synth", 0, NOT_NEEDED},
    {"tail-synthesize", 0, NOT_NEEDED},
    {"threads", 0, NOT_NEEDED},
    {"tid", 't',
     "--pid watches all threads of a process; one is drawn by: cargo cprof flamegraph FILE.cprof --tid TID"},
    {"timestamp", 'T', "each sample has its time: report --time 2..5, flamegraph --flamechart"},
    {"timestamp-boundary", 0, NOT_NEEDED},
    {"timestamp-filename", 0, "the shell names files: -o \"app-$(date +%H%M%S).cprof\""},
    {"top=", 0,
     "-n is how many functions the summary tells, 0 for all; what perf and samply mean by it is not needed"},
    {"tracing-data", 0, NOT_NEEDED},
    {"transaction", 0, NO_ADDRESSES},
    {"uid", 'u', "--pid PID,PID watches processes: --pid \"$(pgrep -d, -u USER)\""},
    {"user-callchains", 0,
     "stacks have both the kernel's calls and the program's; --no-kernel leaves those out"},
    {"user-regs", 0, NO_REGISTERS},
    {"vmlinux", 0, "the kernel that runs tells its names itself: leave it out"},
    {"weight", 'W', "how long an access took is not recorded; where caches miss: -e cache-misses"},

    /* samply's */
    {"address", 0, NOT_SERVED},
    {"aux-file-dir", 0, JIT_MAPS},
    {"breakpad-symbol-cache", 0, "Breakpad's .sym files are not read; " DEBUG_FILES},
    {"breakpad-symbol-dir", 0, "Breakpad's .sym files are not read; " DEBUG_FILES},
    {"breakpad-symbol-server", 0, "Breakpad's .sym files are not read; " DEBUG_FILES},
    {"browsers", 0, OF_WINDOWS},
    {"coreclr", 0, OF_WINDOWS},
    {"cswitch-markers", 0, "what is switched to is not marked; " WAITING},
    {"fold-recursive-prefix", 0, "stacks are kept as they are: leave it out"},
    {"format", 0, "the name's ending tells the form: -o FILE.svg, FILE.folded, FILE.speedscope.json"},
    {"gfx", 0, OF_WINDOWS},
    {"ignore-exit-code", 0, "that is --ignore-status here"},
    {"include-args", 0, "a process is called by its name; what was run stands in the heading"},
    {"jit-markers", 0, JIT_MAPS},
    {"main-thread-only", 0,
     "all threads are recorded; one is drawn by: cargo cprof flamegraph FILE.cprof --thread NAME"},
    {"no-open", 0, "nothing is opened unless --open asks for it"},
    {"per-cpu-threads", 0, "samples do not tell their processor; --per-thread draws a graph for each thread"},
    {"port", 'P', NOT_SERVED},
    {"presymbolicate", 0, "names are in the file already: leave it out"},
    {"profile-name", 0, "the heading of the picture is --title TEXT"},
    {"reuse-threads", 0, "threads of one name are one graph unless --per-thread tells them apart"},
    {"save-only", 's', "nothing is opened unless --open asks for it; -o FILE names what is written"},
    {"simpleperf-binary-cache", 0, "samply's for Android: leave it out"},
    {"symbol-dir", 0, DEBUG_FILES},
    {"unlink-aux-files", 0, JIT_MAPS},
    {"unstable-presymbolicate", 0, "names are in the file already: leave it out"},
    {"windows-symbol-cache", 0, OF_WINDOWS},
    {"windows-symbol-server", 0, OF_WINDOWS},
    {NULL, 0, NULL},
};

#define LIBRARIES_ARE                                                                                        \
    "programs and libraries are --by dso, with functions --by dso,function; one of them --filter NAME"
#define FUNCTIONS_ARE "functions by their names are --filter REGEXP"
#define FACTS_ARE "what was sampled, and how well, stands below each table"
#define CALLERS_ARE "callers are shown by --callers REGEXP"
#define SHARES_ARE "shares are of all samples, or of those that --process, --thread and --time leave"
#define COMMS_ARE "threads by their names are --thread REGEXP, processes --process REGEXP"
#define NAMES_ARE_KEPT "names were found when it was recorded: leave it out"
#define ALWAYS_DEMANGLED "names are always demangled: leave it out"
#define NO_CODE "machine code is shown by: cargo cprof annotate FILE.cprof FUNCTION --asm"
#define NO_PROCESSORS "samples do not tell their processor"
#define EACH_SAMPLE                                                                                          \
    "samples one by one, each with its time, are in: cargo cprof flamegraph FILE.cprof -o FILE.json"
#define ONE_EVENT "one event at a time is told: --event NAME"
#define SOURCES_ARE "sources are read where they were when the program was built"

const struct option_answer annotate_answers[] = {
    {"addr2line", 0, "nothing else is run: leave it out"},
    {"asm-raw", 0,
     "instructions are shown without their bytes; objdump -d shows these at the same addresses"},
    {"att", 0, "that is -M att, with --asm"},
    {"by", 0, "tables are made by: cargo cprof report FILE.cprof --by GROUPS"},
    {"code-with-type", 0, NO_ADDRESSES},
    {"cpu", 'C', NO_PROCESSORS},
    {"data-type", 0, NO_ADDRESSES},
    {"demangle", 0, ALWAYS_DEMANGLED},
    {"disasm", 0, "that is --asm; the function's name follows the file's"},
    {"dso", 0, "functions are chosen by their names alone"},
    {"dsos", 'd', "functions are chosen by their names alone"},
    {"dump-raw-trace", 'D', EACH_SAMPLE},
    {"filter", 0, "the function's name follows the file's: cargo cprof annotate FILE.cprof FUNCTION"},
    {"force", 'f', "any owner's file is read: leave it out"},
    {"full-paths", 'P',
     "files are called as in report --by file, without the folders that lead to a package"},
    {"group", 0, ONE_EVENT},
    {"gtk", 0, "output is text: leave it out"},
    {"ignore-vmlinux", 0, "code of the kernel is not shown"},
    {"intel", 0, "with --asm that is usual: leave it out"},
    {"itrace", 0, NO_TRACES},
    {"list", 0, "the function's name follows the file's: cargo cprof annotate FILE.cprof FUNCTION"},
    {"modules", 'm', "code of the kernel is not shown"},
    {"no-asm-raw", 0, "instructions are shown without their bytes: leave it out"},
    {"no-demangle", 0, ALWAYS_DEMANGLED},
    {"no-source", 0, "machine code is --asm; the lines it is of stand above it"},
    {"objdump", 0, "nothing else is run: leave it out"},
    {"percent-type", 0, SHARES_ARE},
    {"prefix", 0, SOURCES_ARE},
    {"prefix-strip", 0, SOURCES_ARE},
    {"print-line", 'l', "each line is told: leave it out"},
    {"quiet", 'q', "there is nothing said that could be left out"},
    {"rust", 0, "with --asm lines of the source stand above what they became: leave it out"},
    {"show-nr-samples", 'n',
     "how much is shown says --percent-limit; numbers of samples are in --format csv and json"},
    {"show-total-period", 0, "numbers of samples are in --format csv and json"},
    {"skip-empty", 0, NOT_NEEDED},
    {"skip-missing", 0, "functions without samples are not shown: leave it out"},
    {"source", 0, "source is shown unless --asm is given: leave it out"},
    {"stdio2", 0, "what perf calls stdio is what is shown: leave it out"},
    {"symbol", 's', "the function's name follows the file's: cargo cprof annotate FILE.cprof FUNCTION"},
    {"top", 0, "lines below a share are left out by --percent-limit PERCENT"},
    {"tui", 0, "a listing to walk through: cargo cprof annotate FILE FUNCTION | less -S"},
    {"type-stat", 0, NO_ADDRESSES},
    {"verbose", 'v', "there is no more to tell: --context all shows what has no samples, too"},
    {"vmlinux", 'k', "code of the kernel is not shown"},
    {"weblist", 0, "the function's name follows the file's: cargo cprof annotate FILE.cprof FUNCTION --asm"},
    {NULL, 0, NULL},
};

const struct option_answer report_answers[] = {
    {"asm-raw", 0, NO_CODE},
    {"branch-history", 0, NO_BRANCHES},
    {"branch-stack", 'b', NO_BRANCHES},
    {"call-graph", 'g', "calls are shown by --tree, --callers REGEXP and --callees REGEXP"},
    {"column-widths", 0, "columns are as wide as what they hold; -w cuts no name"},
    {"comm", 0, COMMS_ARE},
    {"comms", 'c', COMMS_ARE},
    {"cpu", 'C', NO_PROCESSORS},
    {"demangle", 0, ALWAYS_DEMANGLED},
    {"demangle-kernel", 0, ALWAYS_DEMANGLED},
    {"disable-order", 0, NOT_NEEDED},
    {"disassembler-style", 'M', NO_CODE},
    {"dso", 0, LIBRARIES_ARE},
    {"dsos", 'd', LIBRARIES_ARE},
    {"dump-raw-trace", 'D', EACH_SAMPLE},
    {"exclude-other", 'x', CALLERS_ARE},
    {"field-separator", 't', "--format csv has commas between"},
    {"fields", 'F', "columns are chosen by --by GROUPS and --no-children"},
    {"force", 'f', "any owner's file is read: leave it out"},
    {"full-source-path", 0, "files are --by file, lines --by line; -w cuts no path"},
    {"group", 0, ONE_EVENT},
    {"group-sort-idx", 0, ONE_EVENT},
    {"gtk", 0, "a window is a browser's: cargo cprof flamegraph FILE.cprof -o FILE.svg"},
    {"header", 0, FACTS_ARE},
    {"header-only", 0, FACTS_ARE},
    {"hide-unresolved", 'U', "rows are chosen by --filter REGEXP"},
    {"hierarchy", 0, "groups within groups are --by thread,function: a column each"},
    {"ignore-callees", 0, "who calls functions, whatever these call, is --callers REGEXP"},
    {"ignore-vmlinux", 0, NAMES_ARE_KEPT},
    {"inline", 0, "inlined calls are told as calls"},
    {"inverted", 'G', CALLERS_ARE},
    {"itrace", 0, NO_TRACES},
    {"kallsyms", 0, NAMES_ARE_KEPT},
    {"latency", 0, WAITING},
    {"max-stack", 0, "deep trees are cut by --percent-limit PERCENT"},
    {"mem-mode", 0, "accesses of memory are not recorded; where caches miss: cargo cprof -e cache-misses"},
    {"mmaps", 0, LIBRARIES_ARE},
    {"modules", 'm', NAMES_ARE_KEPT},
    {"no-call-graph", 0, "calls are shown only where --tree, --callers or --callees asks for them"},
    {"no-demangle", 0, ALWAYS_DEMANGLED},
    {"no-inline", 0, "inlined calls are left out when a profile is recorded: cargo cprof --no-inline"},
    {"no-source", 0, NO_CODE},
    {"ns", 0, "times have their unit: --time 500ms..2s"},
    {"objdump", 0, NO_CODE},
    {"parallelism", 0, WAITING},
    {"parent", 'p', CALLERS_ARE},
    {"percent-type", 0, SHARES_ARE},
    {"percentage", 0, SHARES_ARE},
    {"prefix", 0, NO_CODE},
    {"prefix-strip", 0, NO_CODE},
    {"pretty", 0, NOT_NEEDED},
    {"quiet", 'q', FACTS_ARE "; --format csv is without"},
    {"raw-trace", 0, EACH_SAMPLE},
    {"samples", 0, EACH_SAMPLE},
    {"show-cpu-utilization", 0, "the kernel's part is --crate '[kernel]'"},
    {"show-info", 'I', FACTS_ARE},
    {"show-nr-samples", 0, "samples are a column of each table"},
    {"show-on-off-events", 0, NOT_NEEDED},
    {"show-ref-call-graph", 0, ONE_EVENT},
    {"show-total-period", 0, "how much was sampled is a column of each table"},
    {"skip-empty", 0, NOT_NEEDED},
    {"socket-filter", 0, NO_PROCESSORS},
    {"source", 0, "lines of the source are --by line"},
    {"stats", 0, FACTS_ARE},
    {"stdio2", 0, "what perf calls stdio is what is shown: leave it out"},
    {"stitch-lbr", 0, NO_BRANCHES},
    {"switch-off", 0, "samples are chosen by their time: --time RANGE"},
    {"switch-on", 0, "samples are chosen by their time: --time RANGE"},
    {"symbol-filter", 0, FUNCTIONS_ARE},
    {"symbols", 'S', FUNCTIONS_ARE},
    {"tasks", 0, "what processes and threads took is --by process,thread"},
    {"threads", 'T', "what each thread took is --by thread"},
    {"time-quantum", 0, "a part of the time is --time RANGE"},
    {"top=", 0, "-n is how many rows; samples are a column of each table"},
    {"total-cycles", 0, NO_BRANCHES},
    {"tui", 0, "a table to walk through: cargo cprof report FILE -n 0 | less -S"},
    {"verbose", 'v',
     "there is no more to tell: -n 0 shows all rows, --format json all that is known of them"},
    {"vmlinux", 'k', NAMES_ARE_KEPT},
    {NULL, 0, NULL},
};

#define ALL_ROWS "rows are not chosen by name: -n 0 shows all of them"
#define DIFF_FACTS_ARE "what was compared stands below the table"

const struct option_answer diff_answers[] = {
    {"baseline-only", 'b', "what one side alone has is told as new or gone: leave it out"},
    {"comms", 'C', COMMS_ARE},
    {"compute", 'c',
     "the change and how much that is of what was before are both told; --measure says of what"},
    {"cpu", 0, NO_PROCESSORS},
    {"cycles-hist", 0, NO_BRANCHES},
    {"dsos", 'd', "libraries are among the crates: --by crate"},
    {"dump-raw-trace", 'D', EACH_SAMPLE},
    {"field-separator", 't', "--format csv has commas between"},
    {"force", 'f', "any owner's file is read: leave it out"},
    {"formula", 'F', DIFF_FACTS_ARE},
    {"kallsyms", 0, NAMES_ARE_KEPT},
    {"modules", 'm', NAMES_ARE_KEPT},
    {"order", 0, "the largest change stands first: leave it out"},
    {"percentage", 0, "shares of each side's samples are --measure share"},
    {"period", 'p', "samples, or what the event counts, are --measure count"},
    {"quiet", 'q', DIFF_FACTS_ARE "; --format csv is without"},
    {"sort", 's',
     "rows are --by function or crate, the largest change first; addresses, inferno's -s, are taken out "
     "before: "
     "sed 's/0x[0-9a-f]*/0x/g' a.folded"},
    {"stream", 0, NO_BRANCHES},
    {"strip-hex", 0, "addresses are taken out before: sed 's/0x[0-9a-f]*/0x/g' a.folded"},
    {"symbols", 'S', ALL_ROWS},
    {"top=", 0, "-n is how many rows; what inferno means by it is --normalize"},
    {"verbose", 'v', "there is no more to tell: -n 0 shows all rows"},
    {NULL, 0, NULL},
};

#define WITHOUT_VERB "what cargo builds is recorded without a verb: cargo cprof --"

const struct option_answer built_answers[] = {
    {"bench", 0, WITHOUT_VERB "bench NAME"},
    {"bin", 0, WITHOUT_VERB "bin NAME"},
    {"dev", 0, WITHOUT_VERB "profile dev"},
    {"example", 0, WITHOUT_VERB "example NAME"},
    {"features", 'f', WITHOUT_VERB "features FEATURES"},
    {"manifest-path", 0, WITHOUT_VERB "manifest-path PATH/Cargo.toml"},
    {"no-default-features", 0, WITHOUT_VERB "no-default-features"},
    {"package", 0, WITHOUT_VERB "package NAME"},
    {"profile", 0, WITHOUT_VERB "profile NAME"},
    {"test", 0, WITHOUT_VERB "test NAME"},
    {"unit-bench", 0, WITHOUT_VERB "unit-bench"},
    {"unit-test", 0, WITHOUT_VERB "unit-test"},
    {NULL, 0, NULL},
};

#define RECORD_FIRST(option)                                                                                 \
    "what was recorded before is read here; it is recorded by: cargo cprof --" option                        \
    " -o app.cprof, and then app.cprof is to be named"

const struct option_answer loaded_answers[] = {
    {"bench", 0, RECORD_FIRST("bench NAME")},
    {"bin", 0, RECORD_FIRST("bin NAME")},
    {"example", 0, RECORD_FIRST("example NAME")},
    {"features", 0, RECORD_FIRST("features FEATURES")},
    {"manifest-path", 0, RECORD_FIRST("manifest-path PATH/Cargo.toml")},
    {"package", 0, RECORD_FIRST("package NAME")},
    {"profile", 0, RECORD_FIRST("profile NAME")},
    {"release", 0, RECORD_FIRST("release")},
    {"test", 0, RECORD_FIRST("test NAME")},
    {"unit-bench", 0, RECORD_FIRST("unit-bench")},
    {"unit-test", 0, RECORD_FIRST("unit-test")},
    {NULL, 0, NULL},
};

#define BUILT_AND_COMPARED(option)                                                                           \
    "two files are compared here; what cargo builds is recorded and compared by: cargo cprof --" option      \
    " --diff BASE"

const struct option_answer both_built_answers[] = {
    {"bench", 0, BUILT_AND_COMPARED("bench NAME")},
    {"bin", 0, BUILT_AND_COMPARED("bin NAME")},
    {"example", 0, BUILT_AND_COMPARED("example NAME")},
    {"features", 0, BUILT_AND_COMPARED("features FEATURES")},
    {"manifest-path", 0, BUILT_AND_COMPARED("manifest-path PATH/Cargo.toml")},
    {"package", 0, BUILT_AND_COMPARED("package NAME")},
    {"profile", 0, BUILT_AND_COMPARED("profile NAME")},
    {"test", 0, BUILT_AND_COMPARED("test NAME")},
    {"unit-bench", 0, BUILT_AND_COMPARED("unit-bench")},
    {"unit-test", 0, BUILT_AND_COMPARED("unit-test")},
    {NULL, 0, NULL},
};
