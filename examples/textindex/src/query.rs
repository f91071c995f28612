//! Queries as a tree of trait objects.

use crate::Index;

/// Finds documents in an index.
pub trait Matcher<D> {
    /// Sorted, each document once.
    fn matches(&self, index: &Index<D>) -> Vec<D>;
}

struct Word(String);

struct Without<D> {
    all: Box<dyn Matcher<D>>,
}

struct AllOf<D>(Vec<Box<dyn Matcher<D>>>);

struct AnyOf<D>(Vec<Box<dyn Matcher<D>>>);

impl<D: Copy + Ord> Matcher<D> for Word {
    fn matches(&self, index: &Index<D>) -> Vec<D> {
        index.postings(&self.0).to_vec()
    }
}

impl<D: Copy + Ord> Matcher<D> for Without<D> {
    fn matches(&self, index: &Index<D>) -> Vec<D> {
        let refused = self.all.matches(index);
        let documents = index.documents().iter().copied();
        documents
            .filter(|document| refused.binary_search(document).is_err())
            .collect()
    }
}

impl<D: Copy + Ord> Matcher<D> for AllOf<D> {
    fn matches(&self, index: &Index<D>) -> Vec<D> {
        let mut parts = self.0.iter().map(|part| part.matches(index));
        let first = parts.next().unwrap_or_default();
        parts.fold(first, |mut kept, part| {
            kept.retain(|document| part.binary_search(document).is_ok());
            kept
        })
    }
}

impl<D: Copy + Ord> Matcher<D> for AnyOf<D> {
    fn matches(&self, index: &Index<D>) -> Vec<D> {
        let mut found: Vec<D> = self.0.iter().flat_map(|p| p.matches(index)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// A parsed query; every text is one.
pub struct Query<D> {
    root: Box<dyn Matcher<D>>,
}

impl<D: Copy + Ord + 'static> Query<D> {
    pub fn parse(text: &str) -> Query<D> {
        let choices = text.split('|').map(parse_all_of::<D>).collect();
        Query {
            root: Box::new(AnyOf(choices)),
        }
    }
}

impl<D> Query<D> {
    pub fn matcher(&self) -> &dyn Matcher<D> {
        self.root.as_ref()
    }
}

fn parse_all_of<D: Copy + Ord + 'static>(text: &str) -> Box<dyn Matcher<D>> {
    let part = |word: &str| -> Box<dyn Matcher<D>> {
        match word.strip_prefix('-') {
            Some(refused) => Box::new(Without {
                all: Box::new(Word(refused.to_owned())),
            }),
            None => Box::new(Word(word.to_owned())),
        }
    };
    Box::new(AllOf(text.split_whitespace().map(part).collect()))
}
