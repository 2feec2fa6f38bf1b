//! Moments of schedules: cron expressions, and what people write for a moment, where the user is.

use cronexpr::{Crontab, FallbackTimezoneOption, MakeTimestamp, ParseOptions, parse_crontab_with};
use jiff::{Timestamp as Moment, Zoned, civil::DateTime, tz::TimeZone};
use teammate_core::{Timestamp, port::Calendar, team::ScheduleTime};

/// The most bytes of what is read.
const BYTES_MAX: usize = 200;

/// The calendar of this machine. Expressions that name no time zone are in its own.
#[derive(Debug, Clone, Copy, Default)]
pub struct MachineCalendar;

impl Calendar for MachineCalendar {
    fn read(&self, text: &str, now: Timestamp) -> Result<ScheduleTime, String> {
        let text = text.trim();
        if text.len() > BYTES_MAX {
            return Err(format!("a time has at most {BYTES_MAX} characters"));
        }
        if let Some(once) = moment(text) {
            return match once > now {
                true => Ok(ScheduleTime::Once(once)),
                false => Err(format!("{} has passed", self.shown(once))),
            };
        }
        let when = ScheduleTime::Cron(text.to_owned());
        match self.next(&when, now)? {
            Some(_) => Ok(when),
            None => Err(format!("'{text}' never comes")),
        }
    }

    fn next(&self, when: &ScheduleTime, after: Timestamp) -> Result<Option<Timestamp>, String> {
        match when {
            ScheduleTime::Once(at) => Ok((*at > after).then_some(*at)),
            ScheduleTime::Cron(text) => {
                let after = i64::try_from(after.0).unwrap_or(i64::MAX);
                let after = MakeTimestamp::from_millisecond(after);
                let found = after.and_then(|after| crontab(text)?.find_next(after));
                match found {
                    Ok(next) => Ok(u64::try_from(next.timestamp().as_millisecond())
                        .ok()
                        .map(Timestamp)),
                    // One that can be read has no further moment.
                    Err(_) if crontab(text).is_ok() => Ok(None),
                    Err(error) => Err(not_understood(text, &error)),
                }
            }
        }
    }

    fn shown(&self, at: Timestamp) -> String {
        let at = i64::try_from(at.0).unwrap_or(i64::MAX);
        let moment = Moment::from_millisecond(at).unwrap_or(Moment::MAX);
        let local = moment.to_zoned(TimeZone::system());
        local.strftime("%Y-%m-%d %H:%M").to_string()
    }
}

fn crontab(text: &str) -> Result<Crontab, cronexpr::Error> {
    let mut options = ParseOptions::default();
    options.fallback_timezone_option = FallbackTimezoneOption::System;
    parse_crontab_with(text, options)
}

fn not_understood(text: &str, error: &cronexpr::Error) -> String {
    let why = error.to_string();
    let why = why.lines().last().unwrap_or_default().trim();
    format!(
        "'{text}' is no time: write minute, hour, day, month and weekday, as '0 9 * * mon-fri', or a moment, as \
         '2026-11-26 09:00' ({why})"
    )
}

/// `2026-11-26 09:00` where the user is, or with an offset: `2026-11-26T09:00:00Z`.
fn moment(text: &str) -> Option<Timestamp> {
    let exact = text.parse::<Moment>().ok();
    let local = || {
        text.parse::<DateTime>()
            .ok()?
            .to_zoned(TimeZone::system())
            .ok()
    };
    let at = exact.or_else(|| local().map(|local: Zoned| local.timestamp()))?;
    u64::try_from(at.as_millisecond()).ok().map(Timestamp)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        moment(text).unwrap()
    }

    fn next(text: &str, after: &str) -> Option<Timestamp> {
        let when = MachineCalendar.read(text, at(after)).unwrap();
        MachineCalendar.next(&when, at(after)).unwrap()
    }

    #[test]
    fn expressions_have_a_next_moment_where_they_say() {
        for (text, after, expected) in [
            (
                "0 9 * * mon-fri UTC",
                "2026-11-25T09:00:00Z",
                "2026-11-26T09:00:00Z",
            ),
            (
                "0 9 * * mon-fri UTC",
                "2026-11-27T10:00:00Z",
                "2026-11-30T09:00:00Z",
            ),
            (
                "*/15 * * * * UTC",
                "2026-11-25T09:01:00Z",
                "2026-11-25T09:15:00Z",
            ),
            (
                "0 9 * * * Europe/Berlin",
                "2026-06-01T00:00:00Z",
                "2026-06-01T07:00:00Z",
            ),
            (
                "0 0 29 2 * UTC",
                "2026-11-25T00:00:00Z",
                "2028-02-29T00:00:00Z",
            ),
            // The night in which half past two does not exist.
            (
                "30 2 * * * Europe/Berlin",
                "2026-03-28T12:00:00Z",
                "2026-03-30T00:30:00Z",
            ),
            (
                "2026-12-01T08:00:00Z",
                "2026-11-25T00:00:00Z",
                "2026-12-01T08:00:00Z",
            ),
        ] {
            assert_eq!(next(text, after), Some(at(expected)), "{text}");
        }
        let once = ScheduleTime::Once(at("2026-12-01T08:00:00Z"));
        assert_eq!(
            MachineCalendar.next(&once, at("2026-12-01T08:00:00Z")),
            Ok(None)
        );
    }

    #[test]
    fn what_is_no_time_says_how_to_write_one() {
        let now = at("2026-11-25T00:00:00Z");
        for text in [
            "",
            "tomorrow",
            "61 * * * *",
            "* 24 * * *",
            "* * 0 * *",
            "* * * 13 *",
            "* * * * 8",
            "* * * *",
            "* * * * * * *",
            "0 9 * * mon Mars/Base",
        ] {
            let why = MachineCalendar.read(text, now).unwrap_err();
            assert!(why.contains("write minute, hour"), "{text}: {why}");
        }
        for (text, why) in [
            ("2026-11-24T00:00:00Z", "has passed"),
            ("0 0 30 2 *", "never comes"),
            (&*"1".repeat(201), "at most 200 characters"),
        ] {
            let error = MachineCalendar.read(text, now).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
