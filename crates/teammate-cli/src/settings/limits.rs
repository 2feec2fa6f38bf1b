//! The tables `[sandbox.limits]` and `[sandbox.limits.member]` of the configuration: how much a command may use, and all of a
//! member together.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error, Visitor},
};
use teammate::sandbox::{CommandLimits, MemberLimits};

/// The expected words, for errors.
const WORDS: &str = "a number above 0, a size such as \"16G\", or \"none\"";

/// The table of limits; one that is not set has a default.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LimitsTable {
    memory: Option<Bound>,
    processes: Option<Bound>,
    open_files: Option<Bound>,
    file: Option<Bound>,
    disk: Option<Bound>,
    cpu_minutes: Option<Bound>,
    wall_minutes: Option<Bound>,
    member: MemberTable,
}

/// Of all commands of a member.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(deny_unknown_fields, default)]
struct MemberTable {
    memory: Option<Bound>,
    processes: Option<Bound>,
    disk: Option<Bound>,
    cpu_minutes: Option<Bound>,
    wall_minutes: Option<Bound>,
}

/// A highest number, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bound(Option<u64>);

impl LimitsTable {
    pub(super) fn limits(&self) -> CommandLimits {
        let basis = CommandLimits::default();
        CommandLimits {
            file_bytes: or(self.file, basis.file_bytes),
            memory_bytes: basis.memory_bytes,
            total_memory_bytes: or(self.memory, basis.total_memory_bytes),
            open_files: or(self.open_files, basis.open_files),
            processes: processes(self.processes, basis.processes),
            cpu_seconds: seconds(self.cpu_minutes, basis.cpu_seconds),
            disk_bytes: or(self.disk, basis.disk_bytes),
            wall_seconds: seconds(self.wall_minutes, basis.wall_seconds),
        }
    }

    pub(super) fn member_limits(&self) -> MemberLimits {
        let (basis, own) = (MemberLimits::default(), &self.member);
        MemberLimits {
            memory_bytes: or(own.memory, basis.memory_bytes),
            processes: processes(own.processes, basis.processes),
            cpu_seconds: seconds(own.cpu_minutes, basis.cpu_seconds),
            disk_bytes: or(own.disk, basis.disk_bytes),
            wall_seconds: seconds(own.wall_minutes, basis.wall_seconds),
        }
    }
}

fn or(bound: Option<Bound>, basis: Option<u64>) -> Option<u64> {
    bound.map_or(basis, |Bound(most)| most)
}

fn processes(bound: Option<Bound>, basis: Option<u32>) -> Option<u32> {
    let most = or(bound, basis.map(u64::from));
    most.map(|most| u32::try_from(most).unwrap_or(u32::MAX))
}

fn seconds(minutes: Option<Bound>, basis: Option<u64>) -> Option<u64> {
    let set = |Bound(minutes): Bound| minutes.map(|minutes| minutes.saturating_mul(60));
    minutes.map_or(basis, set)
}

/// The allowance of a command by these limits, in words.
pub(crate) fn allowance(limits: &CommandLimits) -> String {
    let uses = [
        memory(limits.total_memory_bytes),
        limits.processes.map(|most| format!("{most} processes")),
        limits
            .open_files
            .map(|most| format!("{most} open files in each")),
        limits
            .file_bytes
            .map(|most| format!("files of {}", size(most))),
        written(limits.disk_bytes),
        processor_time(limits.cpu_seconds),
        time(limits.wall_seconds),
    ];
    in_words("a command", uses)
}

/// The allowance of all commands of a member by these limits, in words.
pub(crate) fn member_allowance(limits: &MemberLimits) -> String {
    let uses = [
        memory(limits.memory_bytes),
        limits.processes.map(|most| format!("{most} processes")),
        written(limits.disk_bytes),
        processor_time(limits.cpu_seconds),
        time(limits.wall_seconds),
    ];
    in_words("all commands of a member together", uses)
}

fn in_words(who: &str, uses: impl IntoIterator<Item = Option<String>>) -> String {
    let uses: Vec<_> = uses.into_iter().flatten().collect();
    match uses.is_empty() {
        true => format!("{who} may use as much as you"),
        false => format!("{who} may use {}", uses.join(", ")),
    }
}

fn memory(bytes: Option<u64>) -> Option<String> {
    bytes.map(|most| format!("{} of memory", size(most)))
}

fn written(bytes: Option<u64>) -> Option<String> {
    bytes.map(|most| format!("{} written to disks", size(most)))
}

fn processor_time(seconds: Option<u64>) -> Option<String> {
    seconds.map(|most| format!("{} min of processors", most / 60))
}

fn time(seconds: Option<u64>) -> Option<String> {
    seconds.map(|most| format!("{} min", most / 60))
}

/// In the largest unit of which there is a whole one.
fn size(bytes: u64) -> String {
    let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    let found = units.into_iter().find(|(shift, _)| bytes >> shift > 0);
    found.map_or_else(
        || format!("{bytes} bytes"),
        |(shift, unit)| format!("{} {unit}", bytes >> shift),
    )
}

impl Bound {
    /// `none`, a number, or a number with K, M, G or T behind it: powers of 1024.
    fn parse(text: &str) -> Option<Self> {
        if text == "none" {
            return Some(Self(None));
        }
        let (number, shift) = match text.split_at_checked(text.len().checked_sub(1)?)? {
            (number, "K") => (number, 10),
            (number, "M") => (number, 20),
            (number, "G") => (number, 30),
            (number, "T") => (number, 40),
            _ => (text, 0),
        };
        let number: u64 = number.parse().ok()?;
        let most = number.checked_mul(1 << shift)?;
        (most > 0).then_some(Self(Some(most)))
    }
}

impl<'de> Deserialize<'de> for Bound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Words;
        impl Visitor<'_> for Words {
            type Value = Bound;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(WORDS)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Bound, E> {
                Bound::parse(text).ok_or_else(|| E::custom(format!("'{text}' is not {WORDS}")))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Bound, E> {
                self.visit_str(&number.to_string())
            }
        }
        deserializer.deserialize_any(Words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<LimitsTable, String> {
        toml::from_str(text).map_err(|error: toml::de::Error| error.to_string())
    }

    fn read(text: &str) -> Result<CommandLimits, String> {
        table(text).map(|table| table.limits())
    }

    #[test]
    fn sizes_numbers_and_none_are_understood() {
        let limits = read(
            "memory = \"2G\"\nprocesses = 64\nopen_files = \"1K\"\nfile = 4096\ndisk = \"none\"\ncpu_minutes = 2",
        );
        let expected = CommandLimits {
            file_bytes: Some(4096),
            memory_bytes: None,
            total_memory_bytes: Some(2 << 30),
            open_files: Some(1024),
            processes: Some(64),
            cpu_seconds: Some(120),
            disk_bytes: None,
            wall_seconds: None,
        };
        assert_eq!(limits, Ok(expected));
        assert_eq!(read(""), Ok(CommandLimits::default()));
    }

    #[test]
    fn a_member_has_limits_of_its_own() {
        let limits = |text| table(text).map(|table| (table.limits(), table.member_limits()));
        let basis = (CommandLimits::default(), MemberLimits::default());
        assert_eq!(limits(""), Ok(basis));
        let (of_command, of_member) = basis;
        let expected = MemberLimits {
            memory_bytes: Some(8 << 30),
            disk_bytes: Some(1 << 40),
            wall_seconds: Some(7_200),
            ..of_member
        };
        let text = "[member]\nmemory = \"8G\"\ndisk = \"1T\"\nwall_minutes = 120";
        assert_eq!(limits(text), Ok((of_command, expected)));
        assert_eq!(
            member_allowance(&expected),
            "all commands of a member together may use 8 GiB of memory, 4096 processes, 1 TiB written to disks, 120 min"
        );
        assert!(
            limits("[member]\nfile = 1")
                .unwrap_err()
                .contains("unknown field")
        );
    }

    #[test]
    fn limits_are_listed() {
        let limits = read("memory = \"2G\"\nprocesses = 64\nfile = 4096\ncpu_minutes = 2").unwrap();
        assert_eq!(
            allowance(&limits),
            "a command may use 2 GiB of memory, 64 processes, 4096 open files in each, files of 4 KiB, 100 GiB written to disks, \
             2 min of processors"
        );
        let none = "memory = \"none\"\nprocesses = \"none\"\nopen_files = \"none\"\nfile = \"none\"\ndisk = \"none\"";
        assert_eq!(
            allowance(&read(none).unwrap()),
            "a command may use as much as you"
        );
    }

    #[test]
    fn what_is_no_limit_is_refused_with_its_line() {
        for text in [
            "0",
            "-1",
            "\"0G\"",
            "\"16 GB\"",
            "\"\"",
            "\"G\"",
            "\"99999999T\"",
            "1.5",
            "true",
        ] {
            let why = read(&format!("memory = {text}")).unwrap_err();
            assert!(
                why.contains("16G") && why.contains("memory"),
                "{text}: {why}"
            );
        }
        assert!(read("swap = 1").unwrap_err().contains("unknown field"));
    }
}
