//! Talks with a program in lines over its standard streams: servers of tools and agents of other makes.
//!
//! Lines have a bound, and so has what is no message. What the program says on its standard error is read on and on, and its last
//! words are the reason where it ends. It ends with [`Talk`], whatever it does. Lines of JSON-RPC are read and made by [`rpc`]. What
//! they ask for is not known here, nor how the program is started: that is the port `ProgramStarter`.

mod condition;
mod keeper;
mod lines;
pub mod rpc;
mod talk;

pub use condition::Condition;
pub use keeper::ProgramClose;
pub use lines::{BoundedLines, LINE_MAX, LinesEnd, write_lines};
pub use talk::{Talk, Writer};
