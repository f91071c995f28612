//! Time of indexing and of a search, by the standard library alone. `cargo bench` measures;
//! run as a test (no `--bench` among the arguments) each is done once.

use std::hint::black_box;
use std::time::Instant;

use textindex::{Index, Query};
use weblog::Generator;

fn measure<R>(name: &str, repeats: u32, mut work: impl FnMut() -> R) {
    let start = Instant::now();
    for _ in 0..repeats {
        black_box(work());
    }
    println!("{name:<20} {:>12.1?} each", start.elapsed() / repeats);
}

fn main() {
    let repeats = if std::env::args().any(|word| word == "--bench") {
        200
    } else {
        1
    };
    let log = Generator::new(3).lines(2_000);
    let build = || {
        let mut index: Index<usize> = Index::new();
        log.lines().enumerate().for_each(|(i, l)| index.add(i, l));
        index
    };
    let index = build();
    let query = Query::parse("shop page3 | cart -GET");

    measure("index 2,000 lines", repeats, build);
    measure("search", repeats * 10, || index.search(&query).len());
    measure("complete", repeats * 10, || index.complete("pa").len());
}
