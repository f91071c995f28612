//! Counts what stands in an access log.
//!
//!     logreport [--top NUM] [FILE]      FILE absent: 5,000 made-up lines; "-": standard input

use std::error::Error;
use std::io::Read;
use std::process::ExitCode;

use textindex::{Index, Query};
use weblog::{aggregate_all, report, standard_aggregates, Generator, Record};

struct Arguments {
    top: usize,
    file: Option<String>,
}

fn parse_arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut arguments = Arguments { top: 5, file: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--top" => arguments.top = words.next().ok_or("--top needs a number")?.parse()?,
            _ => arguments.file = Some(word),
        }
    }
    Ok(arguments)
}

fn read_log(file: Option<&str>) -> Result<String, Box<dyn Error>> {
    match file {
        None => Ok(Generator::new(2024).lines(5_000)),
        Some("-") => {
            let mut log = String::new();
            std::io::stdin().read_to_string(&mut log)?;
            Ok(log)
        }
        Some(path) => Ok(std::fs::read_to_string(path)?),
    }
}

fn index_paths(log: &str) -> Index<u32> {
    let mut index = Index::new();
    for (line, text) in (1..).zip(log.lines()) {
        if let Ok(record) = Record::parse(text) {
            index.add(line, record.path);
        }
    }
    index
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments = parse_arguments()?;
    let log = read_log(arguments.file.as_deref())?;
    let mut aggregates = standard_aggregates();
    let refused = aggregate_all(&log, &mut aggregates);
    let carts = index_paths(&log).search(&Query::parse("cart | shop page1"));

    print!("{}", report::as_table(&aggregates, arguments.top));
    println!("lines about the cart: {}", carts.len());
    println!("lines left out: {refused}");
    #[cfg(feature = "json")]
    println!("{}", report::as_json(&aggregates, arguments.top));
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("logreport: error: {error}");
            ExitCode::FAILURE
        }
    }
}
