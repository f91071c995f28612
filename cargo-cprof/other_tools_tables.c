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
    "code made at run time has the names that its process writes to /tmp/perf-PID.map; jitdump files are "   \
    "not read"
#define OF_WINDOWS "samply's for Windows: leave it out"
#define NOT_SERVED "nothing is served: -o FILE.json.gz is opened at profiler.firefox.com"
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
    {"debuginfod", 0, "no server is asked; " DEBUG_FILES},
    {"delay", 'D', "--delay takes a time with its unit: 100ms"},
    {"dry-run", 0, "nothing is only tried; a run of one second is -d 1"},
    {"exclude-perf", 0,
     "of the whole machine cargo-cprof is one more process; without it: cargo cprof report FILE.cprof "
     "--thread '^(?!cargo-cprof)'"},
    {"filter", 0, "samples are chosen afterwards: cargo cprof report FILE.cprof --filter REGEXP"},
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
    {"overwrite", 0, WHOLE_FILE},
    {"period", 0, NOT_NEEDED},
    {"phys-addr", 0, NO_ADDRESSES},
    {"phys-data", 0, NO_ADDRESSES},
    {"proc-map-timeout", 0, NOT_NEEDED},
    {"raw-samples", 'R', NOT_NEEDED},
    {"realtime", 0, "what records has the usual priority; where samples are lost a lower -F helps"},
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
     "--pid watches all threads of a process; one is drawn by: cargo cprof flamegraph FILE.cprof --thread "
     "NAME"},
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
#define SHARES_ARE "shares are of all samples, or of those that --thread and --time leave"
#define NAMES_ARE_KEPT "names were found when it was recorded: leave it out"
#define ALWAYS_DEMANGLED "names are always demangled: leave it out"
#define NO_CODE "machine code is not shown; time by line of the source is --by line"
#define NO_PROCESSORS "samples do not tell their processor"
#define EACH_SAMPLE                                                                                          \
    "samples one by one, each with its time, are in: cargo cprof flamegraph FILE.cprof -o FILE.json"
#define ONE_EVENT "one event at a time is told: --event NAME"

const struct option_answer report_answers[] = {
    {"asm-raw", 0, NO_CODE},
    {"branch-history", 0, NO_BRANCHES},
    {"branch-stack", 'b', NO_BRANCHES},
    {"call-graph", 'g', "calls are shown by --tree, --callers REGEXP and --callees REGEXP"},
    {"column-widths", 0, "columns are as wide as what they hold; -w cuts no name"},
    {"comm", 0, "threads by their names are --thread REGEXP"},
    {"comms", 'c', "threads by their names are --thread REGEXP"},
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
    {"pid", 0, "one of several processes is --by pid --filter NUMBER"},
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
    {"symfs", 0, NAMES_ARE_KEPT},
    {"tasks", 0, "what processes and threads took is --by process,thread"},
    {"threads", 'T', "what each thread took is --by thread"},
    {"tid", 0, "one of several threads is --by tid --filter NUMBER"},
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
    {"comms", 'C', "threads by their names are --thread REGEXP"},
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
    {"pid", 0, "threads by their names are --thread REGEXP, of whichever process"},
    {"quiet", 'q', DIFF_FACTS_ARE "; --format csv is without"},
    {"sort", 's',
     "rows are --by function or crate, the largest change first; addresses, inferno's -s, are taken out "
     "before: "
     "sed 's/0x[0-9a-f]*/0x/g' a.folded"},
    {"stream", 0, NO_BRANCHES},
    {"strip-hex", 0, "addresses are taken out before: sed 's/0x[0-9a-f]*/0x/g' a.folded"},
    {"symbols", 'S', ALL_ROWS},
    {"symfs", 0, NAMES_ARE_KEPT},
    {"tid", 0, "threads by their names are --thread REGEXP"},
    {"top=", 0, "-n is how many rows; what inferno means by it is --normalize"},
    {"verbose", 'v', "there is no more to tell: -n 0 shows all rows"},
    {NULL, 0, NULL},
};
