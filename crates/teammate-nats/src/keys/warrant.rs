//! The warrants of writers, beyond the walls that the servers hold: who may write what.
//!
//! A person speaks as the user, so for everybody. A worker writes the transcripts and mail of members that it has held, and
//! speaks on the wire as itself. Any worker may become the steward, so any may write records: what one may decide is the team's
//! own rule.

use teammate_core::{MemberName, Sender, name::WorkerName};
use teammate_wire::mail;

use super::{CircleRole, Holdings, Signer};

/// Whether this signer may write this line to the log of this name, or say it on this subject.
pub(super) fn allows(holdings: &Holdings, by: &Signer, log: &str, line: &[u8]) -> bool {
    match by.role {
        CircleRole::Person => true,
        CircleRole::Worker => is_of_worker(holdings, &by.name, log, line),
    }
}

fn is_of_worker(holdings: &Holdings, worker: &WorkerName, log: &str, line: &[u8]) -> bool {
    let has_held =
        |name: &str| MemberName::parse(name).is_ok_and(|member| holdings.has_held(worker, &member));
    if log == "journal" || log == "objects" {
        return true;
    }
    if let Some(("transcript" | "settled", member)) = log.split_once('/') {
        return has_held(member);
    }
    if let Some(("inbox", to)) = log.split_once('/') {
        return match sender(line) {
            Some(Sender::Member(member)) => holdings.has_held(worker, &member),
            // Notices of the harness are from where the member runs, or from the steward.
            Some(Sender::System) => has_held(to) || holdings.has_stewarded(worker),
            Some(Sender::User | Sender::Unverified(_)) | None => false,
        };
    }
    let tokens: Vec<&str> = log.split('.').collect();
    match tokens[..] {
        ["tm", "beat", of] | ["tm", _, _, "cmd", _, of] => of == worker.as_str(),
        ["tm", _, _, "text", member] => has_held(member),
        ["tm", "gov", _] => true,
        _ => false,
    }
}

/// The sender of a line of mail; the line is given without its seal and without its end.
fn sender(line: &[u8]) -> Option<Sender> {
    let text = std::str::from_utf8(line).ok()?;
    let message = mail::read(&format!("{text}}}")).ok()?;
    Some(message.from)
}
