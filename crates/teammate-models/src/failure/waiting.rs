//! The wait that a server asks for: in headers, or in the words of its refusal.

use std::time::{Duration, SystemTime};

/// The longest wait that a server may ask for.
pub(crate) const RETRY_AFTER_MAX: Duration = Duration::from_secs(600);

/// What stands before a wait in a refusal, in lower case.
const MARKS: [&str; 10] = [
    "try again in ",
    "retry in ",
    "try again after ",
    "retry after ",
    "wait for ",
    "please wait ",
    "available in ",
    "\"retrydelay\":",
    "\"retry_after_ms\":",
    "\"retry_after\":",
];

/// The wait that `retry-after-ms` or `retry-after` (seconds or a date) asks for, at most
/// [`RETRY_AFTER_MAX`]. `None` if neither header has a usable value.
pub(crate) fn retry_after(
    millis: Option<&str>,
    seconds_or_date: Option<&str>,
    now: SystemTime,
) -> Option<Duration> {
    let number = |text: &str, unit: f64| bounded(text.trim().parse::<f64>().ok()? * unit);
    let date = |text: &str| {
        let date = httpdate::parse_http_date(text.trim()).ok()?;
        let wait = date.duration_since(now).unwrap_or_default();
        Some(wait.min(RETRY_AFTER_MAX))
    };
    millis
        .and_then(|text| number(text, 0.001))
        .or_else(|| seconds_or_date.and_then(|text| number(text, 1.0).or_else(|| date(text))))
}

/// The wait that the body of a refusal asks for (`try again in 1m3.2s`, `"retryDelay": "17s"`), at most [`RETRY_AFTER_MAX`].
pub(crate) fn wait_in(body: &str) -> Option<Duration> {
    let body = body.to_ascii_lowercase();
    MARKS.iter().find_map(|mark| {
        let rest = &body[body.find(mark)? + mark.len()..];
        let unit = if mark.contains("_ms") { 0.001 } else { 1.0 };
        span(rest.trim_start_matches([' ', '"']), unit)
    })
}

/// Numbers with their units at the start of a text, summed. `unit`: what a number without one counts in, in seconds.
fn span(text: &str, unit: f64) -> Option<Duration> {
    let (mut rest, mut seconds, mut found) = (text, 0.0, false);
    loop {
        let end = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let Ok(number) = rest[..end].trim_end_matches('.').parse::<f64>() else {
            break;
        };
        let after = rest[end..].trim_start();
        let letters = after
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(after.len());
        let factor = match &after[..letters] {
            "ms" | "millisecond" | "milliseconds" => 0.001,
            "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
            "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
            "h" | "hour" | "hours" => 3600.0,
            _ => unit,
        };
        (seconds, found) = (seconds + number * factor, true);
        rest = &after[letters..];
    }
    found.then(|| bounded(seconds)).flatten()
}

fn bounded(seconds: f64) -> Option<Duration> {
    (seconds.is_finite() && seconds >= 0.0)
        .then(|| Duration::from_secs_f64(seconds.min(RETRY_AFTER_MAX.as_secs_f64())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_read_from_the_words_of_a_refusal() {
        for (body, millis) in [
            ("Rate limit reached. Please try again in 3.2s.", Some(3_200)),
            ("Please try again in 120ms.", Some(120)),
            ("Please try again in 1m3.5s. Visit", Some(63_500)),
            ("Please retry in 44.6s.", Some(44_600)),
            (r#"{"@type":"RetryInfo","retryDelay": "17s"}"#, Some(17_000)),
            (r#"{"error":{"retry_after": 20}}"#, Some(20_000)),
            (r#"{"retry_after_ms":250}"#, Some(250)),
            ("Please retry after 20 seconds.", Some(20_000)),
            ("Please wait 2 minutes.", Some(120_000)),
            ("try again in 7h12m", Some(600_000)),
            ("please try again in a moment", None),
            ("try again later", None),
        ] {
            let wait = wait_in(body).map(|wait| wait.as_millis());
            assert_eq!(wait, millis, "{body}");
        }
    }
}
