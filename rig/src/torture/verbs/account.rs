//! What must be true when all is over: everything that a verb acknowledged is there once, nothing was done twice, nobody is left
//! at work.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::place::Place;

/// What the verbs of one episode acknowledged.
#[derive(Default)]
pub(super) struct Acknowledged {
    /// Words in mail, and to whom.
    pub(super) mail: Vec<(String, String)>,
    /// Subjects of tasks.
    pub(super) tasks: Vec<String>,
}

/// What is wrong, in sentences.
pub(super) fn take(place: &Place, told: &Acknowledged) -> io::Result<Vec<String>> {
    let mut wrong = Vec::new();
    let team = json(place, &["team", "--json"])?;
    let empty = Vec::new();
    let members = team["members"].as_array().unwrap_or(&empty);
    let mut stopped = Vec::new();
    for member in members {
        let name = member["name"].as_str().unwrap_or_default();
        match member["status"].as_str() {
            Some("idle") => {}
            Some("shutdown") => stopped.push(name),
            status => wrong.push(format!("{name} is left {status:?}: {}", member["phase"])),
        }
    }
    let heard = heard(&place.work().join(".team"))?;
    for (to, word) in &told.mail {
        let is_gone = !members.iter().any(|member| member["name"] == **to);
        match heard.get(word).copied().unwrap_or(0) {
            1 => {}
            0 if stopped.contains(&&**to) || is_gone => {}
            count => wrong.push(format!("{to} heard '{word}' {count} times")),
        }
    }
    let board = json(place, &["tasks", "--json"])?;
    let tasks = board["tasks"].as_array().unwrap_or(&empty);
    for subject in &told.tasks {
        let count = tasks
            .iter()
            .filter(|task| task["subject"] == **subject)
            .count();
        if count != 1 {
            wrong.push(format!("task '{subject}' is there {count} times"));
        }
    }
    // Who must have a plan approved first takes nothing up.
    let is_free = |m: &Value| m["name"] != "lead" && m["status"] == "idle" && m["plan"].is_null();
    let is_somebody_there = members.iter().any(is_free);
    for task in tasks {
        let status = task["status"].as_str().unwrap_or_default();
        if status == "in_progress" || (status == "pending" && is_somebody_there) {
            wrong.push(format!("task {} is left {status}: {task}", task["id"]));
        }
    }
    wrong.extend(doubled(&place.work())?);
    let doctor = place.verb(&["log"])?;
    if !doctor.status.success() {
        wrong.push(format!("log: {}", String::from_utf8_lossy(&doctor.stderr)));
    }
    Ok(wrong)
}

fn json(place: &Place, words: &[&str]) -> io::Result<Value> {
    let output = place.verb(words)?;
    serde_json::from_slice(&output.stdout).map_err(|error| {
        let said = String::from_utf8_lossy(&output.stderr);
        io::Error::other(format!("{}: {error}: {said}", words.join(" ")))
    })
}

/// How often each word was heard by anybody, in all transcripts, those of ended teams included.
fn heard(team: &Path) -> io::Result<BTreeMap<String, u32>> {
    let mut heard = BTreeMap::new();
    for path in files(team)? {
        let is_transcript = path.extension().is_some_and(|end| end == "jsonl")
            && path
                .components()
                .any(|part| part.as_os_str() == "agents" || part.as_os_str() == "archive");
        if !is_transcript {
            continue;
        }
        for line in fs::read_to_string(&path)?.lines() {
            let entry: Value = serde_json::from_str(line).unwrap_or_default();
            if entry["entry"] != "heard" {
                continue;
            }
            for mail in entry["mail"].as_array().into_iter().flatten() {
                let word = mail["content"].as_str().unwrap_or_default().to_owned();
                *heard.entry(word).or_insert(0) += 1;
            }
        }
    }
    Ok(heard)
}

/// Steps that were done twice.
fn doubled(work: &Path) -> io::Result<Vec<String>> {
    let mut wrong = Vec::new();
    for entry in fs::read_dir(work)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if !name.starts_with("steps-") {
            continue;
        }
        let mut steps: Vec<String> = fs::read_to_string(&path)?
            .lines()
            .map(str::to_owned)
            .collect();
        let all = steps.len();
        steps.sort();
        steps.dedup();
        if steps.len() != all {
            wrong.push(format!("{name} has a step twice"));
        }
    }
    Ok(wrong)
}

fn files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            found.extend(files(&entry.path())?);
        } else {
            found.push(entry.path());
        }
    }
    Ok(found)
}
