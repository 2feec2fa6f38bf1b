//! When which member's command ran, so that one can be named that may have changed a file. Which files a command changed is not
//! known.

use std::{
    collections::VecDeque,
    time::{Duration, SystemTime},
};

use teammate_core::MemberName;

/// How many commands are remembered.
const COMMANDS_MAX: usize = 256;
/// How far a file's time may be from the clock: file systems round it, and some keep whole seconds.
const TIME_BLUR: Duration = Duration::from_secs(1);
/// How many commands one sentence names.
const NAMED_MAX: usize = 3;

/// The latest commands of a team, oldest first.
#[derive(Debug, Default)]
pub(super) struct Commands {
    runs: VecDeque<CommandRun>,
    begun: u64,
}

#[derive(Debug)]
struct CommandRun {
    number: u64,
    member: MemberName,
    text: String,
    from: SystemTime,
    until: Option<SystemTime>,
}

impl Commands {
    /// One begins. The number is for its end.
    pub(super) fn begin(&mut self, member: MemberName, text: String, now: SystemTime) -> u64 {
        if self.runs.len() >= COMMANDS_MAX {
            let ended = self.runs.iter().position(|run| run.until.is_some());
            // One that still runs goes only if all do.
            self.runs.remove(ended.unwrap_or(0));
        }
        self.begun += 1;
        self.runs.push_back(CommandRun {
            number: self.begun,
            member,
            text,
            from: now,
            until: None,
        });
        self.begun
    }

    pub(super) fn end(&mut self, number: u64, now: SystemTime) {
        let run = self.runs.iter_mut().find(|run| run.number == number);
        if let Some(run) = run {
            run.until = Some(now);
        }
    }

    /// Those that ran at this moment, in words for `reader`; nothing if none did.
    pub(super) fn at(&self, moment: SystemTime, reader: &MemberName) -> Option<String> {
        let ran = |run: &&CommandRun| {
            run.from <= moment + TIME_BLUR
                && run.until.is_none_or(|until| moment <= until + TIME_BLUR)
        };
        let all: Vec<&CommandRun> = self.runs.iter().rev().filter(ran).collect();
        let named = all.iter().take(NAMED_MAX).map(|run| {
            let whose = match run.member == *reader {
                true => "your".to_owned(),
                false => format!("{}'s", run.member),
            };
            format!("{whose} command `{}`", run.text)
        });
        let named: Vec<String> = named.collect();
        let more = all.len() - named.len();
        let more = match more {
            0 => String::new(),
            more => format!(" or one of {more} more"),
        };
        (!named.is_empty()).then(|| named.join(" or ") + &more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_ran_at_a_moment_are_named() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let [alice, bob] = ["alice", "bob"].map(|name| MemberName::parse(name).unwrap());
        let mut commands = Commands::default();
        let first = commands.begin(alice.clone(), "make".to_owned(), at(100));
        commands.end(first, at(110));
        commands.begin(bob, "watch".to_owned(), at(105));
        assert_eq!(commands.at(at(90), &alice), None);
        assert_eq!(
            commands.at(at(107), &alice).unwrap(),
            "bob's command `watch` or your command `make`"
        );
        assert_eq!(
            commands.at(at(300), &alice).unwrap(),
            "bob's command `watch`"
        );
        for number in 0..COMMANDS_MAX {
            let run = commands.begin(alice.clone(), number.to_string(), at(400));
            commands.end(run, at(401));
        }
        let named = commands.at(at(400), &alice).unwrap();
        assert!(named.ends_with("or one of 253 more"), "{named}");
    }
}
