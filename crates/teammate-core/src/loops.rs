//! Loops of several members, and how they are noticed: mail that only leads to mail ([`Hops`]), and spawns without end
//! ([`Pace`]). A loop of one member, the same call repeatedly, is the [`agent`](crate::agent)'s own affair.

mod hops;
mod pace;

pub use hops::Hops;
pub use pace::Pace;
