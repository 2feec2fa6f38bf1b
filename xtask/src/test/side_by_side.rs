//! Test programs side by side: while one waits for processes, disks and timers, the other computes.

use std::{
    process::Command,
    sync::{Mutex, PoisonError},
    thread,
};

use xtask::command::{Gathered, run_gathering};

/// How many programs run at a time. Each runs a few tests at a time itself.
pub(super) const PROGRAMS: usize = 2;

/// Begins them in their order, and waits for all; returns how each ended, in the same order. What one prints on its standard output is
/// shown when it has ended, in one piece.
pub(super) fn run_all(commands: Vec<Command>) -> Vec<Gathered> {
    let mut finished: Vec<Option<Gathered>> = commands.iter().map(|_| None).collect();
    let waiting = Mutex::new(commands.into_iter().zip(&mut finished));
    let next = || {
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.next()
    };
    thread::scope(|scope| {
        for _ in 0..PROGRAMS {
            scope.spawn(|| {
                while let Some((mut command, place)) = next() {
                    *place = Some(run_gathering(&mut command));
                }
            });
        }
    });
    finished.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use xtask::command::Ended;

    use super::run_all;

    #[test]
    fn each_end_stands_at_its_commands_place() {
        let commands = ["sleep 0.2; echo slow", "echo quick", "echo bad; exit 3"];
        let commands = commands.map(|line| {
            let mut shell = Command::new("sh");
            shell.args(["-c", line]);
            shell
        });
        let finished = run_all(commands.into());
        let said: Vec<String> = finished.iter().map(|one| one.lines.join("\n")).collect();
        assert_eq!(said, ["slow", "quick", "bad"]);
        let has_passed = finished
            .iter()
            .map(|one| matches!(one.ended, Ended::Passed(_)));
        assert_eq!(has_passed.collect::<Vec<_>>(), [true, true, false]);
    }
}
