//! Log lines out of nothing, the same ones for the same seed.

use std::fmt::Write;

const METHODS: [&str; 5] = ["GET", "GET", "GET", "POST", "DELETE"];
const FOLDERS: [&str; 6] = ["shop", "cart", "search", "account", "help", "api"];
const STATUSES: [u16; 6] = [200, 200, 200, 304, 404, 500];

/// A xorshift generator (Marsaglia 2003) that speaks in log lines.
pub struct Generator {
    state: u64,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator { state: seed.max(1) }
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state % limit
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    /// `count` lines, each ended by a line feed.
    pub fn lines(&mut self, count: usize) -> String {
        let mut log = String::new();
        for minute in 0..count {
            let client = self.below(40);
            let method = self.pick(&METHODS);
            let folder = self.pick(&FOLDERS);
            let page = self.below(25);
            let status = self.pick(&STATUSES);
            let (bytes, micros) = (self.below(60_000), 200 + self.below(9_000));
            writeln!(
                log,
                "10.0.0.{client} {minute} {method} /{folder}/page{page} {status} {bytes} {micros}"
            )
            .expect("writing to a string does not fail");
        }
        log
    }
}
