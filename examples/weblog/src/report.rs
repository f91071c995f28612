//! Rows as text and, with the feature `json`, as JSON.

use std::fmt::Write;

use crate::{Aggregate, Row};

fn width_of(rows: &[Row]) -> usize {
    rows.iter().map(|row| row.label.len()).max().unwrap_or(0)
}

/// A heading and the `limit` largest rows of each aggregate.
pub fn as_table(aggregates: &[Box<dyn Aggregate>], limit: usize) -> String {
    let mut out = String::new();
    for aggregate in aggregates {
        let rows = aggregate.rows(limit);
        let width = width_of(&rows);
        let _ = writeln!(out, "{}", aggregate.title());
        for row in rows {
            let _ = writeln!(out, "  {:<width$} {:>10}", row.label, row.value);
        }
    }
    out
}

/// One object, a key for each aggregate, its rows as pairs.
#[cfg(feature = "json")]
pub fn as_json(aggregates: &[Box<dyn Aggregate>], limit: usize) -> String {
    let parts: Vec<String> = aggregates
        .iter()
        .map(|aggregate| {
            let rows: Vec<String> = aggregate
                .rows(limit)
                .iter()
                .map(|row| format!("[{:?},{}]", row.label, row.value))
                .collect();
            format!("{:?}:[{}]", aggregate.title(), rows.join(","))
        })
        .collect();
    format!("{{{}}}", parts.join(","))
}
