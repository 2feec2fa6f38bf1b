//! Local time for the user: days and times of moments, and moments from what people write.

use std::fmt;

use teammate::{
    Timestamp,
    platform::{now, utc_offset},
};

/// A local day and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Local {
    year: i64,
    month: u8,
    day: u8,
    second: i64,
}

const DAY: i64 = 86_400;

impl Local {
    /// The time of a clock on the wall at that moment.
    pub(crate) fn at(moment: Timestamp) -> Self {
        let seconds = i64::try_from(moment.0 / 1000).unwrap_or(i64::MAX / 2);
        Self::of(seconds + utc_offset(seconds).unwrap_or(0))
    }

    /// `seconds` since 1970 where this clock is.
    fn of(seconds: i64) -> Self {
        let (days, second) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        // The proleptic Gregorian calendar in eras of 400 years that begin on 1 March.
        let shifted = days + 719_468;
        let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let small = |number: i64| u8::try_from(number).unwrap_or(0);
        Self {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month: small(month),
            day: small(day),
            second,
        }
    }

    /// The day, as `2026-11-22`.
    pub(crate) fn day(&self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// The time, as `14:05:09`.
impl fmt::Display for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hour, minute) = (self.second / 3_600, self.second / 60 % 60);
        write!(f, "{hour:02}:{minute:02}:{:02}", self.second % 60)
    }
}

/// A moment that the user names: `45s`, `10m`, `2h` or `3d` before `now`; `14:05`, the last one before it; a day or a time as `2026-11-22`,
/// `2026-11-22T14:05` or `2026-11-22 14:05:09`, local, or with `Z` or `+01:00` behind it.
fn moment(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    let local_offset = |seconds| utc_offset(seconds).unwrap_or(0);
    ago(text, now)
        .or_else(|| of_day(text, now, &local_offset))
        .or_else(|| dated(text, &local_offset))
}

/// A time of day, the last one before `now`.
fn of_day(text: &str, now: Timestamp, local_offset: &impl Fn(i64) -> i64) -> Option<Timestamp> {
    let of_day = seconds_of(text)?;
    let now = i64::try_from(now.0 / 1_000).ok()?;
    let wall = now + local_offset(now);
    let today = wall - wall.rem_euclid(DAY) + of_day;
    let wall = if today > wall { today - DAY } else { today };
    let seconds = u64::try_from(wall - local_offset(wall - local_offset(wall))).ok()?;
    Some(Timestamp(seconds * 1_000))
}

/// Reads a moment that lies before now.
///
/// Errors: how moments are written, in a sentence.
pub(crate) fn past_moment(text: &str) -> Result<Timestamp, String> {
    moment(text, now()).ok_or_else(|| {
        "write how long ago (45s, 10m, 2h or 3d), a time of day like 14:05, or a day and time like \
         2026-11-22T14:05"
            .to_owned()
    })
}

fn ago(text: &str, now: Timestamp) -> Option<Timestamp> {
    let units = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400)];
    let mut written = units
        .into_iter()
        .filter_map(|(letter, unit)| Some((text.strip_suffix(letter)?, unit)));
    let (count, unit) = written.next()?;
    let count: u64 = count.parse().ok()?;
    let millis = count.checked_mul(unit)?.checked_mul(1000)?;
    Some(Timestamp(now.0.saturating_sub(millis)))
}

fn dated(text: &str, local_offset: &impl Fn(i64) -> i64) -> Option<Timestamp> {
    let (day, rest) = text.split_at_checked(10)?;
    let mut numbers = day.splitn(3, '-');
    let mut number = |digits: usize| {
        let text = numbers.next().filter(|text| text.len() == digits)?;
        text.parse::<i64>().ok()
    };
    let (year, month, date) = (number(4)?, number(2)?, number(2)?);
    let (time, zone) = match rest.find(['Z', '+', '-']) {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let of_day = match time.strip_prefix(['T', ' ']) {
        Some(time) => seconds_of(time)?,
        None if time.is_empty() => 0,
        None => return None,
    };
    let wall = days(year, month, date)? * DAY + of_day;
    let seconds = match zone {
        // The offset at that moment is found from one that is near.
        "" => wall - local_offset(wall - local_offset(wall)),
        "Z" => wall,
        zone => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            wall - sign * seconds_of(zone.strip_prefix(['+', '-'])?)?
        }
    };
    u64::try_from(seconds)
        .ok()
        .map(|seconds| Timestamp(seconds * 1000))
}

/// `14:05` or `14:05:09`.
fn seconds_of(time: &str) -> Option<i64> {
    let parts: Vec<i64> = time
        .split(':')
        .map(|part| part.parse::<u8>().ok().map(i64::from))
        .collect::<Option<_>>()?;
    match parts[..] {
        [hour @ 0..24, minute @ 0..60] => Some(hour * 3_600 + minute * 60),
        [hour @ 0..24, minute @ 0..60, second @ 0..=60] => {
            Some(hour * 3_600 + minute * 60 + second)
        }
        _ => None,
    }
}

/// Days since 1970; `None` if there is no such day.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let (from_march, year_from_march) = match month {
        3..=12 => (month - 3, year),
        1..=2 => (month + 9, year - 1),
        _ => return None,
    };
    let era = year_from_march.div_euclid(400);
    let of_era = year_from_march.rem_euclid(400);
    let of_year = (153 * from_march + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let local = Local::of(days * DAY);
    (i64::from(local.day) == day && i64::from(local.month) == month).then_some(days)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times_are_those_of_the_calendar() {
        for (seconds, day, time) in [
            (0, "1970-01-01", "00:00:00"),
            (951_782_400, "2000-02-29", "00:00:00"),
            (1_795_304_387, "2026-11-21", "23:39:47"),
            (4_107_542_399, "2100-02-28", "23:59:59"),
            (4_107_542_400, "2100-03-01", "00:00:00"),
        ] {
            let local = Local::of(seconds);
            assert_eq!(
                (local.day().as_str(), local.to_string().as_str()),
                (day, time)
            );
        }
    }

    #[test]
    fn people_write_moments_in_several_ways() {
        let now = Timestamp(1_795_304_387_000);
        for (text, before) in [("45s", 45), ("10m", 600), ("2h", 7_200), ("3d", 259_200)] {
            assert_eq!(
                moment(text, now),
                Some(Timestamp(now.0 - before * 1000)),
                "{text}"
            );
        }
        let an_hour_ahead = |_| 3_600;
        // It is 00:39:47 there.
        for (text, before) in [
            ("00:39", 47),
            ("00:39:47", 0),
            ("00:40", DAY - 13),
            ("23:39:47", 3_600),
        ] {
            let at = of_day(text, now, &an_hour_ahead).unwrap();
            assert_eq!(
                now.0 - at.0,
                u64::try_from(before).unwrap() * 1_000,
                "{text}"
            );
        }
        let at = |text| dated(text, &an_hour_ahead).map(|moment| moment.0 / 1000);
        for (text, seconds) in [
            ("2000-02-29T00:00:00Z", 951_782_400),
            ("2000-02-29T01:00", 951_782_400),
            ("2000-02-29 01:00:00", 951_782_400),
            ("2000-02-29T02:00+02:00", 951_782_400),
            ("2000-02-28T22:30-01:30", 951_782_400),
            ("2000-02-29", 951_778_800),
        ] {
            assert_eq!(at(text), Some(seconds), "{text}");
        }
        for text in [
            "",
            "yesterday",
            "10",
            "m",
            "2026-02-30",
            "2026-13-01",
            "2026-11-22T25:00",
            "2026-11-22x",
            "ü2026-11-2",
        ] {
            assert_eq!(moment(text, now), None, "{text}");
        }
    }
}
