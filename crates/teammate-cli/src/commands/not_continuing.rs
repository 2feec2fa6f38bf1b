//! The lines about members that do not continue by themselves, when a team is opened or stopped.

use teammate::{Halted, HaltedBy, Team};

/// Lines to print before a team continues. Of the stopped members only those with unheard mail are named, unless
/// `is_resumed`: the user has just asked to continue everything.
pub(super) async fn at_opening(team: &Team, is_resumed: bool) -> Vec<String> {
    if !is_resumed && !team.has_halted() {
        return Vec::new();
    }
    let Ok(client) = team.look().await else {
        // The opening itself reports damaged files.
        return Vec::new();
    };
    let Ok(mut halted) = client.halted().await else {
        return Vec::new();
    };
    halted.retain(|member| is_resumed || member.unheard > 0);
    let mut lines = lines(&halted);
    if is_resumed && client.has_work().await.is_ok_and(|has_work| !has_work) {
        lines.push(
            "nothing to continue: there is no unfinished turn, no unread mail for a running member, and no task that a member could begin"
                .to_owned(),
        );
    }
    lines
}

/// A sentence for those who are stopped, and one for those who were interrupted.
pub(super) fn lines(halted: &[Halted]) -> Vec<String> {
    let named = |by: HaltedBy| {
        let of_it: Vec<&Halted> = halted.iter().filter(|member| member.by == by).collect();
        let names: Vec<String> = of_it.iter().map(|member| with_mail(member)).collect();
        of_it
            .first()
            .map(|first| (first.name.clone(), names.join(", ")))
    };
    let stopped = named(HaltedBy::Stop).map(|(first, names)| {
        format!(
            "stopped: {names}. Only the lead can wake a stopped member: `teammate send lead \"wake {first}\"`"
        )
    });
    let interrupted = named(HaltedBy::Interrupt).map(|(first, names)| {
        format!(
            "interrupted: {names}. To continue, send a message: `teammate send {first} \"go on\"`"
        )
    });
    stopped.into_iter().chain(interrupted).collect()
}

fn with_mail(member: &Halted) -> String {
    let name = &member.name;
    match unheard(member.unheard) {
        Some(mail) => format!("{name} ({mail})"),
        None => name.to_string(),
    }
}

/// The mail that waits for a member, in words; none if none does.
pub(super) fn unheard(count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some("1 message waits for it".to_owned()),
        count => Some(format!("{count} messages wait for it")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use teammate::MemberName;

    fn halted(name: &str, by: HaltedBy, unheard: usize) -> Halted {
        Halted {
            name: MemberName::parse(name).unwrap(),
            by,
            unheard,
        }
    }

    #[test]
    fn each_is_named_with_its_mail_and_with_what_has_it_go_on() {
        let members = [
            halted("alice", HaltedBy::Stop, 2),
            halted("bob", HaltedBy::Stop, 0),
            halted("carol", HaltedBy::Interrupt, 0),
        ];
        assert_eq!(
            lines(&members),
            [
                "stopped: alice (2 messages wait for it), bob. Only the lead can wake a stopped member: `teammate send lead \"wake alice\"`",
                "interrupted: carol. To continue, send a message: `teammate send carol \"go on\"`",
            ]
        );
        assert_eq!(lines(&[]), [""; 0]);
    }
}
