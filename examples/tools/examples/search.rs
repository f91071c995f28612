//! Searches the paths of a made-up log: `cargo run --example search -- 'cart -page1'`.

use textindex::{Index, Query};
use weblog::{Generator, Record};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let log = Generator::new(2024).lines(200);
    let mut index = Index::new();

    for (line, text) in log.lines().enumerate() {
        if let Ok(record) = Record::parse(text) {
            index.add(line, record.path);
        }
    }
    for line in index.search(&Query::parse(&wanted.join(" "))) {
        println!("{}", log.lines().nth(line).unwrap_or(""));
    }
}
