//! Words for the senders of mail, as every screen and page calls them.

use teammate_core::Sender;

/// The name of a sender. `user` is what the reader calls the user: "you" on the user's own screens.
pub fn sender_name(sender: &Sender, user: &str) -> String {
    match sender {
        Sender::User => user.to_owned(),
        Sender::System => "the team".to_owned(),
        Sender::Member(name) => name.to_string(),
        Sender::Unverified(_) => format!("{sender} (unverified)"),
    }
}
