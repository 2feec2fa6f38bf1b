//! An agent team as a page in the user's browser: the same view and the same verbs as the full screen, as HTML, JSON and one
//! stream, on the loopback address, for those that have a key. It knows core and the view: no files of a team, no models. What
//! it needs of the world is the port [`Teams`].

// A text that is cut at an offset of another one would end the face.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod access;
mod beside;
mod bounded_stream;
mod compressed;
mod feed;
mod guard;
mod headers;
mod html;
mod key_scope;
mod keys;
mod live;
mod markup;
mod once;
mod page;
mod page_host;
mod qr;
mod refusal;
mod routes;
mod screens;
mod server;
mod teams;
mod verbs;

pub use key_scope::KeyScope;
pub use keys::{AccessLine, KeyFile, KeyFileError, NewKey};
pub use page_host::PageHost;
pub use qr::qr_code;
pub use screens::TeamFacts;
pub use server::WebServer;
pub use teams::{OpenTeam, TeamLine, TeamRunning, Teams};
