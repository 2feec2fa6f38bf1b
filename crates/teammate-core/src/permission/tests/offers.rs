//! Which rules an "always" can make of a call.

use super::*;

fn action(target: Target) -> Action {
    Action {
        target,
        shows: String::new(),
        summary: String::new(),
    }
}

fn offered(rules: &Rules, tool: &str, class: EffectClass, target: Target) -> String {
    let offered = rules.offered(Mode::Ask, tool, class, &action(target));
    offered.to_string()
}

fn of_command(rules: &Rules, target: Target) -> String {
    offered(rules, "bash", EffectClass::Executes, target)
}

fn of_edit(rules: &Rules, path: &str) -> String {
    offered(rules, "edit_file", EffectClass::Writes, file(path))
}

#[test]
fn a_command_offers_itself_and_its_prefix_but_never_all_commands() {
    let none = Rules::default();
    for (line, prefix) in [
        ("cargo test", "cargo test"),
        ("cargo test -p core --lib", "cargo test"),
        ("git log --oneline", "git log"),
        ("npm run lint", "npm run lint"),
        ("go vet ./...", "go vet"),
    ] {
        assert_eq!(
            of_command(&none, chain(&[line])),
            format!("exact: bash(={line}), prefix: bash({prefix} *)")
        );
    }
    for line in ["rm x", "cargo", "cargo run", "git push", "npm run", "bash"] {
        assert_eq!(
            of_command(&none, chain(&[line])),
            format!("exact: bash(={line})")
        );
    }
}

#[test]
fn a_prefix_allows_other_words_and_nothing_beside_them() {
    let made = "bash(cargo test *)";
    let rules = rules(&[], &[made]);
    for parts in [
        &["cargo test"][..],
        &["cargo test -p x"],
        &["cargo test", "echo a"],
    ] {
        assert_eq!(runs(&rules, &chain(parts)), RuleVerdict::Allow, "{parts:?}");
    }
    for parts in [
        &["cargo test", "rm x"][..],
        &["cargo testx"],
        &["cargo"],
        &["cargo test --config a"],
        &["cargo test --manifest-path a"],
        &["cargo test ?"],
        &["sudo cargo test"],
    ] {
        assert_eq!(runs(&rules, &chain(parts)), RuleVerdict::Ask, "{parts:?}");
    }
    // The text of the rule itself: there the star is the shell's, which makes options of names of files.
    let Target::Command(mut command) = chain(&["cargo test ?"]) else {
        panic!()
    };
    command.text = "cargo test *".to_owned();
    assert_eq!(runs(&rules, &Target::Command(command)), RuleVerdict::Ask);
}

#[test]
fn a_file_offers_its_tool_and_a_protected_place_nothing() {
    let none = Rules::default();
    assert_eq!(
        of_edit(&none, "src/a.rs"),
        "exact: edit_file(=src/a.rs), tool: edit_file"
    );
    assert_eq!(of_edit(&none, ".claude/settings.json"), "no rule");
}

#[test]
fn what_a_rule_would_not_let_through_is_not_offered() {
    let asking = Rules {
        ask: list(&["bash(cargo:*)", "edit"]),
        ..Rules::default()
    };
    assert_eq!(of_command(&asking, chain(&["cargo test"])), "no rule");
    assert_eq!(of_edit(&asking, "a"), "no rule");
    let Target::Command(mut command) = chain(&["cargo test"]) else {
        panic!()
    };
    command.unheld = Some("a gap".into());
    let unheld = Target::Command(command.clone());
    assert_eq!(of_command(&Rules::default(), unheld), "no rule");
    command.unheld = None;
    command.untrusted = vec!["core.hooksPath".to_owned()];
    let untrusted = Target::Command(command);
    assert_eq!(of_command(&Rules::default(), untrusted), "no rule");
    // Clear enough for its own words, but not for others.
    assert_eq!(
        of_command(&Rules::default(), chain(&["git log --output=f"])),
        "exact: bash(=git log --output=f)"
    );
}

#[test]
fn a_connection_and_a_call_offer_no_whole_tool() {
    let none = Rules::default();
    let host = Target::Host(connections::destination("a.example", 443));
    assert_eq!(
        offered(&none, NET, EffectClass::Calls, host),
        "exact: net(a.example)"
    );
    for class in [EffectClass::Calls, EffectClass::Executes] {
        assert_eq!(offered(&none, "deploy", class, Target::Team), "no rule");
        assert_eq!(
            offered(&none, "deploy", class, file("a")),
            "exact: deploy(=a)"
        );
    }
}
