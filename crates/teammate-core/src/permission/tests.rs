//! What is decided, about commands that were read already.

mod asking;
mod because;
mod connections;
mod offers;
mod repository;
mod servers;

use super::*;
use crate::permission::Action;

fn known(words: &str) -> Vec<Word> {
    words
        .split(' ')
        .map(|word| match word {
            "?" => Word::Unknown("$x".to_owned()),
            word => Word::Known(word.to_owned()),
        })
        .collect()
}

/// A command of these parts; `?` is a word that is not known.
fn chain(parts: &[&str]) -> Target {
    Target::Command(ShellCommand {
        text: parts.join(" && "),
        untrusted: Vec::new(),
        unheld: None,
        script: Script::Parsed {
            commands: parts.iter().map(|part| known(part)).collect(),
            files: Vec::new(),
            inputs: Vec::new(),
            texts: Vec::new(),
            doubt: None,
        },
    })
}

fn blur(text: &str) -> Target {
    Target::Command(ShellCommand {
        text: text.to_owned(),
        untrusted: Vec::new(),
        unheld: None,
        script: Script::Unparsed { why: "a test" },
    })
}

fn file(path: &str) -> Target {
    Target::Path(Location {
        resolved: path.into(),
        full: std::path::Path::new("/work").join(path),
        written: path.into(),
    })
}

fn list(rules: &[&str]) -> Vec<Rule> {
    let parse = |text: &&str| Rule::parse(text, RuleOrigin::User).unwrap();
    rules.iter().map(parse).collect()
}

fn rules(deny: &[&str], allow: &[&str]) -> Rules {
    Rules {
        deny: list(deny),
        allow: list(allow),
        ..Rules::default()
    }
}

fn runs(rules: &Rules, target: &Target) -> RuleVerdict {
    rules.decide(Mode::Ask, "bash", EffectClass::Executes, target)
}

fn writes(rules: &Rules, mode: Mode, path: &str) -> RuleVerdict {
    rules.decide(mode, "edit_file", EffectClass::Writes, &file(path))
}

#[test]
fn a_chain_is_as_allowed_as_its_least_allowed_part() {
    let rules = rules(&[], &["bash(git status:*)", "bash(cargo test)"]);
    for parts in [
        &["git status"][..],
        &["git status --short"],
        &["git status", "cargo test"],
        &["true", "git status", "echo done"],
    ] {
        assert_eq!(runs(&rules, &chain(parts)), RuleVerdict::Allow, "{parts:?}");
    }
    for parts in [
        &["git statusx"][..],
        &["git"],
        &["cargo test x"],
        &["git status", "rm x"],
        &["rm x", "git status"],
        &["git status ?"],
        &["? status"],
        &["echo done"],
        &["sudo git status"],
        &["/usr/bin/git status"],
        &[],
    ] {
        assert_eq!(runs(&rules, &chain(parts)), RuleVerdict::Ask, "{parts:?}");
    }
    assert_eq!(runs(&rules, &blur("git status")), RuleVerdict::Ask);
}

#[test]
fn the_end_of_a_long_chain_counts_like_its_beginning() {
    let rules = rules(&["bash(curl:*)"], &["bash(true)", "bash(ls:*)"]);
    let mut parts = vec!["true"; 50];
    assert_eq!(runs(&rules, &chain(&parts)), RuleVerdict::Allow);
    parts.push("wget x");
    assert_eq!(runs(&rules, &chain(&parts)), RuleVerdict::Ask);
    parts.push("curl x");
    assert!(matches!(runs(&rules, &chain(&parts)), RuleVerdict::Deny(_)));
}

#[test]
fn deny_is_first_whatever_allow_says() {
    let rules = rules(
        &["bash(git push:*)", "edit(secret/**)"],
        &["*", "bash(git push)", "edit"],
    );
    for mode in [Mode::Ask, Mode::AcceptEdits, Mode::Bypass] {
        let verdict = rules.decide(mode, "bash", EffectClass::Executes, &chain(&["git push"]));
        assert!(matches!(verdict, RuleVerdict::Deny(_)));
        assert!(matches!(
            writes(&rules, mode, "secret/a"),
            RuleVerdict::Deny(_)
        ));
        assert_eq!(writes(&rules, mode, "open/a"), RuleVerdict::Allow);
    }
    let RuleVerdict::Deny(rule) = runs(&rules, &chain(&["git push"])) else {
        panic!("it is denied")
    };
    assert_eq!(rule.describe(), "the user's rule 'bash(git push:*)'");
}

#[test]
fn deny_catches_what_may_be_meant_and_no_look_alikes() {
    let rules = rules(
        &[
            "bash(rm:*)",
            "bash(git push:*)",
            "bash(sudo:*)",
            "bash(shutdown:*)",
        ],
        &[],
    );
    for target in [
        chain(&["ls", "rm x"]),
        chain(&["/bin/rm x"]),
        chain(&["sudo ls"]),
        chain(&["env A=1 rm x"]),
        chain(&["xargs -n 1 rm"]),
        chain(&["find . -exec rm ?"]),
        chain(&["git -C sub push"]),
        chain(&["git --no-pager -c a=b push origin"]),
        chain(&["git ?"]),
        chain(&["? rm x"]),
        blur("if; rm x"),
        blur("x='1' r\\m x"),
        blur("\"git\"   push"),
        blur("A=1 sudo -n rm"),
    ] {
        assert!(
            matches!(runs(&rules, &target), RuleVerdict::Deny(_)),
            "{target:?}"
        );
    }
    for target in [
        chain(&["grep -rn sudo docs/"]),
        chain(&["echo rm"]),
        chain(&["git log push"]),
        chain(&["cat shutdown_handler.py"]),
        blur("cat <<X shutdown_handler.py"),
    ] {
        assert_eq!(runs(&rules, &target), RuleVerdict::Ask, "{target:?}");
    }
}

#[test]
fn protected_places_are_asked_about_below_bypass() {
    let rules = rules(&[], &["edit", "edit(.claude/**)"]);
    for path in [
        ".claude/settings.json",
        ".git/hooks/x",
        ".mcp.json",
        ".bashrc",
    ] {
        assert_eq!(
            writes(&rules, Mode::AcceptEdits, path),
            RuleVerdict::Ask,
            "{path}"
        );
        assert_eq!(
            writes(&rules, Mode::Bypass, path),
            RuleVerdict::Allow,
            "{path}"
        );
        let read = rules.decide(Mode::Ask, "read_file", EffectClass::Reads, &file(path));
        assert_eq!(read, RuleVerdict::Allow);
    }
}

#[test]
fn always_is_the_very_same_and_nothing_else() {
    for (made, others) in [
        ("make a", &["make a b", "make", "make a && make b"][..]),
        ("ls *", &["ls x", "ls"]),
        ("ls:*", &["ls", "ls x"]),
        ("=x", &["x"]),
        ("a > (b)", &["a"]),
    ] {
        let action = Action {
            target: blur(made),
            shows: String::new(),
            summary: String::new(),
        };
        let rule = rule_for_exactly("bash", &action).unwrap();
        // As it comes back from where it was kept.
        let rule = Rule::parse(&rule.to_string(), RuleOrigin::Always).unwrap();
        let rules = Rules {
            allow: vec![rule],
            ..Rules::default()
        };
        assert_eq!(runs(&rules, &blur(made)), RuleVerdict::Allow, "{made}");
        for other in others {
            assert_eq!(runs(&rules, &blur(other)), RuleVerdict::Ask, "{other}");
            assert_eq!(runs(&rules, &chain(&[other])), RuleVerdict::Ask, "{other}");
        }
    }
    let action = Action {
        target: file("src/*.rs"),
        shows: String::new(),
        summary: String::new(),
    };
    let rules = Rules {
        allow: vec![rule_for_exactly("edit_file", &action).unwrap()],
        ..Rules::default()
    };
    assert_eq!(writes(&rules, Mode::Ask, "src/*.rs"), RuleVerdict::Allow);
    assert_eq!(writes(&rules, Mode::Ask, "src/a.rs"), RuleVerdict::Ask);
}

#[test]
fn the_lead_may_only_allow_within_the_ceiling() {
    let rules = Rules {
        lead_may: list(&["bash(cargo:*)", "edit(src/**)", "edit(.claude/**)"]),
        ..rules(&["bash(cargo publish:*)"], &["bash(ls)"])
    };
    let may = |tool: &str, class, target: Target| rules.lead_may_allow(tool, class, &target);
    let runs = |parts: &[&str]| may("bash", EffectClass::Executes, chain(parts));
    assert!(runs(&["cargo test"]));
    assert!(!runs(&["cargo publish"]), "denied");
    assert!(!runs(&["cargo test", "rm x"]));
    assert!(
        !runs(&["ls"]),
        "not in the ceiling; it needs no answer either"
    );
    assert!(may("edit_file", EffectClass::Writes, file("src/a.rs")));
    assert!(!may("edit_file", EffectClass::Writes, file("docs/a")));
    assert!(
        !may("edit_file", EffectClass::Writes, file(".claude/a")),
        "protected"
    );
    assert!(!Rules::default().lead_may_allow("bash", EffectClass::Executes, &chain(&["ls"])));
}

#[test]
fn what_is_a_rule() {
    for text in [
        "", "()", "bash(", "bash()", "ba sh", "bash(x", "bash( )", "bash(=)",
    ] {
        assert!(Rule::parse(text, RuleOrigin::User).is_err(), "{text}");
    }
    for (text, error) in [
        (
            "read(secret.{pem,key)",
            "the user's rule 'read(secret.{pem,key)' is not understood: at character 13, unclosed alternate group",
        ),
        (
            " read(ñ/x[z-a])",
            "the user's rule 'read(ñ/x[z-a])' is not understood: at character 9, invalid range",
        ),
        (
            "edit(src/**.rs)",
            "the user's rule 'edit(src/**.rs)' is not understood: at character 10, '**' stands for directories",
        ),
        (
            "bash(git * push)",
            "the user's rule 'bash(git * push)' is not understood: at character 10, '*' stands for more words",
        ),
        (
            "bash(git push*)",
            "the user's rule 'bash(git push*)' is not understood: at character 14, '*' stands for more words",
        ),
        (
            "ba sh",
            "the user's rule 'ba sh' is not understood: write TOOL or TOOL(PATTERN)",
        ),
    ] {
        let said = Rule::parse(text, RuleOrigin::User).unwrap_err().to_string();
        assert!(said.starts_with(error), "{said}");
    }
    let flag = Rule::parse("read([)", RuleOrigin::CommandLine).unwrap_err();
    assert!(
        flag.to_string()
            .starts_with("the command line's rule 'read([)'")
    );
    for text in [
        "bash",
        "*",
        "bash(git status:*)",
        "bash(echo (a))",
        "edit(=a b)",
        "Bash(ls *)",
    ] {
        let rule = Rule::parse(text, RuleOrigin::User).unwrap();
        assert_eq!(rule.to_string(), text);
    }
    let ls = rules(&[], &["Bash(ls *)", "Write(src/**)"]);
    assert_eq!(runs(&ls, &chain(&["ls -l"])), RuleVerdict::Allow);
    assert_eq!(writes(&ls, Mode::Ask, "src/a"), RuleVerdict::Allow);
    for all in ["bash(*)", "bash(:*)"] {
        let allow = rules(&[], &[all]);
        assert_eq!(runs(&allow, &chain(&["ls -l"])), RuleVerdict::Allow);
        assert_eq!(runs(&allow, &chain(&["sudo ls"])), RuleVerdict::Ask);
        let deny = rules(&[all], &["bash"]);
        for target in [chain(&["ls"]), chain(&["? x"]), blur("(")] {
            assert!(
                matches!(runs(&deny, &target), RuleVerdict::Deny(_)),
                "{target:?}"
            );
        }
    }
}

#[test]
fn deny_rules_for_files_know_braces_and_classes() {
    for rule in [
        "read(secret.{pem,key})",
        "read(*.{pem,key})",
        "read(secret.[p]em)",
        "read(secret.[!x]em)",
        "*(secret.{pem,key})",
        "read(=secret.pem)",
        "read(=/work/secret.pem)",
    ] {
        let read = |path: &str| {
            let target = file(path);
            rules(&[rule], &[]).decide(Mode::Bypass, "read_file", EffectClass::Reads, &target)
        };
        assert!(matches!(read("secret.pem"), RuleVerdict::Deny(_)), "{rule}");
        assert_eq!(read("secret.txt"), RuleVerdict::Allow, "{rule}");
    }
}

#[test]
fn a_search_holds_each_rule_against_a_path_once_however_deep() {
    const DEPTH: usize = 3_000;
    let workspace = crate::port::Workspace {
        root: "/work".into(),
        team_dir: "/work/.team".into(),
        outputs: "/work/.team/outputs".into(),
        tmp: None,
        unreadable: list(&[
            "read(secret)",
            "read(**/*.pem)",
            "edit(src/**)",
            "read",
            "bash(ls)",
        ]),
    };
    let before = path_pattern::evaluations::so_far();
    let mut path = workspace.root.clone();
    for _ in 0..DEPTH {
        path.push("x");
        assert!(!workspace.is_unreadable(&path));
    }
    let about_reading = 2;
    assert_eq!(
        path_pattern::evaluations::so_far() - before,
        DEPTH * about_reading
    );
    assert!(workspace.is_unreadable(&path.join("key.pem")));
    assert!(workspace.is_unreadable(std::path::Path::new("/work/secret")));
    assert!(!workspace.is_unreadable(std::path::Path::new("/work/src/a")));
}

#[test]
fn the_rules_that_were_needed_are_named() {
    let rules = rules(
        &[],
        &[
            "edit",
            "bash(git log:*)",
            "bash(git status:*)",
            "bash(git add:*)",
            "bash(git status)",
        ],
    );
    let texts = |target: &Target| -> Vec<String> {
        let needed = rules.allowing("bash", target);
        needed.iter().map(ToString::to_string).collect()
    };
    let both = chain(&["git add x", "git status"]);
    assert_eq!(texts(&both), ["bash(git status:*)", "bash(git add:*)"]);
    assert_eq!(texts(&chain(&["git log"])), ["bash(git log:*)"]);
}
