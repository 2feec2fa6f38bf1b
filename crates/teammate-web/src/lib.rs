//! An agent team as a page in the user's browser: the same view and the same verbs as the full screen, as HTML, JSON and one
//! stream, on the loopback address, for those that have a key. It knows core and the view: no files of a team, no models. What
//! it needs of the world is the port [`Teams`].
//!
//! `guard` and `access` look at each request, `screens` draws the view's screens as parts of HTML (`html` is the one type that makes HTML), `feed` keeps one view of each team, `live`
//! is the stream of a browser, `verbs` what it may ask, each `once`; `page` has script and style.
//! What runs `beside` the connections ends with the server.
//!
//! - **It knows core and the view**; teams come by the port `Teams`.
//! - **Nothing but `Html` makes HTML**, and names of elements and attributes are words of ours.
//! - **A slow browser holds no memory**: what is sent is made of the view when it can be sent.
//! - **A screen is bounded** (`screens::room` of the view), whatever members write, and says what it leaves out.
//! - **Every answer names the digest that was shown**, also one that is typed.

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
