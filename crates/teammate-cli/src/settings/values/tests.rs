use std::time::Duration;

use super::*;

const MINUTE: Duration = Duration::from_secs(60);

/// How long a server is tried that has answered nothing, and one that has.
fn retry_times(values: Values) -> (Duration, Duration) {
    let model = Some("scripted:play.json".to_owned());
    let retry = Values { model, ..values }.config(false).unwrap().retry;
    (retry.unanswered, retry.total)
}

#[test]
fn a_program_that_waits_learns_soon_that_a_server_is_not_there() {
    let unset = Values::default;
    assert_eq!(retry_times(unset()), (30 * MINUTE, 30 * MINUTE));
    assert_eq!(retry_times(unset().headless()), (2 * MINUTE, 30 * MINUTE));
    let set = || Values {
        retry_minutes: Some(7.0),
        ..Values::default()
    };
    assert_eq!(retry_times(set()), (7 * MINUTE, 7 * MINUTE));
    assert_eq!(retry_times(set().headless()), (7 * MINUTE, 7 * MINUTE));
}
