//! Strings that would run a script in what members and servers ask, promise and fail with: plans and their rejections, questions
//! with their reasons, checks and what they print, names of models, last words of servers, lists, groups and schedules. None runs:
//! not on a page that is open while it happens, not on one that is opened afterwards, and not in the shared file.

use std::fs;

use serde_json::{Value, json};

use super::{
    chromium::Chromium,
    hostile::{STRINGS, WATCH, assert_quiet, quoted, strings},
    replay::{self, assert_nothing_fires},
    served::Served,
};
use crate::{
    mcp_servers::SERVER,
    play::{Scene as _, bash, calls, play, say},
    schedules::add_soon,
    wires::Vendor,
    world::{World, until},
};

/// What waits for the user in the end: a plan, four questions, a member that failed, and a task.
const NEEDS: usize = 7;

/// Every field takes another part of the strings.
struct Strings(Vec<String>);

impl Strings {
    fn one(&self, field: usize) -> &str {
        &self.0[self.number(field)]
    }

    fn number(&self, field: usize) -> usize {
        field * 37 % STRINGS
    }

    /// One that is a line of JSON without its quotes.
    fn in_json(&self, field: usize) -> String {
        let line = json!(self.one(field).replace('\n', " ")).to_string();
        line[1..line.len() - 1].to_owned()
    }

    /// All of them.
    fn all(&self) -> String {
        self.0.join("\n")
    }

    /// Every second of them; another half for the next field.
    fn half(&self, field: usize) -> String {
        let half: Vec<&str> = self
            .0
            .iter()
            .skip(field % 2)
            .step_by(2)
            .map(String::as_str)
            .collect();
        half.join("\n")
    }

    /// Some of them as words of a command.
    fn words(&self) -> String {
        let words = self.0.iter().step_by(5).map(|text| quoted(text));
        words.collect::<Vec<String>>().join(" ")
    }

    /// Each member with its own role and model; those that ask may do nothing without a question.
    fn spawned(&self) -> Vec<Value> {
        let asks = ["plans", "rejected", "runs", "writes", "keeps"];
        let may = ["elicits", "ends", "fails_check", "completes", "broken"];
        let members = asks.iter().chain(&may).enumerate();
        let call = |(number, name): (usize, &&str)| {
            let mut input = json!({
                "name": name, "role": self.one(number), "prompt": format!("Begin {}", self.one(number + 20)),
                "model": format!("anthropic:{}", self.one(number + 40)),
            });
            if asks.contains(name) {
                input["permission_mode"] = "ask".into();
            }
            if number < 2 {
                input["require_plan"] = true.into();
            }
            json!({ "tool": "spawn_teammate", "input": input })
        };
        members.map(call).collect()
    }

    fn lead(&self) -> Vec<Value> {
        let task = |number: usize, check: &str| {
            let input = json!({
                "subject": self.one(number), "description": self.half(number), "active_form": self.one(number + 1), "check": check,
            });
            ("create_task", input)
        };
        let prints = format!("cat printed; : {}", quoted(self.one(77)));
        let todo = |status: &str| json!({ "content": self.one(63), "activeForm": self.one(64), "status": status });
        let todos = ["completed", "in_progress", "pending"].map(todo);
        let steps = calls([
            ("create_team", json!({ "name": self.one(60) })),
            task(61, &format!("{prints}; false")),
            task(62, &prints),
            ("todo_write", json!({ "items": todos })),
        ]);
        vec![
            steps.after("Begin"),
            json!({ "calls": self.spawned() }),
            say(&self.all()).otherwise(),
        ]
    }

    fn play(&self) -> Value {
        let rests = || say(self.one(65)).otherwise();
        let asks = |scene: Value| vec![scene.after("Begin"), rests()];
        let plan = |plan: &str| calls([("submit_plan", json!({ "plan": plan }))]);
        let keep = |text: &str| calls([("mcp__notes__keep", json!({ "text": text }))]);
        let done = |task: u32| {
            calls([(
                "complete_task",
                json!({ "task_id": task, "result": self.one(66) }),
            )])
        };
        let claim = |task: u32| calls([("claim_task", json!({ "task_id": task }))]).after("Begin");
        let file = json!({ "path": format!("{}.txt", self.one(67).replace('/', "_")), "content": self.all() });
        let last_words = calls([("mcp__gone__keep", json!({ "text": "end" }))]);
        play([
            ("lead", self.lead()),
            ("plans", asks(plan(&self.all()))),
            ("rejected", asks(plan(self.one(68)))),
            ("runs", asks(bash(&format!(": {}", self.words())))),
            ("writes", asks(calls([("write_file", file)]))),
            ("keeps", asks(keep(self.one(69)))),
            ("elicits", asks(keep("ask"))),
            ("ends", asks(last_words)),
            (
                "fails_check",
                [vec![claim(1)], vec![done(1); 5], vec![rests()]].concat(),
            ),
            ("completes", vec![claim(2), done(2), rests()]),
            (
                "broken",
                vec![json!({ "fail": { "what": self.one(70), "remedy": "never" } })],
            ),
        ])
    }

    /// What checks print, and the files of two servers: one asks, the other one has last words.
    fn write_files(&self, world: &World) {
        let write = |name: &str, text: &str| fs::write(world.path(name), text).unwrap();
        write("server.sh", SERVER);
        write("printed", &self.all());
        write("about", &self.in_json(71));
        write("question", &self.in_json(72));
        write("words", &self.one(74).replace('\n', " "));
        let entry = json!({ "command": "sh", "args": ["server.sh"] });
        let servers = json!({ "mcpServers": { "notes": entry, "gone": entry } });
        write("servers.json", &servers.to_string());
    }
}

/// All screens once it has happened, and the fields that can be read there.
const SHOWN: [(&str, &[usize]); 16] = [
    ("/", &[0, 61, 62]),
    ("/needs", &[61, 67, 69, 70, 72]),
    ("/m/lead", &[60, 61, 63, 75, 76]),
    ("/m/plans", &[0, 20, 40]),
    ("/m/rejected", &[1, 21, 41, 68]),
    ("/m/runs", &[2, 22, 42]),
    ("/m/writes", &[3, 23, 43, 67]),
    ("/m/keeps", &[4, 24, 44, 69]),
    ("/m/elicits", &[5, 25, 45]),
    ("/m/ends", &[6, 26, 46, 74]),
    ("/m/fails_check", &[7, 27, 47, 61]),
    ("/m/completes", &[8, 28, 48, 62, 66]),
    ("/m/broken", &[9, 29, 49, 70]),
    ("/board", &[61, 62, 66]),
    ("/cost", &[40, 41, 75]),
    ("/graph", &[70]),
];

/// The screens that are open while the team works, each in a tab.
const SEEN: [&str; 13] = [
    "/",
    "/m/lead",
    "/m/plans",
    "/m/rejected",
    "/m/runs",
    "/m/writes",
    "/m/keeps",
    "/m/ends",
    "/m/fails_check",
    "/m/broken",
    "/board",
    "/mail",
    "/cost",
];

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn nothing_that_is_asked_promised_or_failed_with_fires() {
    let strings = Strings(strings());
    let vendor = Vendor::playing("127.0.0.1:0", &strings.play());
    let world = World::with_model(&format!("anthropic:{}", strings.one(75)))
        .env("ANTHROPIC_API_KEY", "key")
        .env("ANTHROPIC_BASE_URL", &vendor.url());
    strings.write_files(&world);
    let flags = [
        "--permission-mode",
        "bypass",
        "--plan-approver",
        "user",
        "--schedules",
        "--mcp-config",
        "servers.json",
    ];
    let served = Served::hosted(world, &flags);
    let browser = Chromium::start();
    let tabs = SEEN.map(|screen| {
        let tab = browser.open_tab();
        browser.begin_with(WATCH);
        served.open(&browser, screen);
        (tab, screen)
    });
    begin(&served.world, &strings);
    for (tab, screen) in tabs {
        browser.to_tab(&tab);
        browser.until(&format!(
            "document.querySelectorAll('.need-card').length === {NEEDS}"
        ));
        assert_quiet(&browser, screen);
    }
    browser.open_tab();
    browser.begin_with(WATCH);
    for (screen, fields) in SHOWN {
        served.open(&browser, screen);
        assert_quiet(&browser, screen);
        let text = browser.run("return document.body.textContent");
        let is_shown = |field: &&usize| {
            let script = format!("__fired.push({})", strings.number(**field));
            text.as_str().unwrap().contains(&script)
        };
        let missing: Vec<&usize> = fields.iter().filter(|field| !is_shown(field)).collect();
        assert!(missing.is_empty(), "{screen}: {missing:?} in {text}");
    }
    served.world.teammate(&["stop"]).ends(0);
    assert_quiet_file(&served.world);
}

/// Has the team ask for all of it, rejects a plan, and lets a schedule fire.
fn begin(world: &World, strings: &Strings) {
    let needs = || {
        let needs = world.teammate(&["needs", "--json"]).ends(0);
        let needs: Value = serde_json::from_str(&needs.out).unwrap();
        needs["needs"].as_array().unwrap().clone()
    };
    let otherwise = || format!("{:#?}\n{}", needs(), world.teammate(&["log"]).out);
    let plan = || {
        needs()
            .into_iter()
            .find(|need| need["member"] == "rejected")
    };
    world.teammate(&["send", "lead", "Begin"]).ends(0);
    until(|| plan().is_some(), otherwise);
    let plan = plan().unwrap();
    let plan = plan["id"].as_str().unwrap();
    world
        .teammate(&["deny", plan, "--because", &strings.all()])
        .ends(0);
    add_soon(world, &["--say", strings.one(76)]);
    until(
        || world.teammate(&["log"]).out.contains("schedule s1 fired"),
        otherwise,
    );
    until(|| needs().len() == NEEDS, otherwise);
}

/// Goes through all of the shared file.
fn assert_quiet_file(world: &World) {
    let browser = Chromium::start();
    replay::open(world, &browser);
    browser.run(
        "const at = document.getElementById('at');
         for (at.value = 0; ; at.value = +at.value + 1) { at.oninput(); if (at.value === at.max) break; }",
    );
    assert_nothing_fires(&browser);
}

#[test]
fn each_field_takes_another_string() {
    let strings = Strings(strings());
    let taken: std::collections::BTreeSet<&str> =
        (0..78).map(|number| strings.one(number)).collect();
    assert_eq!(taken.len(), 78);
}
