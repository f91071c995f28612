"""How long after a program's end the result with names is there, and what memory that takes: programs with little,
with some and with much debug information.

The program's own launcher writes its report when the program has ended, ours when everything is written: the time
between the two files is what people wait for. The kernel tells times of files to 4 ms.
"""

import os
import statistics
import subprocess

import binutils
import commands
import document
import projects

MAIN = """
fn main() {
    let mut x = 1u64;
    for i in 0..60_000_000u64 {
        x = std::hint::black_box(x.rotate_left(7) ^ i);
    }
    println!("{x}");
}
"""
# The large program is generated: so many functions in a unit, and the unit so many times over.
FUNCTIONS = 250
COPIES = 7

FUNCTION = """
#[derive(Clone, Debug, PartialEq)]
pub struct Row%(number)d { id: u64, name: String, values: Vec<(u32, Option<f64>)>, next: Option<Box<Row%(number)d>> }
#[inline(never)]
pub fn step%(number)d(rows: &mut Vec<Row%(number)d>, seed: u64) -> u64 {
    let values = vec![(seed as u32, Some(seed as f64))];
    rows.push(Row%(number)d { id: seed ^ %(number)d, name: String::new(), values, next: None });
    let map: BTreeMap<u64, usize> = rows.iter().enumerate().map(|(at, row)| (row.id.rotate_left(%(number)d), at)).collect();
    let pairs = rows.iter().rev().zip(map.values()).filter(|(row, at)| row.id as usize != **at);
    let sum = pairs.map(|(row, at)| row.id.wrapping_mul(*at as u64 | 1)).fold(seed, |a, b| a.rotate_left(5) ^ b);
    rows.sort_by(|a, b| a.id.cmp(&b.id).then(b.values.len().cmp(&a.values.len())));
    rows.retain(|row| row.id %% 3 != 0);
    rows.truncate(40);
    sum
}
"""


class Program:
    def __init__(self, name, command, figure_ms, figure_mib):
        self.name = name
        self.command = command
        self.figure_ms = figure_ms
        self.figure_mib = figure_mib

    def debug_bytes(self):
        """Of its sections .debug_*, as they are in the file."""
        total = 0
        for line in binutils.output(["readelf", "-SW", self.command[0]]).splitlines():
            words = line.partition("]")[2].split()
            if words and words[0].startswith(".debug_"):
                total += int(words[4], 16)
        return total


def make_small(scratch):
    """A program that has no debug information but std's and its own few functions'."""
    source = os.path.join(scratch, "small.rs")
    with open(source, "w", encoding="ascii") as file:
        file.write(MAIN)
    path = os.path.join(scratch, "small")
    subprocess.run(["rustc", "-O", "-Cdebuginfo=1", "-o", path, source], check=True)
    return Program("a program of one function", [path], 150, 60)


def make_tree(scratch):
    folder = os.path.join(scratch, "tree")
    for number in range(20000):
        parent = os.path.join(folder, f"d{number % 40}", f"e{number % 1000}")
        os.makedirs(parent, exist_ok=True)
        with open(os.path.join(parent, f"file{number}.txt"), "wb"):
            pass
    return folder


def make_fd(scratch):
    path = projects.build(projects.named("fd-find"), "legacy", "2")
    return Program("fd-find 10.2.0", [path, "-u", "--threads", "1", "9[0-9]*1.*t$", *[make_tree(scratch)] * 10], 500, None)


def large_unit():
    """Rust of one unit, whose function `work` calls all others."""
    calls = "".join(f"let mut rows = Vec::new(); for r in 0..rounds {{ sum ^= step{n}(&mut rows, sum ^ r); }}\n" for n in range(FUNCTIONS))
    work = f'#[no_mangle] pub extern "C" fn work(rounds: u64) -> u64 {{ let mut sum = 0; {calls} sum }}\n'
    return "use std::collections::BTreeMap;\n" + "".join(FUNCTION % {"number": n} for n in range(FUNCTIONS)) + work


def large_main():
    names = [f"work_{number}" for number in range(COPIES)]
    declared = "".join(f"fn {name}(rounds: u64) -> u64; " for name in names)
    called = "".join(f"sum ^= {name}(60); " for name in names)
    return f'extern "C" {{ {declared} }}\nfn main() {{ let mut sum = 0; for _ in 0..3 {{ unsafe {{ {called} }} }} println!("{{sum}}"); }}\n'


def make_large(scratch):
    """Samples fall into all of its units."""
    unit, main = os.path.join(scratch, "unit.rs"), os.path.join(scratch, "large.rs")
    for path, text in ((unit, large_unit()), (main, large_main())):
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
    rustc = ["rustc", "--edition", "2021", "-O", "-Cdebuginfo=2", "--cap-lints", "allow"]
    compiled = os.path.join(scratch, "unit.o")
    subprocess.run([*rustc, "--crate-type", "lib", "-Ccodegen-units=1", "--emit", "obj", "-o", compiled, unit], check=True)
    link = []
    for number in range(COPIES):
        name = f"work_{number}"
        copy = os.path.join(scratch, f"unit{number}.o")
        kept = [f"--keep-global-symbol={name}", "--keep-global-symbol=DW.ref.rust_eh_personality"]
        subprocess.run(["objcopy", *kept, "--redefine-sym", f"work={name}", compiled, copy], check=True)
        link.append(f"-Clink-arg={copy}")
    path = os.path.join(scratch, "large")
    subprocess.run([*rustc, *link, "-o", path, main], check=True)
    return Program(f"generated: a unit of {FUNCTIONS} functions, {COPIES} times", [path], 5000, 500)


class Run:
    """One recording at 997 Hz that ends in a picture with names."""

    def __init__(self, launch, scratch, program):
        inner, outer = os.path.join(scratch, "inner"), os.path.join(scratch, "outer")
        recorder = ["cargo-cprof", "exec", "-o", "out.svg", "--", launch, inner]
        subprocess.run(
            [launch, outer, *recorder, *program.command],
            cwd=scratch,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.wait_ms = (os.stat(outer).st_mtime_ns - os.stat(inner).st_mtime_ns) / 1e6
        with open(inner, encoding="ascii") as file:
            _, target_ms, _ = (float(word) for word in file.read().split())
        with open(outer, encoding="ascii") as file:
            _, total_ms, self.peak_kib = (float(word) for word in file.read().split())
        self.own_ms = total_ms - target_ms


def row_of(program, runs):
    row = [program.name, f"{program.debug_bytes() / 1e6:.1f}"]
    row.append(f"{statistics.median(run.wait_ms for run in runs):.0f}")
    row.append(f"{program.figure_ms}")
    row.append(f"{statistics.median(run.own_ms for run in runs):.0f}")
    row.append(f"{statistics.median(run.peak_kib for run in runs) / 1024:.0f}")
    row.append(f"{program.figure_mib or ''}")
    return row


def run(runner, machine, scratch):
    """Measures and writes the part `symbolize`."""
    programs = [make_small(scratch), make_fd(scratch), make_large(scratch)]
    rows = []
    for program in programs:
        runs = [Run(runner.launch, scratch, program) for _ in range(runner.runs + 1)][1:]
        rows.append(row_of(program, runs))
    text = f"## cargo cprof: from a program's end to its names\n\n{machine} {commands.first_line(['cargo-cprof', '--version'])}.\n"
    text += f"Again: `tests/bench/run symbolize` (medians of {runner.runs} runs; a picture is written). The wait is from the end of the\n"
    text += "program to that of `cargo cprof`; the CPU time is all of the recording; the memory the larger one of ours and the\n"
    text += "program's. The programs are built as releases with `debug = 2`.\n\n"
    columns = ["program", "MB of debug information", "wait ms", "at most", "our CPU ms", "peak MiB", "at most"]
    text += document.table(columns, rows) + "\n"
    document.replace("symbolize", text)
    print(text)
