# What the suite needs of a system, found and installed. Sourced by ./quickstart, which has say and fail.

# What is needed: how to see that it is there, the Debian and Ubuntu package, what for.
# cmd: a program; pc: a module of pkg-config; h: a C header.
build_needs=(
    "cmd:cmake       cmake           to configure the build"
    "cmd:ninja       ninja-build     to build"
    "cmd:pkg-config  pkg-config      to find the libraries"
    "cmd:gcc         gcc             to compile"
    "cmd:make        make            to link on all processors, which gcc does by it"
    "h:stdio.h       libc6-dev       to compile"
    "h:dwarf.h       libdw-dev       for the names of DWARF's constants"
    "pc:libcjson     libcjson-dev    to read cargo's messages"
    "pc:libpcre2-8   libpcre2-dev    for regular expressions"
    "pc:libgit2      libgit2-dev     to compare with revisions of a repository"
    "h:capstone/capstone.h libcapstone-dev to show code an instruction a line"
    "h:Zydis/Zydis.h libzydis-dev   to read code of x86-64"
    "pc:zlib         zlib1g-dev      for compressed sections"
    "pc:libzstd      libzstd-dev     for compressed sections"
    "pc:liblzma      liblzma-dev     for symbols that are packed in stripped files"
    "h:libiberty/demangle.h libiberty-dev to demangle C++ names"
)
test_needs=(
    "cmd:clang        clang          for the fuzz targets"
    "cmd:clang-tidy   clang-tidy     for the static checks"
    "cmd:clang-format clang-format   for the layout of the code"
    "pc:cmocka        libcmocka-dev  for the unit tests"
    "cmd:valgrind     valgrind       for the memory checks"
    "cmd:python3      python3        for the end-to-end and the lint tests"
    "cmd:readelf      binutils       for the lint tests"
    "cmd:git          git            for the lint tests and those of revisions"
    "cmd:musl-gcc     musl-tools     for the tests of programs with musl"
    "cmd:g++          g++            for the tests of programs in C++"
    "cmd:setpriv      util-linux     for the tests without rights"
)
# Not every system has them as packages; without them the tests that open a browser are skipped.
browser_needs=(
    "cmd:chromium     chromium        for the tests of the flame graph"
    "cmd:chromedriver chromium-driver for the tests of the flame graph"
)
peers_needs=(
    "cmd:python3     python3         for the comparisons"
    "cmd:readelf     binutils        for the comparisons"
)
bench_needs=(
    "cmd:valgrind    valgrind        to count instructions"
    "cmd:perf        linux-perf      to record beside us"
    "cmd:heaptrack   heaptrack       to tell of memory beside us"
)

# --- System packages ---------------------------------------------------------------------

# Whether the thing that a needs table names, "kind:name", is there. Of a header its being there
# alone counts, not that of those which it includes.
is_there() {
    local name=${1#*:}
    case $1 in
    cmd:*) command -v "$name" >/dev/null ;;
    pc:*) pkg-config --exists "$name" 2>/dev/null ;;
    h:*) printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$name" | gcc -E - >/dev/null 2>&1 ;;
    esac
}

# Whether what could find it is there itself.
can_be_found() {
    case $1 in
    pc:*) command -v pkg-config >/dev/null ;;
    h:*) command -v gcc >/dev/null ;;
    esac
}

# Fills the array `missing` with the lines of the needs given that are not there, `unknown` with
# those that nothing can look for yet.
find_missing() {
    local need check
    missing=() unknown=()
    for need in "$@"; do
        read -r check _ <<<"$need"
        if ! can_be_found "$check"; then
            unknown+=("$need")
        elif ! is_there "$check"; then
            missing+=("$need")
        fi
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# sudo asks at the terminal, whatever standard input is, or lets a program ask.
sudo_can_ask() {
    [ -n "${SUDO_ASKPASS:-}" ] || (: </dev/tty) 2>/dev/null
}

# Leaves in `why_not` why packages cannot be installed from here; nothing when they can.
can_install() {
    why_not=
    if ! command -v apt-get >/dev/null; then
        why_not="there is no apt-get here"
    elif [ "$(id -u)" -eq 0 ] || sudo -n env true 2>/dev/null; then
        return 0
    elif ! command -v sudo >/dev/null; then
        why_not="you are not root and there is no sudo"
    elif ! sudo_can_ask; then
        why_not="sudo asks for a password, for which there is no terminal"
    elif ! sudo env true; then
        why_not="sudo does not make you root"
    fi
    [ -z "$why_not" ]
}

# What to do where can_install says no, with the packages given.
to_type() {
    if command -v apt-get >/dev/null; then
        echo "as root, type: apt-get install --no-install-recommends $*"
    else
        echo "install what Debian calls $*"
    fi
}

apt_install() {
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
    say "installing with apt-get: $*"
    if [ -z "${apt_is_updated:-}" ]; then
        as_root "${apt[@]}" update </dev/null || say "apt-get update failed; going on with the lists that are here"
        apt_is_updated=1
    fi
    as_root "${apt[@]}" install --no-install-recommends "$@" </dev/null
}

# Fills the array `packages` with those of the needs given, each once.
find_packages() {
    local need package
    packages=()
    for need in "$@"; do
        read -r _ package _ <<<"$need"
        [[ " ${packages[*]-} " == *" $package "* ]] || packages+=("$package")
    done
}

list_needs() {
    local need package purpose
    for need in "$@"; do
        read -r _ package purpose <<<"$need"
        printf '  %-16s %s\n' "$package" "$purpose"
    done
}

fail_without() {
    local packages also=
    find_packages "${missing[@]}" "${unknown[@]}"
    if [ ${#unknown[@]} -gt 0 ]; then
        also="
and perhaps these, which are looked for with what is missing:
$(list_needs "${unknown[@]}")"
    fi
    fail "$why_not; $(to_type "${packages[@]}")
these are missing:
$(list_needs "${missing[@]}")$also"
}

install_missing() {
    local packages
    find_packages "${missing[@]}"
    apt_install "${packages[@]}" || fail "apt-get could not install all of: ${packages[*]}"
}

# Makes sure that everything in the needs tables given is there: first what finds the rest.
ensure() {
    local unknown_before
    find_missing "$@"
    [ ${#missing[@]} -gt 0 ] || return 0
    can_install || fail_without
    unknown_before=${#unknown[@]}
    install_missing
    find_missing "$@"
    if [ "$unknown_before" -gt 0 ] && [ ${#missing[@]} -gt 0 ]; then
        install_missing
        find_missing "$@"
    fi
    [ ${#missing[@]} -eq 0 ] || fail "these are still missing:
$(list_needs "${missing[@]}")"
}

# A linker that runs as root is never given a device such as /dev/null to write to.
links_fuzz_targets() {
    mkdir -p build
    echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
        clang -fsanitize=fuzzer,address,undefined -x c -o build/fuzz-check - 2>/dev/null
}

# clang's sanitizer libraries stand in a package of their own that is named after its version.
ensure_clang_runtime() {
    local version
    links_fuzz_targets && return 0
    version=$(clang -dumpversion)
    can_install ||
        fail "clang cannot link with its sanitizers, and $why_not; $(to_type "libclang-rt-${version%%.*}-dev")"
    apt_install "libclang-rt-${version%%.*}-dev" || true
    links_fuzz_targets || fail "clang cannot link with -fsanitize=fuzzer,address,undefined"
}

ensure_browser() {
    (ensure "${browser_needs[@]}") || say "going on without a browser: the tests that need one are skipped"
}

# Whether the version $2 is $1 or newer.
is_at_least() {
    [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]
}

ensure_cmake_version() {
    local version
    version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
    is_at_least 3.22 "$version" || fail "cmake $version is too old: 3.22 or newer is needed"
}

# What to do where rustc or cargo is there and ends with the words given.
rust_to_type() {
    case $1 in
    *"no default"*) echo "rustup has no default toolchain; type: rustup default stable" ;;
    *) echo "rustc or cargo does not run, its own words are above; Rust is installed from https://rustup.rs" ;;
    esac
}

ensure_rust() {
    command -v cargo >/dev/null || PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
    command -v cargo >/dev/null || fail "a Rust toolchain is missing: install one from https://rustup.rs"
    local name version
    for name in rustc cargo; do
        "$name" --version >/dev/null || fail "$(rust_to_type "$("$name" --version 2>&1)")"
    done
    version=$(rustc --version | cut -d ' ' -f 2)
    is_at_least 1.66 "$version" ||
        fail "rustc $version is too old for examples/: 1.66 or newer is needed, from https://rustup.rs"
}
