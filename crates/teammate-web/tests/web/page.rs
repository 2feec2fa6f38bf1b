//! The page over HTTP, of a team that is made of facts: how much it sends, and what a stream gives. The server is a real one on a
//! loopback socket.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(
    clippy::print_stdout,
    reason = "sizes and times are for who looks, and decide nothing"
)]

mod browser;
mod large;
mod streams;
mod team;
mod truth;
