//! A map from byte strings to values, kept as a tree of bytes.

/// One node and everything below it.
pub struct Trie<V> {
    value: Option<V>,
    children: Vec<(u8, Trie<V>)>, // sorted by byte
}

impl<V> Default for Trie<V> {
    fn default() -> Self {
        Trie {
            value: None,
            children: Vec::new(),
        }
    }
}

impl<V: Default> Trie<V> {
    /// The value of `key`, made when there is none.
    pub fn entry(&mut self, key: &[u8]) -> &mut V {
        let Some((&first, rest)) = key.split_first() else {
            return self.value.get_or_insert_with(V::default);
        };
        let at = match self.children.binary_search_by_key(&first, |child| child.0) {
            Ok(at) => at,
            Err(at) => {
                self.children.insert(at, (first, Trie::default()));
                at
            }
        };
        self.children[at].1.entry(rest)
    }
}

impl<V> Trie<V> {
    fn child(&self, byte: u8) -> Option<&Trie<V>> {
        let at = self.children.binary_search_by_key(&byte, |child| child.0);
        at.ok().map(|at| &self.children[at].1)
    }

    fn node(&self, key: &[u8]) -> Option<&Trie<V>> {
        key.iter().try_fold(self, |node, &byte| node.child(byte))
    }

    pub fn get(&self, key: &[u8]) -> Option<&V> {
        self.node(key)?.value.as_ref()
    }

    /// Visits the keys that begin with `start`, in order.
    pub fn walk(&self, start: &[u8], visit: &mut dyn FnMut(&[u8], &V)) {
        if let Some(node) = self.node(start) {
            node.walk_below(&mut start.to_vec(), visit);
        }
    }

    fn walk_below(&self, key: &mut Vec<u8>, visit: &mut dyn FnMut(&[u8], &V)) {
        if let Some(value) = &self.value {
            visit(key, value);
        }
        for (byte, child) in &self.children {
            key.push(*byte);
            child.walk_below(key, visit);
            key.pop();
        }
    }
}
