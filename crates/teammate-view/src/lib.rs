//! What a person sees of a team, without a terminal or a browser: facts become one [`View`], the same in the process that
//! runs the team, in another one, and for the past. Screens draw it and decide nothing.

mod fact;
mod needs;
mod view;

pub use fact::Fact;
pub use needs::{Holds, Need, NeedKind, Needs};
pub use view::View;
