//! The policy of the machine, which no flag, no configuration and no answer weakens. The program sees another `/etc` here, in a
//! mount namespace of its own, for which the tests need to be root; elsewhere nothing is tried, and that is printed.
#![expect(clippy::print_stdout, reason = "a test says what it skips")]

use std::{
    fs,
    io::Write as _,
    os::unix::fs::chown,
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::{
    play::{Scene as _, bash, play, say},
    world::{Run, World},
};

/// A machine with this policy.
pub(crate) struct Machine {
    world: World,
    etc: PathBuf,
}

impl Machine {
    pub(crate) fn with(policy: &str, world: World) -> Option<Self> {
        let has_mounts = || {
            let tried = Command::new("unshare").args(["--mount", "true"]).status();
            tried.is_ok_and(|status| status.success())
        };
        if !rustix::process::geteuid().is_root() || !has_mounts() {
            println!("skipped: only root, who may mount, can have another /etc");
            return None;
        }
        let etc = world.path("../etc");
        let copied = Command::new("cp").arg("-a").arg("/etc").arg(&etc).status();
        assert!(copied.unwrap().success());
        fs::create_dir_all(etc.join("teammate")).unwrap();
        fs::write(etc.join("teammate/policy.toml"), policy).unwrap();
        Some(Self { world, etc })
    }

    /// Runs the program to its end on this machine.
    pub(crate) fn teammate(&self, arguments: &[&str]) -> Run {
        let mut command = self.command(arguments);
        command.stdin(Stdio::null());
        self.world.launch(command).end()
    }

    /// Types these lines at its plain prompt, one after the other.
    pub(crate) fn types(&self, lines: &[&str]) -> Run {
        let mut command = self.command(&[]);
        command.stdin(Stdio::piped());
        let mut prompt = self.world.launch(command);
        let mut keys = prompt.stdin();
        keys.write_all(lines.join("\n").as_bytes()).unwrap();
        drop(keys);
        prompt.end()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("unshare");
        let script = "mount --bind \"$0\" /etc && exec \"$@\"";
        command
            .args(["--mount", "--propagation", "private", "sh", "-c", script])
            .arg(&self.etc)
            .arg(env!("CARGO_BIN_EXE_teammate"))
            .args(arguments)
            .env_clear()
            .envs(self.world.variables())
            .current_dir(self.world.work());
        command
    }

    /// Nothing was opened.
    fn is_untouched(&self) -> bool {
        !self.world.path(".team").exists()
    }
}

fn lead(scenes: impl IntoIterator<Item = Value>) -> World {
    let scenes = scenes.into_iter().chain([say("Done.").otherwise()]);
    World::playing(&play([("lead", scenes.collect())]))
}

#[test]
fn what_is_forbidden_is_refused_before_anything_is_opened() {
    let policy = "[sandbox]\noff = false\nrequired = \"full\"\n\n[forbidden]\nmodes = [\"bypass\"]\nflags = [\"--dir\", \"--allow\"]\n";
    let Some(machine) = Machine::with(policy, lead([])) else {
        return;
    };
    for (arguments, why) in [
        (
            &["run", "--permission-mode", "bypass", "Go"][..],
            "policy.toml:6 forbids the mode 'bypass'; the highest is 'accept-edits'",
        ),
        (
            &["run", "--sandbox", "off", "Go"],
            "policy.toml:2 forbids that the sandbox is switched off",
        ),
        (
            &["run", "--allow", "bash", "Go"],
            "policy.toml:7 forbids the flag --allow",
        ),
        (&["demo"], "forbids the mode 'bypass'"),
    ] {
        machine
            .teammate(arguments)
            .ends(1)
            .complains(why)
            .complains("the administrator of this machine decides that");
        assert!(machine.is_untouched(), "{arguments:?}");
    }
    let config = machine.world.path("../home/.config/teammate");
    fs::create_dir_all(&config).unwrap();
    fs::write(config.join("config.toml"), "permission_mode = \"bypass\"\n").unwrap();
    machine
        .teammate(&["run", "Go"])
        .ends(1)
        .complains("forbids the mode 'bypass'");
    fs::write(config.join("config.toml"), "containment = \"marks\"\n").unwrap();
    machine
        .teammate(&["run", "Go"])
        .ends(1)
        .complains("requires that commands are held at the level 'full'; here it would be 'none'");
    assert!(machine.is_untouched());
    fs::remove_file(config.join("config.toml")).unwrap();
    machine
        .teammate(&["run", "--permission-mode", "accept-edits", "Go"])
        .ends(0);
}

// fast: the policy of a machine
#[test]
fn its_rules_come_before_those_of_the_user() {
    let policy = "[rules]\ndeny = [\"bash(touch denied)\"]\nask = [\"bash(touch asked)\"]\n";
    let scenes = [
        bash("touch denied"),
        bash("touch asked"),
        bash("touch free"),
    ];
    let Some(machine) = Machine::with(policy, lead(scenes)) else {
        return;
    };
    machine
        .teammate(&["run", "--permission-mode", "bypass", "--allow", "*", "Go"])
        .ends(4)
        .complains("the administrator's rule 'bash(touch asked)' has the user asked each time");
    let outcomes = machine.world.outcomes("lead");
    assert!(
        outcomes[0].contains("the administrator's rule 'bash(touch denied)' forbids it"),
        "{outcomes:#?}"
    );
    for (name, is_made) in [("denied", false), ("asked", false), ("free", true)] {
        assert_eq!(machine.world.path(name).exists(), is_made, "{name}");
    }
    machine
        .teammate(&["rules"])
        .ends(0)
        .says("deny   bash(touch denied)  the machine's policy, /etc/teammate/policy.toml")
        .says("ask    bash(touch asked)  the machine's policy, /etc/teammate/policy.toml");
    let listed = machine.teammate(&["rules", "--json"]).ends(0);
    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    assert_eq!(listed["ask"][0]["origin"], "policy");
    machine
        .teammate(&["rules", "remove", "bash(touch asked)"])
        .ends(1)
        .complains("which only its administrator changes");
}

#[test]
fn other_models_and_servers_are_not_used() {
    let policy = "[allowed]\nmodels = [\"good-*\"]\nendpoints = [\"http://127.0.0.1:9\"]\n";
    let Some(machine) = Machine::with(policy, World::with_model("near:good-1")) else {
        return;
    };
    let config = machine.world.path("../home/.config/teammate");
    fs::create_dir_all(&config).unwrap();
    let providers = "[providers.near]\nwire = \"openai\"\nbase_url = \"http://127.0.0.1:9/v1\"\n\
        [providers.far]\nwire = \"openai\"\nbase_url = \"http://127.0.0.1:19/v1\"\n";
    fs::write(config.join("config.toml"), providers).unwrap();
    for (model, why) in [
        (
            "near:bad-1",
            "policy.toml:2 does not allow the model 'near:bad-1'",
        ),
        (
            "far:good-1",
            "policy.toml:3 does not allow the server http://127.0.0.1:19",
        ),
    ] {
        let run = machine.teammate(&["run", "--model", model, "Go"]);
        assert_ne!(run.code, 0);
        run.complains(why);
    }
}

#[test]
fn who_asks_sees_what_is_limited() {
    let policy = "[sandbox]\nnetwork = [\"crates.io\"]\n[forbidden]\nflags = [\"network\"]\n[rules]\ndeny = [\"net(evil.example)\"]\n";
    let Some(machine) = Machine::with(policy, lead([])) else {
        return;
    };
    machine
        .teammate(&["doctor", "--offline"])
        .says("policy: /etc/teammate/policy.toml, of root")
        .says("policy: commands connect to no hosts but net(crates.io); the full sandbox is required for it (line 2)")
        .says("policy: the flag --network is forbidden (line 4)")
        .says("policy: rules that deny: 1, rules that ask: 0");
    machine
        .teammate(&["rules"])
        .ends(0)
        .says("policy  commands connect to no hosts but net(crates.io)");
}

#[test]
fn a_policy_that_is_not_roots_or_not_right_lets_nothing_be_opened() {
    let Some(machine) = Machine::with("", lead([])) else {
        return;
    };
    let path = machine.etc.join("teammate/policy.toml");
    machine.teammate(&["run", "Go"]).ends(0);
    fs::remove_dir_all(machine.world.path(".team")).unwrap();
    for (text, why) in [
        (
            "[sandbox]\nrequierd = \"full\"\n",
            "line 2: unknown field `requierd`",
        ),
        (
            "[forbidden]\nflags = [\"--sandobx\"]\n",
            "this program has no flag --sandobx",
        ),
    ] {
        fs::write(&path, text).unwrap();
        let refused = machine.teammate(&["run", "Go"]).ends(1).complains(why);
        assert!(
            refused.err.contains("nothing was opened"),
            "{}",
            refused.err
        );
    }
    fs::write(&path, "").unwrap();
    chown(&path, Some(12345), None).unwrap();
    let why = "/etc/teammate/policy.toml cannot be used: it belongs to user 12345, not to root";
    machine.teammate(&["run", "Go"]).ends(1).complains(why);
    machine.teammate(&["doctor", "--offline"]).ends(1).says(why);
    assert!(machine.is_untouched());
}
