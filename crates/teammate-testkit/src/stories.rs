//! The stories of a store: what must hold for everybody who uses its ports, whatever keeps the data. One file for each port.
//!
//! A story is an async function over a [`World`] and panics where something does not hold. An adapter's tests make the worlds
//! and say with [`tell!`](crate::tell) which stories are told in them. What only one adapter promises (files, locks, torn bytes)
//! is a test beside it, not here.
#![allow(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "a story is a test: it panics where something does not hold"
)]

pub mod archive;
pub mod doorbell;
pub mod journal;
pub mod mailbox;
mod makers;
pub mod transcript;
mod world;

pub use makers::{attached, every_entry, give_up, ids, largest, mail, name, working};
pub use world::{CrashingWorld, Process, World};

/// Makes a test of each story: it is told in every world that the async function gives, which are new each time.
///
/// ```ignore
/// async fn worlds() -> Vec<Box<dyn World>> { .. }
///
/// teammate_testkit::tell! { in worlds: journal::{appends_are_decided_by_length} }
/// ```
#[macro_export]
macro_rules! tell {
    (in $worlds:ident: $($port:ident::{$($story:ident),+ $(,)?}),+ $(,)?) => {
        $($(
            #[tokio::test(flavor = "multi_thread")]
            async fn $story() {
                for world in $worlds().await {
                    $crate::stories::$port::$story(&*world).await;
                }
            }
        )+)+
    };
}
