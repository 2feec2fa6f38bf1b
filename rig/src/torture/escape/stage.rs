//! One attempt: a team is started whose lead has it run, and it is looked for signs that it worked.

use std::{
    fs, io,
    path::PathBuf,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{
    Level, Rig, Way,
    attempt::{Attempt, Sign},
    outside::Outside,
    scene::Scene,
};
use crate::torture::processes::with_word;

/// A program that takes longer is stuck.
const STUCK_AFTER: Duration = Duration::from_secs(60);
/// How long what may have outlived the program is given to end.
const GONE_WITHIN: Duration = Duration::from_secs(2);

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// Nothing of it was seen.
    Held,
    /// It worked.
    Worked,
    /// It did not even begin: what the program said.
    NotRun(String),
}

/// Tries it.
pub(super) fn play(
    rig: &Rig,
    scene: &Scene,
    (attempt, level, way): (&Attempt, Level, Way),
) -> io::Result<End> {
    scene.put_up()?;
    let tmp = PathBuf::from(format!(
        "/tmp/{}-{}",
        rig.name,
        scene.dir.file_name().unwrap_or_default().display()
    ));
    let mut outside = Outside::begin(scene, (&rig.canary, &tmp, &rig.probe))?;
    scene.configure(level.settings())?;
    write_scripts(scene, attempt, &outside)?;
    let play = scene.dir.join("play.json");
    scene.write(&play, &play_of(attempt, way).to_string())?;
    let before = look(scene, attempt, &outside);
    let mut host = start(rig, scene, level, &outside)?;
    let pids = format!("export HOST={}\n", host.id());
    scene.write(&scene.dir.join("pids.new"), &pids)?;
    fs::rename(scene.dir.join("pids.new"), scene.dir.join("pids"))?;
    wait(&mut host)?;
    let after = look(scene, attempt, &outside);
    let left = left(&outside);
    let heard = outside.end();
    let read = |path: &str| fs::read(scene.dir.join(path)).unwrap_or_default();
    let has = |text: Vec<u8>, word: &str| String::from_utf8_lossy(&text).contains(word);
    let word = outside.word();
    let has_worked = match attempt.sign {
        Sign::PrintsCanary => has(read("home/work/said"), &rig.canary),
        Sign::Exits => read("home/work/ended") == b"0\n",
        Sign::Changes(_) | Sign::Leaves(_) | Sign::Hurts | Sign::Weighs => before != after,
        Sign::Writes(path) => has(read(path), &word),
        Sign::Types => heard.typed.contains(&word),
        Sign::Tells => heard.told.contains(&word),
        Sign::Survives => left,
    };
    if has_worked {
        return Ok(End::Worked);
    }
    if !scene.work().join("began").exists() {
        return Ok(End::NotRun(heard.typed));
    }
    Ok(End::Held)
}

fn write_scripts(scene: &Scene, attempt: &Attempt, outside: &Outside) -> io::Result<()> {
    let work = scene.work();
    let (dir, live) = (scene.dir.display(), scene.live());
    let begin = format!(
        "export D={dir} W={} LIVE={}\n{}until [ -e $D/pids ]; do sleep 0.01; done; . $D/pids\ncd $W\n",
        work.display(),
        live.display(),
        outside.variables(),
    );
    let run =
        "touch began\ntimeout -k 1 12 bash ./attempt.sh > said 2>&1 < /dev/null\necho $? > ended\n";
    scene.write(&work.join("run.sh"), &format!("{begin}{run}"))?;
    scene.write(&work.join("attempt.sh"), attempt.script)?;
    let beside = attempt.beside.unwrap_or_default();
    scene.write(&work.join("beside.sh"), &format!("{begin}{beside}\n"))
}

/// What the lead's model says.
fn play_of(attempt: &Attempt, way: Way) -> Value {
    let call = |tool: &str, input: Value| json!({ "calls": [{ "tool": tool, "input": input }] });
    let mut scenes = Vec::new();
    if attempt.beside.is_some() {
        let beside = json!({ "command": "bash beside.sh", "run_in_background": true });
        scenes.push(call("bash", beside));
    }
    let command = "bash run.sh";
    match way {
        Way::Foreground => scenes.push(call("bash", json!({ "command": command }))),
        Way::Background => {
            let job = if attempt.beside.is_some() { "b2" } else { "b1" };
            let input = json!({ "command": command, "run_in_background": true });
            scenes.push(call("bash", input));
            scenes.push(call("task_output", json!({ "job_id": job })));
        }
        Way::Check => {
            scenes.push(call(
                "create_task",
                json!({ "subject": "Try", "check": command }),
            ));
            scenes.push(call("claim_task", json!({ "task_id": 1 })));
            scenes.push(call(
                "complete_task",
                json!({ "task_id": 1, "result": "tried" }),
            ));
        }
        Way::Git => {
            let bob = json!({ "name": "bob", "role": "coder", "prompt": "Look", "worktree": true });
            scenes.push(call("spawn_teammate", bob));
        }
    }
    let done = json!({ "say": "Done.", "when": { "otherwise": true }, "repeat": true });
    scenes.push(done.clone());
    json!({ "members": { "lead": scenes, "bob": [done] } })
}

fn start(rig: &Rig, scene: &Scene, level: Level, outside: &Outside) -> io::Result<Child> {
    let play = format!("scripted:{}", scene.dir.join("play.json").display());
    let (program, itself) = (
        rig.program.display().to_string(),
        rig.itself.display().to_string(),
    );
    let mut words = match level {
        Level::Landlock => vec![itself.as_str(), "torture", "without-namespaces"],
        Level::Full | Level::Off => Vec::new(),
    };
    words.extend([program.as_str(), "run", "--permission-mode", "bypass"]);
    if level == Level::Off {
        words.extend(["--sandbox", "off"]);
    }
    words.push("Go");
    scene
        .command(&words)
        .env("TEAMMATE_MODEL", play)
        .env("SERVICE_TOKEN", &rig.canary)
        .stdin(Stdio::null())
        .stdout(outside.slave.try_clone()?)
        .stderr(outside.slave.try_clone()?)
        .spawn()
}

fn wait(host: &mut Child) -> io::Result<()> {
    let begun = Instant::now();
    while host.try_wait()?.is_none() {
        if begun.elapsed() > STUCK_AFTER {
            host.kill()?;
            host.wait()?;
        }
        thread::sleep(Duration::from_millis(4));
    }
    Ok(())
}

/// What the attempt should not change, in words that can be compared.
fn look(scene: &Scene, attempt: &Attempt, outside: &Outside) -> String {
    let of_bystander = |name: &str| {
        let path = format!("/proc/{}/{name}", outside.bystander.id());
        fs::read_to_string(path).unwrap_or_default()
    };
    match attempt.sign {
        Sign::Changes(path) => scene.look(path),
        Sign::Leaves(path) => scene.read(path),
        Sign::Hurts => {
            let stat = of_bystander("stat");
            let state = stat
                .rsplit(") ")
                .next()
                .and_then(|rest| rest.chars().next());
            let is_well = matches!(state, Some('S' | 'R'));
            is_well.to_string()
        }
        Sign::Weighs => {
            let stat = of_bystander("stat");
            let words: Vec<&str> = stat.split(' ').collect();
            let at = |number: usize| words.get(number - 1).copied().unwrap_or_default();
            let allowed = of_bystander("status");
            let allowed = allowed
                .lines()
                .find(|line| line.starts_with("Cpus_allowed:"));
            let weights = (at(18), at(19), at(41), allowed);
            let text = ["limits", "oom_score_adj", "comm"].map(of_bystander);
            format!("{weights:?} {text:?}")
        }
        Sign::PrintsCanary
        | Sign::Exits
        | Sign::Writes(_)
        | Sign::Types
        | Sign::Survives
        | Sign::Tells => String::new(),
    }
}

/// Whether a process with the attempt's mark lives on; it is ended.
fn left(outside: &Outside) -> bool {
    let mark = format!("mark-of-{}", outside.port);
    let begun = Instant::now();
    loop {
        let found = with_word(|word| word.contains(&mark));
        let is_late = begun.elapsed() > GONE_WITHIN;
        if found.is_empty() || is_late {
            for process in &found {
                let _ = rustix::process::kill_process(*process, rustix::process::Signal::KILL);
            }
            return !found.is_empty();
        }
        thread::sleep(Duration::from_millis(10));
    }
}
