//! `cargo xtask bench`: measures the program against its targets, as `docs/project/benchmarks.md`
//! explains.
//!
//! A build without the feature `bench`, as the other commands have it, makes one that has it, optimised, and hands over.

#[cfg(not(feature = "bench"))]
mod rebuild;
#[cfg(feature = "bench")]
mod suite;

#[cfg(not(feature = "bench"))]
pub(crate) use rebuild::run;
#[cfg(feature = "bench")]
pub(crate) use suite::run;

/// How it is called.
pub(crate) const USAGE: &str = "bench [NAME...] [--quick]";
