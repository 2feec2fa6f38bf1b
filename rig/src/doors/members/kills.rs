//! Kills at moments of chance while a message makes the member work: of the program that runs the team, or of one of the processes
//! that the agent consists of. Each message must come through, and its prompt once.

use std::time::Duration;

use super::{script, script::Script, stand::Stand};
use crate::torture::{self, Chance};

/// Some agents take seconds to start.
const LATEST_MS: u64 = 3_500;

/// How many, and of which chance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kills {
    count: u32,
    seed: u64,
}

impl Kills {
    /// Reads `--kills N` and `--seed X` where words begin with them; what is left.
    pub(super) fn parse<'a, 'b>(words: &'b [&'a str]) -> Result<(Self, &'b [&'a str]), String> {
        let mut kills = Self {
            count: 3,
            seed: torture::new_seed(),
        };
        let mut words = words;
        loop {
            words = match words {
                ["--kills", count, rest @ ..] => {
                    let count = count.parse();
                    kills.count = count.map_err(|_| "--kills needs a number".to_owned())?;
                    rest
                }
                ["--seed", seed, rest @ ..] => {
                    let seed = seed.parse();
                    kills.seed = seed.map_err(|_| "--seed needs a number".to_owned())?;
                    rest
                }
                rest => return Ok((kills, rest)),
            };
        }
    }

    /// Does them, from the message with this number on; what was seen, in words.
    pub(super) fn run(
        self,
        first: u32,
        stand: &Stand<'_>,
        script: &Script,
    ) -> Result<String, String> {
        println!("{} kills, seed {}", self.count, self.seed);
        let mut chance = Chance(self.seed);
        let (mut hosts, mut agents, mut doubled) = (0, 0, 0);
        for number in first..first + self.count {
            let delay = Duration::from_millis(100 + chance.below(LATEST_MS));
            stand.send(&script::message(number))?;
            let killed = if chance.below(2) == 0 {
                hosts += 1;
                stand.kill_host(delay)?;
                "the host".to_owned()
            } else {
                let killed = stand.kill_of_agent(delay, |count| chance.below(count))?;
                agents += u32::from(killed.is_some());
                killed.unwrap_or_else(|| "nothing".to_owned())
            };
            if !stand.place().lead_heard(&format!("MESSAGE-{number}")) {
                return Err(format!(
                    "MESSAGE-{number} did not come after {killed} was killed at {} ms",
                    delay.as_millis()
                ));
            }
            let copies = script.copies(number).saturating_sub(1);
            if copies > 0 {
                println!(
                    "MESSAGE-{number} doubled: {killed} at {} ms",
                    delay.as_millis()
                );
            }
            doubled += copies;
        }
        Ok(format!(
            "{hosts} kills of the host and {agents} of an agent's process, {doubled} prompts doubled"
        ))
    }
}
