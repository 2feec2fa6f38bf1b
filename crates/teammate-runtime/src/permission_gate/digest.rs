//! The digest that an approval is bound to: of who does what, where, as the user was shown it.

use ring::digest::{Context, SHA256};
use teammate_core::{port::Target, request::Digest};

use super::CheckedCall;

/// Names what is hashed below and in which order. It changes whenever that does: questions that are open then are asked again.
const DIGESTED: &[u8] = b"permission 1";

/// Of all that an approval is bound to. Each part comes with its length, so that none can pass for another.
pub(super) fn digest(passing: &CheckedCall<'_>) -> Digest {
    let caller = passing.caller;
    let incarnation = caller.incarnation.to_string();
    let mut parts = vec![
        DIGESTED,
        caller.name.as_str().as_bytes(),
        incarnation.as_bytes(),
        passing.tool.as_bytes(),
        passing.place.as_os_str().as_encoded_bytes(),
        passing.action.shows.as_bytes(),
    ];
    match &passing.action.target {
        // How the text was read follows from the text.
        Target::Command(command) => {
            parts.extend([&b"command"[..], command.text.as_bytes()]);
            parts.extend(command.untrusted.iter().map(String::as_bytes));
        }
        Target::Path(path) => {
            let paths = [&path.resolved, &path.full, &path.written];
            parts.push(b"path");
            parts.extend(paths.map(|path| path.as_os_str().as_encoded_bytes()));
        }
        // It is shown.
        Target::Host(_) => parts.push(b"host"),
        Target::Team => parts.push(b"team"),
    }
    digest_of(&parts)
}

/// SHA-256 over parts, each with its length before it.
pub(crate) fn digest_of(parts: &[&[u8]]) -> Digest {
    let mut context = Context::new(&SHA256);
    for part in parts {
        context.update(&(part.len() as u64).to_be_bytes());
        context.update(part);
    }
    let mut bytes = [0; 32];
    bytes.copy_from_slice(context.finish().as_ref());
    Digest::of_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use teammate_core::{
        Incarnation, MemberName,
        permission::{Location, Mode, Script, ShellCommand},
        port::{Action, Caller},
        tool::EffectClass,
    };

    use super::*;

    fn digest_of_target(target: Target) -> String {
        let caller = Caller {
            name: MemberName::lead(),
            incarnation: Incarnation(2),
            call: "lead/2/1/c".into(),
            sources: Default::default(),
            subagent: None,
        };
        let action = Action {
            target,
            shows: "shown".to_owned(),
            summary: String::new(),
        };
        let passing = CheckedCall {
            caller: &caller,
            mode: Mode::Ask,
            tool: "bash",
            class: EffectClass::Executes,
            action: &action,
            place: Path::new("/work"),
            call: None,
            offers_rules: true,
            asked_by_hook: None,
            subagent: None,
        };
        digest(&passing).to_string()
    }

    /// An approval may be older than the program that uses it.
    #[test]
    fn digests_are_made_as_ever() {
        let path = |name: &str| PathBuf::from(format!("/work/{name}"));
        let command = ShellCommand {
            text: "git log".to_owned(),
            script: Script::Unparsed { why: "any reading" },
            untrusted: vec!["core.pager".to_owned()],
            unheld: None,
        };
        let location = Location {
            resolved: path("resolved"),
            full: path("full"),
            written: path("written"),
        };
        for (target, digest) in [
            (
                Target::Command(command),
                "8dee0e7e0513fa700609a39b445be0de332c9a14235c7a39dbc4a23d344e2700",
            ),
            (
                Target::Path(location),
                "b636a1e739ebaa4ea6489d9671c272d788e0adbfe36cf412aea6a112eaa6f14c",
            ),
            (
                Target::Team,
                "cc14dfcee13d76f863e35495c4c815a8c503e015ce08f3747842351362c2451f",
            ),
        ] {
            assert_eq!(digest_of_target(target), digest);
        }
    }
}
