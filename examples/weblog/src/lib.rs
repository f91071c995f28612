//! Access log records, and what can be counted in them.
//!
//! A [`Record`] borrows the line it was parsed from; an [`Aggregate`] takes records one by
//! one and gives rows; [`report`] prints the rows.

mod aggregate;
mod generate;
mod record;
pub mod report;

#[cfg(feature = "percentiles")]
pub use aggregate::Latency;
pub use aggregate::{Aggregate, CountBy, Row, SumBy};
pub use generate::Generator;
pub use record::{Method, ParseError, Record};

/// The aggregates that every report shows, as trait objects.
pub fn standard_aggregates() -> Vec<Box<dyn Aggregate>> {
    vec![
        Box::new(CountBy::new("requests by path", |record: &Record<'_>| {
            record.path.to_owned()
        })),
        Box::new(CountBy::new("requests by status", |record: &Record<'_>| {
            record.status
        })),
        Box::new(CountBy::new("requests by method", |record: &Record<'_>| {
            record.method
        })),
        Box::new(SumBy::new(
            "bytes by client",
            |record: &Record<'_>| record.client.to_owned(),
            |record: &Record<'_>| record.bytes,
        )),
        #[cfg(feature = "percentiles")]
        Box::new(Latency::default()),
    ]
}

/// Feeds every line of `log` to every aggregate. Lines that are no record are counted, not kept.
pub fn aggregate_all(log: &str, aggregates: &mut [Box<dyn Aggregate>]) -> usize {
    let mut refused = 0;
    for line in log.lines().filter(|line| !line.trim().is_empty()) {
        match Record::parse(line) {
            Ok(record) => aggregates.iter_mut().for_each(|a| a.add(&record)),
            Err(_) => refused += 1,
        }
    }
    refused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_record_is_counted_and_left_out() {
        let mut aggregates = standard_aggregates();
        let log = "10.0.0.1 3 GET /a 200 10 5\nnot a record\n10.0.0.1 4 GET /a 200 20 7\n";

        assert_eq!(aggregate_all(log, &mut aggregates), 1);
        assert_eq!(aggregates[0].rows(10), [Row::new("/a", 2)]);
        assert_eq!(aggregates[3].rows(10), [Row::new("10.0.0.1", 30)]);
    }

    #[test]
    fn generated_lines_are_records() {
        let log = Generator::new(7).lines(500);
        let mut aggregates = standard_aggregates();

        assert_eq!(log.lines().count(), 500);
        assert_eq!(aggregate_all(&log, &mut aggregates), 0);
    }
}
