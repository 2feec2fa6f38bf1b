//! What the pause of a whole team and its end are called where a person reads of them. What they do is the team's.

use teammate_core::team::TeamPause;

/// The receipt for a pause; `before` is the pause that was there already.
pub fn pause_receipt(before: Option<&TeamPause>) -> String {
    match before {
        Some(pause) => format!("The team is {} already", pause.in_words()),
        None => "Paused: nobody asks a model until the team goes on (`continue`). What was asked for before is done, and mail waits".to_owned(),
    }
}

/// The receipt for the end of a pause; `before` is the pause.
pub fn continue_receipt(before: Option<&TeamPause>) -> String {
    match before {
        Some(_) => "The team goes on",
        None => "The team is not paused",
    }
    .to_owned()
}

/// Why words that were sent are not heard yet, where the team is paused.
pub fn heard_after_pause(pause: &TeamPause) -> String {
    format!(
        "The team is {}: this is heard when it goes on (`continue`)",
        pause.in_words()
    )
}

/// The pause in a head: `PAUSED since 14:05:07`, `PAUSED by phone since 14:05:07`; in a word where there is no room for more.
pub fn paused_mark(pause: &TeamPause, clock: &str, is_narrow: bool) -> String {
    match (&pause.device, is_narrow) {
        (_, true) => "PAUSED".to_owned(),
        (None, false) => format!("PAUSED since {clock}"),
        (Some(device), false) => format!("PAUSED by {device} since {clock}"),
    }
}
