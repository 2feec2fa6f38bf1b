//! A local model server for tests and benchmarks: strict about what it is sent, and able to answer in every bad way.
//!
//! It speaks both wires, checks each request as the real servers do (and somewhat harder), records what it saw, and
//! answers from a closure or from any [`Model`](teammate_core::port::Model). Not a part of the product.

mod answer;
mod anthropic;
mod http;
mod openai;
mod server;

pub use answer::{Answer, reply};
pub use anthropic::stream as anthropic_stream;
pub use openai::stream as openai_stream;
pub use server::{Seen, Server, Totals, problem, without_markers};
