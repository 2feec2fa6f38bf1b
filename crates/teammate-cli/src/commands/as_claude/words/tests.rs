use super::*;

fn read(theirs: &[&str]) -> Result<Vec<String>, String> {
    let theirs: Vec<OsString> = theirs.iter().map(OsString::from).collect();
    let ours = ours(&theirs)?;
    Ok(ours
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect())
}

/// The flags that these become.
fn flags(theirs: &[&str]) -> Vec<String> {
    let ours = read(&[&["-p"], theirs].concat()).unwrap();
    let end = ours
        .iter()
        .position(|word| word == "--tool-names=claude")
        .unwrap();
    ours[1..end].to_vec()
}

#[test]
fn the_command_lines_of_the_sdks_are_ours() {
    let python = [
        "--output-format",
        "stream-json",
        "--verbose",
        "--system-prompt",
        "",
        "--allowedTools",
        "Read,Bash(git log:*, x)",
        "--max-turns",
        "3",
        "--model",
        "claude-x-1",
        "--permission-prompt-tool",
        "stdio",
        "--permission-mode",
        "acceptEdits",
        "--continue",
        "--input-format",
        "stream-json",
    ];
    assert_eq!(
        read(&python).unwrap(),
        [
            "as-claude",
            "--output-format=stream-json",
            "--allow=Read",
            "--allow=Bash(git log:*, x)",
            "--max-rounds=3",
            "--model=anthropic:claude-x-1",
            "--permission-prompt-tool=stdio",
            "--permission-mode=accept-edits",
            "--continue",
            "--input-format=stream-json",
            "--tool-names=claude",
            "--",
        ]
    );
    let typescript = [
        "--output-format",
        "stream-json",
        "--verbose",
        "--input-format",
        "stream-json",
        "--max-budget-usd=1.5",
        "--resume=0192f0c1-2b7e-7000-8000-000000000001",
        "--setting-sources=",
        "--json-schema={\"type\":\"object\"}",
    ];
    assert_eq!(
        read(&typescript).unwrap()[3..7],
        [
            "--budget-money=1.5",
            "--resume=0192f0c1-2b7e-7000-8000-000000000001",
            "--no-project-instructions",
            "--json-schema={\"type\":\"object\"}",
        ]
    );
}

#[test]
fn a_list_goes_on_to_the_next_flag_and_a_job_may_stand_anywhere() {
    let ours = read(&[
        "-p",
        "fix it",
        "--allowedTools",
        "Edit",
        "Bash(ls)",
        "--verbose",
    ])
    .unwrap();
    assert_eq!(
        ours,
        [
            "as-claude",
            "--allow=Edit",
            "--allow=Bash(ls)",
            "--tool-names=claude",
            "--",
            "fix it"
        ]
    );
    let ours = read(&["--verbose", "-p", "--", "--fix"]).unwrap();
    assert_eq!(ours, ["as-claude", "--tool-names=claude", "--", "--fix"]);
}

#[test]
fn values_are_said_in_our_words() {
    for (theirs, ours) in [
        (
            &["--permission-mode", "plan"][..],
            &["--permission-mode=ask", "--plans-only"][..],
        ),
        (
            &["--dangerously-skip-permissions"],
            &["--permission-mode=bypass"],
        ),
        (&["--model", "default"], &[]),
        (&["--model", "local:small"], &["--model=local:small"]),
        (&["--max-thinking-tokens", "0"], &["--effort=off"]),
        (&["--setting-sources", "user,project"], &[]),
        (
            &["--disallowedTools", "AskUserQuestion,Write"],
            &["--deny=Write"],
        ),
        (
            &["--system-prompt", "Be kind"],
            &["--append-system-prompt=Be kind"],
        ),
        (
            &[
                "--tools",
                "Bash,Read,Edit,Write,Glob,Grep,Task,Skill,TodoWrite",
            ],
            &["--deny=web_fetch", "--deny=web_search"],
        ),
        (
            &[
                "--mcp-config",
                r#"{"mcpServers":{"calc":{"type":"sdk","name":"calc"},"x":{"command":"y"}}}"#,
            ],
            &[
                "--caller-server=calc",
                "--named-server=x",
                r#"--mcp-config={"mcpServers":{"x":{"command":"y"}}}"#,
            ],
        ),
        (&["--strict-mcp-config"], &["--strict-mcp-config"]),
        (&["--await-initialize", "--debug-to-stderr"], &[]),
        (&["--permission-prompts=none"], &["--asks-nobody"]),
        (&["--permission-prompts=host"], &[]),
        (
            &["--resume=x", "--fork-session"],
            &["--resume=x", "--fork-session"],
        ),
        (
            &["--add-dir", "/data"],
            &[
                "--add-dir=/data",
                "--append-system-prompt=Besides the workspace, the user gives you /data. File tools do not reach it: read and write \
                 there with commands.",
            ],
        ),
        (
            &[
                "--settings",
                r#"{"sandbox":{"enabled":true,"failIfUnavailable":true,"excludedCommands":[],"network":{"allowLocalBinding":false,"allowedDomains":["crates.io"],"deniedDomains":["x.y"]}}}"#,
            ],
            &["--allow=net(crates.io)", "--deny=net(x.y)"],
        ),
        (
            &[
                "--settings",
                r#"{"permissions":{"allow":["Read"],"defaultMode":"acceptEdits","deny":["Bash(rm:*)"]}}"#,
            ],
            &[
                "--allow=Read",
                "--permission-mode=accept-edits",
                "--deny=Bash(rm:*)",
            ],
        ),
    ] {
        assert_eq!(flags(theirs), ours, "{theirs:?}");
    }
}

#[test]
fn what_means_nothing_here_is_refused_by_its_name() {
    for (theirs, named) in [
        (
            &["-p", "--session-mirror", "x"][..],
            "--session-mirror is not done here",
        ),
        (&["-p", "--frobnicate", "x"], "--frobnicate is no flag"),
        (
            &["-p", "--model", "swift", "x"],
            "--model: 'swift' is the short name",
        ),
        (
            &["-p", "--permission-mode", "auto", "x"],
            "--permission-mode: there is no mode 'auto'",
        ),
        (
            &["-p", "--permission-prompts", "some", "x"],
            "--permission-prompts: write host or none",
        ),
        (&["-p", "--max-turns"], "--max-turns needs a value"),
        (&["-p", "--verbose=1"], "--verbose takes no value"),
        (
            &["-p", "--settings", r#"{"hooks":{}}"#],
            "--settings: the setting hooks is not used",
        ),
        (
            &[
                "-p",
                "--settings",
                r#"{"sandbox":{"excludedCommands":["docker"]}}"#,
            ],
            "--settings: sandbox.excludedCommands is not used",
        ),
        (
            &[
                "-p",
                "--settings",
                r#"{"sandbox":{"autoAllowBashIfSandboxed":true}}"#,
            ],
            "--settings: sandbox.autoAllowBashIfSandboxed is not done here",
        ),
        (
            &["-p", "--permission-prompt-tool", "mcp__a__b"],
            "--permission-prompt-tool: a tool of a server",
        ),
        (&["fix it"], "this does one job"),
    ] {
        let why = read(theirs).unwrap_err();
        assert!(why.starts_with(named), "{theirs:?}: {why}");
    }
}

#[test]
fn the_name_of_the_program_stands_for_the_verb() {
    let given = [OsString::from("-p"), OsString::from("x")];
    let named = |name: &str| translated(Some(Path::new(name)), &given);
    assert!(named("/opt/links/claude").is_some());
    assert!(named("/usr/bin/teammate").is_none());
    assert!(translated(None, &["as-claude".into(), "-p".into()]).is_some());
}

/// What the SDKs pass, of the versions that `docs/as-claude.md` names.
const OF_SDKS: &str = "--add-dir --agent --allow-dangerously-skip-permissions --allowedTools --append-system-prompt --await-initialize \
    --betas --channels --continue --debug --debug-file --debug-to-stderr --disallowedTools --effort --fallback-model --fork-session \
    --include-hook-events --include-partial-messages --initialize-fields --input-format --json-schema --managed-settings \
    --managed-settings-in-initialize --max-budget-usd --max-thinking-tokens --max-turns --mcp-config --model \
    --no-session-persistence --output-format --permission-mode --permission-prompt-tool --permission-prompts --plugin-dir \
    --plugin-dir-no-mcp --project-config-root --resume --resume-drops-turn --resume-session-at --sdk-url --session-id \
    --session-mirror --setting-sources --settings --strict-mcp-config --system-prompt --system-prompt-file --task-budget \
    --thinking --thinking-display --tools --verbose";

#[test]
fn every_flag_of_the_sdks_is_known_and_every_known_one_is_in_the_page() {
    for name in OF_SDKS.split_whitespace() {
        assert!(Flag::named(name).is_some(), "{name}");
    }
    let page = include_str!("../../../../../../docs/as-claude.md");
    let is_shown = |name: &&str| {
        [' ', '`']
            .iter()
            .any(|end| page.contains(&format!("`{name}{end}")))
    };
    for names in flags::names() {
        assert!(names.iter().any(is_shown), "{names:?}");
    }
}
