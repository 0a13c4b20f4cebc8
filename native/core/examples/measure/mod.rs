//! Time for benchmarks: by the clock, which depends on what else the machine does, and of the processor.

use std::time::Instant;

/// When a measure started, and what this process had used by then.
pub struct Start {
    clock: Instant,
    used: f64,
}

impl Start {
    pub fn now() -> Start {
        Start {
            clock: Instant::now(),
            used: used(),
        }
    }

    /// Seconds since: by the clock, and of the processor.
    pub fn seconds(&self) -> (f64, f64) {
        (self.clock.elapsed().as_secs_f64(), used() - self.used)
    }

    /// Prints how long it took and how many cells a second that is.
    pub fn report(&self, what: &str, cells: usize) {
        let (seconds, busy) = self.seconds();
        let rate = |seconds: f64| cells as f64 / seconds.max(0.01) / 1e6;
        println!(
            "{what:<44} {seconds:>7.3} s {:>6.2} M cells/s; processor {busy:>6.2} s {:>6.2} M cells/s",
            rate(seconds),
            rate(busy)
        );
    }
}

/// Seconds of processor time of all threads.
pub fn used() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split(' ');
    let ticks = fields
        .skip(12)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}
