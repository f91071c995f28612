//! Keeps three named threads busy, each part of the time a known share of the whole.
//!
//!     crunch [ROUNDS]      default 120, about two seconds of CPU time (16 ms a round)
//!
//! Every part does the same inner work, `grind!`, a fixed number of times; the work is a
//! chain of dependent steps, so a step takes the same time wherever it stands.
//! One round is 20 units of UNIT steps:
//!
//! | thread  | function                           | units | of the CPU time |
//! |---------|------------------------------------|------:|----------------:|
//! | parser  | `split_fields`, inlined            |     4 | 20 %            |
//! | parser  | `unescape`, inlined                |     2 | 10 %            |
//! | parser  | `checksum_line`                    |     4 | 20 %            |
//! | indexer | `insert_path`, 200 calls deep      |     6 | 30 %            |
//! | ranker  | `<TermFrequency as Score>::score`  |     1 |  5 %            |
//! | ranker  | `<Recency as Score>::score`        |     3 | 15 %            |
//!
//! So the threads take 50, 30 and 20 %. `insert_path` spends the same time at each of its
//! depths. What comes before and after (a log is made, counted and indexed) is below 1 %.

use std::hint::black_box;
use std::process::ExitCode;
use std::thread;

use textindex::Index;
use weblog::{aggregate_all, report, standard_aggregates, Generator, Record};

/// Steps of a unit; 6 units divide evenly among the 200 depths of `insert_path`.
const UNIT: u64 = 500_000;
const DEPTHS: u64 = 200;

/// The inner work: `$steps` dependent xorshift steps from `$seed`. A macro and plain
/// operators, so that the time belongs to the function where it stands.
macro_rules! grind {
    ($seed:expr, $steps:expr) => {{
        let mut state: u64 = black_box($seed);
        let mut left: u64 = black_box($steps);
        while left > 0 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            left -= 1;
        }
        black_box(state)
    }};
}

#[inline(always)]
fn split_fields(line: u64) -> u64 {
    grind!(line, 4 * UNIT)
}

#[inline(always)]
fn unescape(field: u64) -> u64 {
    grind!(field, 2 * UNIT)
}

#[inline(never)]
fn checksum_line(line: u64) -> u64 {
    grind!(line, 4 * UNIT)
}

#[inline(never)]
fn parse_chunk(chunk: u64) -> u64 {
    let fields = split_fields(chunk);
    let text = unescape(fields);
    text ^ checksum_line(text)
}

/// Calls itself until `depth` is 1 and works at every depth on the way back.
#[inline(never)]
fn insert_path(node: u64, depth: u64) -> u64 {
    let below = if depth > 1 {
        insert_path(node + 1, depth - 1)
    } else {
        node
    };
    grind!(below, 6 * UNIT / DEPTHS)
}

trait Score: Send {
    fn score(&self, document: u64) -> u64;
}

struct TermFrequency;
struct Recency {
    newest: u64,
}

impl Score for TermFrequency {
    #[inline(never)]
    fn score(&self, document: u64) -> u64 {
        grind!(document, UNIT)
    }
}

impl Score for Recency {
    #[inline(never)]
    fn score(&self, document: u64) -> u64 {
        grind!(self.newest ^ document, 3 * UNIT)
    }
}

#[inline(never)]
fn rank_document(scores: &[Box<dyn Score>], document: u64) -> u64 {
    scores.iter().fold(0, |sum, s| sum ^ s.score(document))
}

/// CPU time of the calling thread in seconds, as the kernel counts it (proc(5), schedstat).
fn thread_cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds as f64 / 1e9)
}

struct Done {
    thread: &'static str,
    cpu_seconds: Option<f64>,
}

fn start<W>(thread: &'static str, rounds: u64, mut work: W) -> thread::JoinHandle<Done>
where
    W: FnMut(u64) -> u64 + Send + 'static,
{
    let body = move || {
        let sum = (0..rounds).fold(0, |sum, round| sum ^ work(round));
        black_box(sum);
        Done {
            thread,
            cpu_seconds: thread_cpu_seconds(),
        }
    };
    thread::Builder::new()
        .name(thread.to_owned())
        .spawn(body)
        .expect("a thread can be started")
}

/// The part that is like other programs: makes a log, counts and indexes it.
fn summarize(lines: usize) -> String {
    let log = Generator::new(1).lines(lines);
    let mut aggregates = standard_aggregates();
    let mut index = Index::new();

    aggregate_all(&log, &mut aggregates);
    for (line, text) in log.lines().enumerate() {
        if let Ok(record) = Record::parse(text) {
            index.add(line, record.path);
        }
    }
    let words = index.complete("page").len();
    format!(
        "{}words that begin with page: {words}\n",
        report::as_table(&aggregates, 1)
    )
}

fn main() -> ExitCode {
    let rounds: u64 = match std::env::args().nth(1).map_or(Ok(120), |word| word.parse()) {
        Ok(rounds) => rounds,
        Err(_) => {
            eprintln!("usage: crunch [ROUNDS]");
            return ExitCode::from(2);
        }
    };
    let scores: Vec<Box<dyn Score>> = vec![
        Box::new(TermFrequency),
        Box::new(Recency { newest: rounds }),
    ];

    print!("{}", summarize(1_000));
    let threads = [
        start("parser", rounds, parse_chunk),
        start("indexer", rounds, |round| insert_path(round, DEPTHS)),
        start("ranker", rounds, move |round| rank_document(&scores, round)),
    ];
    for thread in threads {
        let done = thread.join().expect("no thread panics");
        if let Some(seconds) = done.cpu_seconds {
            println!("{:<8} {seconds:.3} s of CPU time", done.thread);
        }
    }
    ExitCode::SUCCESS
}
