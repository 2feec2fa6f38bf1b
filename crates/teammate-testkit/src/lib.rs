//! What tests and benchmarks have in place of the world: a disk that is simulated ([`sim`]), stores without one ([`memory`]), and a
//! local model server that is strict about what it is sent, and able to answer in every bad way. Besides, what must hold of any
//! store ([`stories`]).
//!
//! The server speaks all wires, checks each request as the real servers do (and somewhat harder), records what it saw, and
//! answers from a closure or from any [`Model`](teammate_core::port::Model). A real browser looks at pages ([`DrivenBrowser`]). Not a
//! part of the product.

mod answer;
mod anthropic;
mod browser;
mod fields;
mod golden;
mod http;
mod media;
pub mod memory;
pub mod nats;
mod openai;
mod parsed_request;
mod plain_server;
mod processes;
mod responses;
mod server;
pub mod sim;
pub mod stories;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use answer::{Answer, reply};
pub use anthropic::stream as anthropic_stream;
pub use browser::DrivenBrowser;
pub use golden::{assert_golden, known_names};
pub use openai::stream as openai_stream;
pub use plain_server::{serve_answers, serve_hello, serve_streams};
pub use processes::{is_running, sleep_mark, until};
pub use responses::stream as responses_stream;
pub use server::{RecordedRequest, Server, Totals, problem, without_cache_markers};

/// Locks a mutex whose data is whole between any two statements, so a panic elsewhere does not matter.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
