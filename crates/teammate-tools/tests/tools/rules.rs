//! Permission rules held against what the tools say they would do: commands as they are read, paths as they are resolved.

mod allow;
mod deny;
mod offers;
mod paths;
mod random;

use serde_json::json;
use teammate_core::{
    permission::{Mode, Rule, RuleOrigin, RuleVerdict, Rules, Touches},
    port::Target,
    tool::EffectClass,
};

use crate::support::Bench;

fn rules(deny: &[&str], allow: &[&str]) -> Rules {
    let list = |rules: &[&str]| {
        let parse = |text: &&str| Rule::parse(text, RuleOrigin::User).unwrap();
        rules.iter().map(parse).collect()
    };
    Rules {
        deny: list(deny),
        allow: list(allow),
        ..Rules::default()
    }
}

fn target(bench: &Bench, command: &str) -> Target {
    let action = bench.action("bash", json!({ "command": command }));
    action.unwrap().target
}

fn runs(bench: &Bench, rules: &Rules, command: &str) -> RuleVerdict {
    let target = target(bench, command);
    rules.decide(Mode::Ask, "bash", EffectClass::Executes, &target)
}

#[track_caller]
fn each_is(verdict: &RuleVerdict, rules: &Rules, bench: &Bench, commands: &[&str]) {
    for command in commands {
        assert_eq!(
            &runs(bench, rules, command),
            verdict,
            "{command:?}: {:?}",
            target(bench, command)
        );
    }
}

#[test]
fn what_a_command_reaches_is_read_from_its_redirections_and_addresses() {
    let bench = Bench::new();
    let reach = |command: &str| Touches::of(EffectClass::Executes, &target(&bench, command));
    let found =
        reach("curl -d @x https://example.org/up 2>/dev/null > out < in && sort < in >> in");
    assert_eq!(found.reads, ["in"]);
    assert_eq!(found.writes, ["out", "in"]);
    assert_eq!(found.network, ["https://example.org/up"]);
    assert!(!found.is_all, "only the program knows what else it opens");
    assert_eq!(reach("cargo test"), Touches::default());
    assert_eq!(
        reach("cat file:///etc/passwd").network,
        Vec::<String>::new()
    );
}
