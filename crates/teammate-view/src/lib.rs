//! What a person sees of a team, without a terminal or a browser: facts become one [`View`], the same in the process that
//! runs the team, in another one, and for the past. Screens draw it and decide nothing.

mod costs;
mod fact;
mod mail;
mod needs;
mod story;
mod view;

pub use costs::Costs;
pub use fact::Fact;
pub use mail::{MAIL_MAX, Mail, MailLog, Receipt};
pub use needs::{Holds, Need, NeedKind};
pub use story::{Call, CallEnd, Doing, DoingKind, ITEMS_MAX, Item, ItemKind, Story};
pub use view::{Run, View};
