//! Servers of tools: each is added, tried, and called by a lead whose model is a play.

use std::{fs, path::Path};

use serde_json::{Value, json};
use xtask::root;

use super::Tried;
use crate::{
    doors::{
        Came,
        place::{Place, output},
    },
    listed::{Call, Expected, Fetching, Kind, ServerRow},
};

/// What was seen of a server that came up.
struct Seen {
    tools: usize,
    tokens: u64,
    milliseconds: u64,
}

pub(super) fn tried(row: &ServerRow, teammate: &Path, fetching: Fetching) -> Tried {
    println!("── {}", row.name);
    let dir = match &row.needs {
        Some(needs) if !needs.exists() => Err(format!("it needs {}", needs.display())),
        Some(_) | None => row.package.fetched(&row.name, fetching),
    };
    let (came, seen) = match &dir {
        Err(why) => (Came::Skipped(why.clone()), None),
        Ok(dir) => match came(row, dir, teammate) {
            Ok((seen, what)) => (Came::Through(what), seen),
            Err(why) => (Came::Not(why), None),
        },
    };
    let (called, result) = match (&row.expected, &came) {
        (_, Came::Not(why)) => ("-", why.lines().next().unwrap_or_default().to_owned()),
        (Expected::Call(call), _) => {
            let result = call.note.clone();
            (
                call.tool.as_str(),
                result.unwrap_or_else(|| "answers".to_owned()),
            )
        }
        (Expected::Fails(fails), _) => ("-", format!("does not come up: {}", fails.because)),
    };
    let shown = |of: fn(&Seen) -> String| seen.as_ref().map_or_else(|| "-".to_owned(), of);
    let cells = vec![
        format!("`{}` {}", row.package.name, row.package.version),
        row.on.clone(),
        shown(|seen| seen.tools.to_string()),
        shown(|seen| seen.tokens.to_string()),
        shown(|seen| format!("{} ms", seen.milliseconds)),
        called.to_owned(),
        result,
    ];
    Tried {
        kind: Kind::Servers,
        name: row.name.clone(),
        cells,
        came,
    }
}

fn came(row: &ServerRow, dir: &Path, teammate: &Path) -> Result<(Option<Seen>, String), String> {
    let scene = Scene::new(row, dir, teammate)?;
    scene.prepares()?;
    scene.adds()?;
    let tried = scene.says(&["mcp", "test", "tried", "--json"]);
    match (&row.expected, tried) {
        (Expected::Fails(fails), Err(why)) if why.contains(&fails.says) => Ok((
            None,
            format!("does not come up, as known: {}", fails.because),
        )),
        (Expected::Fails(_), Ok(_)) => {
            Err("it comes up now; the list says that it does not".to_owned())
        }
        (Expected::Fails(_) | Expected::Call(_), Err(why)) => Err(why),
        (Expected::Call(call), Ok(tried)) => {
            let tried: Value =
                serde_json::from_str(&tried).map_err(|error| format!("{error}: {tried}"))?;
            let seen = Seen {
                tools: tried["tools"].as_array().map_or(0, Vec::len),
                tokens: tried["tokens"].as_u64().unwrap_or_default(),
                milliseconds: tried["milliseconds"].as_u64().unwrap_or_default(),
            };
            let what = format!(
                "{} tools, {} tokens, {} ms; {}",
                seen.tools, seen.tokens, seen.milliseconds, call.tool
            );
            scene.calls(call)?;
            Ok((Some(seen), what))
        }
    }
}

/// A workspace with a note in it, and a server that is tried there.
struct Scene<'a> {
    place: Place,
    row: &'a ServerRow,
    dir: &'a Path,
    teammate: &'a Path,
}

impl<'a> Scene<'a> {
    fn new(row: &'a ServerRow, dir: &'a Path, teammate: &'a Path) -> Result<Self, String> {
        let place = Place::new()?;
        fs::write(place.work().join("note.txt"), "Buy milk.\n")
            .map_err(|error| error.to_string())?;
        output(place.command("git").args(["init", "--quiet"]))?;
        Ok(Self {
            place,
            row,
            dir,
            teammate,
        })
    }

    /// A word of the list, with what it stands for.
    fn filled(&self, word: &str) -> String {
        let places = [
            ("{bin}", self.row.package.programs(self.dir)),
            ("{dir}", self.dir.to_owned()),
            ("{work}", self.place.work()),
            ("{files}", root().join("rig/servers")),
        ];
        places.iter().fold(word.to_owned(), |word, (name, path)| {
            word.replace(name, &path.display().to_string())
        })
    }

    fn prepares(&self) -> Result<(), String> {
        let words: Vec<String> = self
            .row
            .prepare
            .iter()
            .map(|word| self.filled(word))
            .collect();
        match words.split_first() {
            Some((program, words)) => output(self.place.command(program).args(words)).map(drop),
            None => Ok(()),
        }
    }

    fn adds(&self) -> Result<String, String> {
        let mut words: Vec<String> = ["mcp", "add", "tried"].map(str::to_owned).to_vec();
        for (name, value) in &self.row.env {
            words.extend(["--env".to_owned(), format!("{name}={}", self.filled(value))]);
        }
        words.push("--".to_owned());
        words.extend(self.row.start.iter().map(|word| self.filled(word)));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.says(&words)
    }

    /// Has it called once, and looks at the answer.
    fn calls(&self, call: &Call) -> Result<(), String> {
        let input = json!(call.input).to_string();
        let input: Value =
            serde_json::from_str(&self.filled(&input)).map_err(|error| error.to_string())?;
        let scenes = json!([
            { "calls": [{ "tool": format!("mcp__tried__{}", call.tool), "input": input }] },
            { "when": { "otherwise": true }, "say": "Done.", "repeat": true },
        ]);
        let play = self.place.home().join("play.json");
        let text = json!({ "members": { "lead": scenes } }).to_string();
        fs::write(&play, text).map_err(|error| error.to_string())?;
        let model = format!("scripted:{}", play.display());
        self.says(&["run", "--model", &model, "--allow", "mcp__tried", "Go"])?;
        let log = self.says(&["log", "--json"])?;
        let last = log.lines().rfind(|line| line.contains("tool_finished"));
        match last {
            Some(line) if line.contains(&call.answers) => Ok(()),
            found => Err(format!("it answered: {}", found.unwrap_or("nothing"))),
        }
    }

    fn says(&self, words: &[&str]) -> Result<String, String> {
        output(self.place.command(self.teammate).args(words))
    }
}
