//! Counts what its allocator, ALLOCATOR, is asked for, by four threads that ask for all kinds of sizes.

use std::alloc::{GlobalAlloc, Layout};
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

struct Counting;

static COUNT: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
static KEPT: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

fn give(size: usize) {
    COUNT.fetch_add(1, Relaxed);
    BYTES.fetch_add(size as u64, Relaxed);
    let kept = KEPT.fetch_add(size as i64, Relaxed) + size as i64;
    PEAK.fetch_max(kept, Relaxed);
}

fn take(size: usize) {
    KEPT.fetch_sub(size as i64, Relaxed);
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        give(layout.size());
        unsafe { ALLOCATOR.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        give(layout.size());
        unsafe { ALLOCATOR.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        take(layout.size());
        unsafe { ALLOCATOR.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        take(layout.size());
        give(size);
        unsafe { ALLOCATOR.realloc(block, layout, size) }
    }
}

#[global_allocator]
static GLOBAL: Counting = Counting;

#[repr(align(128))]
struct Aligned(#[allow(dead_code)] [u8; 300]);

fn work(seed: u64, rounds: usize) -> (HashMap<usize, (Vec<u8>, String)>, Vec<Box<Aligned>>, usize) {
    let (mut number, mut map, mut aligned, mut total) = (seed * 77 + 1, HashMap::new(), Vec::new(), 0);
    for round in 0..rounds {
        number ^= number << 13;
        number ^= number >> 7;
        number ^= number << 17;
        map.insert(round % 5000, (vec![0u8; (number % 3000) as usize], format!("{number}")));
        if round % 50 == 0 {
            aligned.push(Box::new(Aligned([1; 300])));
        }
        if round % 1000 == 0 {
            aligned.clear();
            aligned.shrink_to_fit();
        }
        let mut grown: Vec<u16> = Vec::with_capacity(1);
        (0..(number % 40) as u16).for_each(|value| grown.push(value));
        grown.shrink_to_fit();
        total += grown.len();
    }
    (map, aligned, total)
}

fn main() {
    let rounds = std::env::args().nth(1).unwrap().parse().unwrap();
    let threads: Vec<_> = (0..4).map(|seed| std::thread::spawn(move || work(seed, rounds))).collect();
    let kept: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    let counts = [COUNT.load(Relaxed) as i64, BYTES.load(Relaxed) as i64, KEPT.load(Relaxed), PEAK.load(Relaxed)];
    println!("{} {} {} {}", counts[0], counts[1], counts[2], counts[3]);
    std::mem::forget(kept);
    std::process::exit(0);
}
