//! What can be counted in a log. Callers hold aggregates as `Box<dyn Aggregate>`; the
//! generic ones are compiled once for each kind of key.

use std::collections::HashMap;
use std::fmt::Display;
use std::hash::Hash;

use crate::Record;

/// One line of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub label: String,
    pub value: u64,
}

impl Row {
    pub fn new(label: impl Into<String>, value: u64) -> Row {
        Row {
            label: label.into(),
            value,
        }
    }
}

/// Takes records one by one, gives rows at any time.
pub trait Aggregate {
    fn title(&self) -> &str;
    fn add(&mut self, record: &Record<'_>);
    /// The `limit` largest rows, largest first, equal ones by label.
    fn rows(&self, limit: usize) -> Vec<Row>;
}

fn largest<K: Display>(totals: &HashMap<K, u64>, limit: usize) -> Vec<Row> {
    let mut rows: Vec<Row> = totals
        .iter()
        .map(|(key, &value)| Row::new(key.to_string(), value))
        .collect();

    rows.sort_by(|a, b| b.value.cmp(&a.value).then_with(|| a.label.cmp(&b.label)));
    rows.truncate(limit);
    rows
}

/// How many records have each key.
pub struct CountBy<K, F> {
    title: &'static str,
    key: F,
    counts: HashMap<K, u64>,
}

impl<K, F: Fn(&Record<'_>) -> K> CountBy<K, F> {
    pub fn new(title: &'static str, key: F) -> Self {
        CountBy {
            title,
            key,
            counts: HashMap::new(),
        }
    }
}

impl<K: Display + Eq + Hash, F: Fn(&Record<'_>) -> K> Aggregate for CountBy<K, F> {
    fn title(&self) -> &str {
        self.title
    }

    fn add(&mut self, record: &Record<'_>) {
        *self.counts.entry((self.key)(record)).or_default() += 1;
    }

    fn rows(&self, limit: usize) -> Vec<Row> {
        largest(&self.counts, limit)
    }
}

/// The sum of a value over the records of each key.
pub struct SumBy<K, F, V> {
    title: &'static str,
    key: F,
    value: V,
    sums: HashMap<K, u64>,
}

impl<K, F: Fn(&Record<'_>) -> K, V: Fn(&Record<'_>) -> u64> SumBy<K, F, V> {
    pub fn new(title: &'static str, key: F, value: V) -> Self {
        SumBy {
            title,
            key,
            value,
            sums: HashMap::new(),
        }
    }
}

impl<K, F, V> Aggregate for SumBy<K, F, V>
where
    K: Display + Eq + Hash,
    F: Fn(&Record<'_>) -> K,
    V: Fn(&Record<'_>) -> u64,
{
    fn title(&self) -> &str {
        self.title
    }

    fn add(&mut self, record: &Record<'_>) {
        let sum = self.sums.entry((self.key)(record)).or_default();
        *sum = sum.saturating_add((self.value)(record));
    }

    fn rows(&self, limit: usize) -> Vec<Row> {
        largest(&self.sums, limit)
    }
}

/// Percentiles of the time requests took.
#[cfg(feature = "percentiles")]
#[derive(Default)]
pub struct Latency {
    micros: Vec<u32>,
}

#[cfg(feature = "percentiles")]
impl Aggregate for Latency {
    fn title(&self) -> &str {
        "microseconds a request"
    }

    fn add(&mut self, record: &Record<'_>) {
        self.micros.push(record.micros);
    }

    fn rows(&self, limit: usize) -> Vec<Row> {
        let mut sorted = self.micros.clone();
        sorted.sort_unstable();
        [("p99", 99), ("p90", 90), ("p50", 50)]
            .iter()
            .filter_map(|&(label, percent)| {
                let at = (sorted.len() * percent / 100).min(sorted.len().checked_sub(1)?);
                Some(Row::new(label, u64::from(sorted[at])))
            })
            .take(limit)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_come_by_label() {
        let totals = HashMap::from([("b", 2), ("a", 2), ("c", 9)]);
        let rows = largest(&totals, 2);
        assert_eq!(rows, [Row::new("c", 9), Row::new("a", 2)]);
    }

    #[cfg(feature = "percentiles")]
    #[test]
    fn percentiles_of_nothing_are_no_rows() {
        assert!(Latency::default().rows(10).is_empty());
    }
}
