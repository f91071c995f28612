//! A full-text index in memory: words to the documents that hold them, and queries of
//! the form `shop page3 | cart -help` (both words, or the other one without the last).

mod query;
mod trie;

pub use query::{Matcher, Query};
pub use trie::Trie;

/// Words to sorted document ids. `D` is whatever the caller numbers documents with.
#[derive(Default)]
pub struct Index<D> {
    words: Trie<Vec<D>>,
    documents: Vec<D>,
}

impl<D: Copy + Ord> Index<D> {
    pub fn new() -> Self {
        Index {
            words: Trie::default(),
            documents: Vec::new(),
        }
    }

    /// Adds the words of `text`. Documents come in rising order.
    pub fn add(&mut self, document: D, text: &str) {
        self.documents.push(document);
        for word in words_of(text) {
            let postings = self.words.entry(word.as_bytes());
            if postings.last() != Some(&document) {
                postings.push(document);
            }
        }
    }

    pub fn documents(&self) -> &[D] {
        &self.documents
    }

    /// The documents that hold `word`, sorted.
    pub fn postings(&self, word: &str) -> &[D] {
        self.words.get(word.as_bytes()).map_or(&[], Vec::as_slice)
    }

    /// The words that begin with `start`, in order, with how many documents hold each.
    pub fn complete(&self, start: &str) -> Vec<(String, usize)> {
        let mut found = Vec::new();
        self.words.walk(start.as_bytes(), &mut |word, postings| {
            found.push((String::from_utf8_lossy(word).into_owned(), postings.len()));
        });
        found
    }

    pub fn search(&self, query: &Query<D>) -> Vec<D> {
        query.matcher().matches(self)
    }
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages() -> Index<u32> {
        let mut index = Index::new();
        index.add(1, "/shop/page1");
        index.add(2, "/shop/page2");
        index.add(3, "/cart/page1 cart");
        index
    }

    #[test]
    fn a_word_twice_in_a_document_is_one_posting() {
        assert_eq!(pages().postings("cart"), [3]);
        assert!(pages().postings("help").is_empty());
    }

    #[test]
    fn completion_is_in_order() {
        assert_eq!(
            pages().complete("page"),
            [("page1".to_owned(), 2), ("page2".to_owned(), 1)]
        );
        assert!(pages().complete("pagf").is_empty());
    }

    #[test]
    fn a_query_joins_excludes_and_unites() {
        let search = |text: &str| pages().search(&Query::parse(text));

        assert_eq!(search("shop page1"), [1]);
        assert_eq!(search("shop -page1"), [2]);
        assert_eq!(search("page2 | cart"), [2, 3]);
        assert_eq!(search("-shop"), [3]);
        assert!(search("").is_empty());
    }
}
