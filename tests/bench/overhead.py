"""How much more CPU time a program takes that is recorded, beside samply, and how sure that is.

One run of a second is off by several percent on a machine that others share, so there are many, in an order of chance:
each program alone, twice, and under each recorder, in every round. What is told are means over the rounds, of the
middle three fifths of what each recorder took more than the two runs alone.
"""

import os
import statistics

import commands
import document
import recording

ROUNDS_A_RUN = 3  # what is asked for are runs of other measurements
TRIMMED = 0.2  # of the runs at either end
SHOWN = [recording.OURS, recording.SAMPLY, recording.TIMER]


def mean_and_error(numbers):
    """The trimmed mean and its standard error, from the winsorized variance (Yuen 1974)."""
    ordered = sorted(numbers)
    cut = int(len(ordered) * TRIMMED)
    middle = ordered[cut : len(ordered) - cut]
    winsorized = [middle[0]] * cut + middle + [middle[-1]] * cut
    error = statistics.stdev(winsorized) / ((1 - 2 * TRIMMED) * len(ordered) ** 0.5)
    return statistics.mean(middle), error


def rows_of(tools, rounds):
    rows = []
    for hz in recording.FREQUENCIES:
        row = [f"{hz} Hz"]
        for name in SHOWN:
            if (name, hz) in tools:
                mean, error = mean_and_error(recording.extra_percents(rounds, (name, hz)))
                row.append(f"{mean:.1f} ± {error:.1f}")
            else:
                row.append("")
        rows.append(row)
    return rows


def run(runner, machine, scratch):
    """Measures and writes the part `overhead`."""
    versions = [commands.first_line([tool, "--version"]) or f"no {tool}" for tool in ("cargo-cprof", "samply")]
    text = f"## cargo cprof: what a recording costs the program\n\n{machine} {', '.join(versions)}.\nAgain: `tests/bench/run overhead`"
    text += f" ({runner.runs * ROUNDS_A_RUN} rounds of short runs, trimmed means with\ntheir standard errors): extra CPU"
    text += " time in percent. The figures: at most samply's and half a point, and "
    text += " and ".join(f"{most} % at {hz} Hz" for hz, most in recording.EXTRA_FIGURES.items())
    text += ".\nThe kernel's timer alone, without anything written, is what no recorder that goes by cpu-clock can do without.\n\n"
    tools = recording.recorders(os.path.dirname(runner.launch))
    tools = {key: tool for key, tool in tools.items() if key[0] in SHOWN}
    rows = []
    for program in recording.make_programs(scratch):
        rounds = recording.measure(runner, tools, runner.runs * ROUNDS_A_RUN, scratch, program.command())
        seconds = statistics.median(alone for alone, _ in rounds) / 1000
        rows += [[f"{program.project}, {seconds:.2f} s alone", *row] for row in rows_of(tools, rounds)]
    text += document.table(["program", "samples", *SHOWN], rows)
    document.replace("overhead", text)
    print(text)
