//! The command line. Each of its values is a text of the user, which is tried here, or it says what else it is: a new one has to be
//! put into one of the two lists.

use super::*;

/// Values that are no texts of the user's, by their names: which team, member, task or request is meant, numbers, times, choices,
/// files, addresses, and settings that go to the user's own configuration.
const NO_TEXT: &[&str] = &[
    "[command]",
    "[conversation]",
    "[dir]",
    "[event]",
    "[file]",
    "[id]",
    "[name]",
    "[number]",
    "[owner]",
    "[rule]",
    "[socket_dir]",
    "[source]",
    "[to]",
    "--carry",
    "[when]",
    "--always",
    "--at",
    "--attach",
    "--blocked-by",
    "--callback-port",
    "--caller-server",
    "--circle",
    "--client-id",
    "--client-secret",
    "--conversation",
    "--env",
    "--for",
    "--header",
    "--http",
    "--input",
    "--join",
    "--json-schema",
    "--lang",
    "--key-command",
    "--key-env",
    "--label",
    "--member",
    "--members-of",
    "--mode",
    "--monitor",
    "--device",
    "--name",
    "--named-server",
    "--network-host",
    "--not-blocked-by",
    "--older-than",
    "--output-schema",
    "--owner",
    "--path",
    "--places",
    "--port",
    "--provider",
    "--replicas",
    "--repo",
    "--require-policy",
    "--require-sandbox",
    "--resume",
    "--saw",
    "--scope",
    "--session-id",
    "--since",
    "--speed",
    "--tail",
    "--timeout",
    "--to",
    "--tool",
    "--tries",
    "--url",
    "--vendor",
    "--within",
];

/// Texts of the user, each with a command that gives it; `#` stands for the words. In this order there is what each works on.
const TEXTS: &[(&[&str], &[&str])] = &[
    (
        &["run [prompt]"],
        &["run", "--permission-mode", "bypass", "#"],
    ),
    (
        &["as-claude [prompt]", "as-claude --append-system-prompt"],
        &["as-claude", "-p", "#", "--append-system-prompt", "#"],
    ),
    (
        &[
            "tasks add [subject]",
            "tasks add --description",
            "tasks add --check",
            "tasks add --requires",
        ],
        &[
            "tasks",
            "add",
            "#",
            "--description",
            "#",
            "--check",
            "true; : '#'",
            "--requires",
            "role:canary-environment-1f09",
        ],
    ),
    (
        &[
            "tasks edit --subject",
            "tasks edit --description",
            "tasks edit --check",
            "tasks edit --requires",
        ],
        &[
            "tasks",
            "edit",
            "1",
            "--subject",
            "#",
            "--description",
            "#",
            "--check",
            "",
            "--requires",
            "role:canary-environment-1f09",
        ],
    ),
    (
        &["tasks fail --because"],
        &["tasks", "fail", "1", "--because", "#"],
    ),
    (
        &["tasks reopen --because"],
        &["tasks", "reopen", "1", "--because", "#"],
    ),
    (
        &["tasks complete --result"],
        &["tasks", "complete", "1", "--result", "#"],
    ),
    (&["send [text]"], &["send", "lead", "#"]),
    (&["compact [focus]"], &["compact", "lead", "#"]),
    (
        &["memory write [text]", "memory write [title]"],
        &["memory", "write", "#", "#"],
    ),
    (&["memory show [title]"], &["memory", "show", "#"]),
    (&["memory accept [title]"], &["memory", "accept", "#"]),
    (&["memory remove [title]"], &["memory", "remove", "#"]),
    (
        &["schedules add --task", "schedules add --description"],
        &[
            "schedules",
            "add",
            "0 9 * * 1",
            "--task",
            "#",
            "--description",
            "#",
        ],
    ),
    (
        &["schedules add --say"],
        &["schedules", "add", "0 9 * * 1", "--say", "#"],
    ),
    (
        &["run --until"],
        &[
            "run",
            "--permission-mode",
            "bypass",
            "--until",
            "true; : '#'",
            "Go",
        ],
    ),
    (
        &["goal [words]", "goal --until"],
        &["goal", "#", "--until", "true; : '#'"],
    ),
    // Tried with the questions that they answer.
    (&["approve --note"], &[]),
    (&["deny --because"], &[]),
];

#[test]
fn every_value_of_the_command_line_is_a_text_that_is_tried_or_something_else() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/command-line.txt");
    let golden = fs::read_to_string(golden).unwrap();
    let texts: Vec<&str> = TEXTS
        .iter()
        .flat_map(|(names, _)| *names)
        .copied()
        .collect();
    let mut found = Vec::new();
    for line in golden
        .lines()
        .filter_map(|line| line.strip_suffix(" <VALUE>"))
    {
        let value = line.strip_prefix("teammate ").unwrap();
        // What all verbs have are settings.
        let is_setting = value.starts_with("--");
        let name = value.rsplit(' ').next().unwrap();
        match texts.contains(&value) {
            true => found.push(value),
            false => assert!(
                is_setting || NO_TEXT.contains(&name),
                "is '{value}' a text of the user's?"
            ),
        }
    }
    let missing: Vec<_> = texts.iter().filter(|text| !found.contains(text)).collect();
    assert_eq!(
        missing,
        Vec::<&&str>::new(),
        "the command line has no such value"
    );
}

// fast: secrets on the command line
#[test]
fn no_text_of_the_command_line_is_written_down_with_a_secret() {
    for runs in [false, true] {
        let world = world();
        world
            .teammate(&["run", "--permission-mode", "bypass", "Go"])
            .ends(0);
        let _host = runs.then(|| host(&world));
        let mut doors = Vec::new();
        for (names, command) in TEXTS {
            let door = names[0].replace([' ', '[', ']', '-'], ".");
            let command: Vec<String> = command
                .iter()
                .map(|word| word.replace('#', &words(&door)))
                .collect();
            let command: Vec<&str> = command.iter().map(String::as_str).collect();
            let is_for_host = names[0].starts_with("compact");
            let opens = names[0].starts_with("run");
            if command.is_empty() || (is_for_host && !runs) || (opens && runs) {
                continue;
            }
            let run = world.teammate(&command);
            let is_found_by_words =
                names[0].starts_with("memory") && names[0] != "memory write [text]";
            if is_found_by_words {
                continue;
            }
            // A check with a placeholder in it is not run.
            let ends = if names[0] == "run --until" { 8 } else { 0 };
            assert_eq!(run.code, ends, "{command:?}: {}{}", run.out, run.err);
            if !is_for_host && !names[0].starts_with("memory") {
                doors.push(door);
            }
        }
        let doors: Vec<&str> = doors.iter().map(String::as_str).collect();
        assert_hidden(&world, &doors);
    }
}

#[test]
fn a_job_by_flag_pipe_and_file() {
    let world = world();
    let job = world.path("../job.txt");
    fs::write(&job, words("file")).unwrap();
    let flag = words("flag");
    world
        .teammate(&["-p", &flag, "--permission-mode", "bypass"])
        .ends(0);
    let mut command = world.command(&["run", "--permission-mode", "bypass", "-"]);
    command.stdin(fs::File::open(&job).unwrap());
    world.launch(command).end().ends(0);
    let mut command = world.command(&["-p", "--permission-mode", "bypass"]);
    command.stdin(Stdio::piped());
    let mut run = world.launch(command);
    run.stdin().write_all(words("pipe").as_bytes()).unwrap();
    run.end().ends(0);
    let mut command = world.command(&["send", "lead", "-"]);
    command.stdin(fs::File::open(&job).unwrap());
    world.launch(command).end().ends(0);
    assert_hidden(&world, &["flag", "pipe", "file"]);
}
