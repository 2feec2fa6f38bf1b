//! A workspace that is the user's home directory: what is hidden there is protected there, too.

use std::fs;

use serde_json::json;
use teammate_sandbox::SandboxRules;

use crate::support::Bench;

#[tokio::test]
async fn commands_run_where_a_name_is_hidden_and_protected() {
    let bench = Bench::within(|top| SandboxRules {
        home: Some(top.join("work")),
        ..SandboxRules::default()
    });
    fs::create_dir(bench.root.join(".claude")).unwrap();
    fs::write(bench.root.join(".claude/settings.json"), "theirs").unwrap();
    for command in ["true", "true"] {
        let outcome = bench.run("bash", json!({ "command": command })).await;
        assert!(!outcome.is_error, "{}", outcome.text());
    }
    let script = "cat .claude/settings.json; echo x > .claude/settings.json; rm -rf .claude; mv .claude x; ls";
    let outcome = bench.run("bash", json!({ "command": script })).await;
    assert!(!outcome.text().contains("theirs"), "{}", outcome.text());
    let kept = fs::read_to_string(bench.root.join(".claude/settings.json")).unwrap();
    assert_eq!(kept, "theirs");
}
