//! A program for tests: its threads burn CPU time when they are told to, and say when they have.
//!
//! usage: worker [NAME]...     one thread of each name; then lines on standard input:
//!     go            all of them burn 0.3 s of CPU time, each then prints "NAME done"
//!     burn          all of them burn CPU time until the program ends
//!     start NAME    a new thread does the same as by "go"
//!     crowd threads a new thread of the name "crowd" each millisecond, 150 at most, until "go"; then each burns
//!                   0.03 s, and "crowd NUM" says how many there were
//!     quit CODE     the program ends; it also does at the end of the input, with 0
use std::hint::black_box;
use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

fn thread_seconds() -> f64 {
    const CLOCK_THREAD_CPUTIME_ID: i32 = 3;
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.seconds as f64 + time.nanoseconds as f64 / 1e9
}

fn say(what: String) {
    let mut out = std::io::stdout();
    writeln!(out, "{what}").unwrap();
    out.flush().unwrap();
}

#[inline(always)]
fn burn_inlined() -> u64 {
    (0..10_000u64).fold(1, |sum, i| black_box(sum ^ i.wrapping_mul(sum)))
}

static IS_ENDLESS: AtomicBool = AtomicBool::new(false);

#[inline(never)]
fn burn(seconds: f64) {
    let end = thread_seconds() + seconds;
    while thread_seconds() < end || IS_ENDLESS.load(Ordering::Relaxed) {
        black_box(burn_inlined());
    }
}

type Gate = Arc<(Mutex<bool>, Condvar)>;

fn wait_for(gate: &Gate) {
    let mut is_open = gate.0.lock().unwrap();
    while !*is_open {
        is_open = gate.1.wait(is_open).unwrap();
    }
}

fn gather(gate: Gate) {
    let mut crowd = Vec::new();
    while crowd.len() < 150 && !*gate.0.lock().unwrap() {
        let gate = gate.clone();
        let work = move || {
            wait_for(&gate);
            burn(0.03);
        };
        crowd.push(thread::Builder::new().name("crowd".to_string()).spawn(work).unwrap());
        thread::sleep(Duration::from_millis(1));
    }
    let count = crowd.len();
    crowd.into_iter().for_each(|one| one.join().unwrap());
    say(format!("crowd {count}"));
}

fn start(name: &str, gate: Option<Gate>) {
    let told = name.to_string();
    let work = move || {
        if let Some(gate) = gate {
            wait_for(&gate);
        }
        burn(0.3);
        say(format!("{told} done"));
    };
    thread::Builder::new().name(name.to_string()).spawn(work).unwrap();
}

fn main() {
    let gate: Gate = Arc::new((Mutex::new(false), Condvar::new()));
    for name in std::env::args().skip(1) {
        start(&name, Some(gate.clone()));
    }
    say(format!("ready {}", std::process::id()));
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        match line.split_once(' ').unwrap_or((&line, "")) {
            ("start", name) => start(name, None),
            ("crowd", _) => {
                let gate = gate.clone();
                thread::spawn(|| gather(gate));
            }
            ("quit", code) => std::process::exit(code.parse().unwrap()),
            (command, _) => {
                IS_ENDLESS.store(command == "burn", Ordering::Relaxed);
                *gate.0.lock().unwrap() = true;
                gate.1.notify_all();
            }
        }
    }
}
