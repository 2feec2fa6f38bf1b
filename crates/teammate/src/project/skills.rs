//! Skills: a directory each, with a `SKILL.md` of instructions. Listed for all, loaded on
//! demand.

use std::path::Path;

use teammate_core::team::bounded_list;
use teammate_tools::{
    instructions::FrontMatter,
    team::{Skill, Skills},
};

use super::{
    Plugin, PluginFile, fenced_paragraph,
    front_keys::{self, OF_SKILLS},
    source_dir::{self, SourceDir},
};

/// Where they are looked for in the workspace. What comes first hides what comes later under the same name.
const FOLDERS: [&str; 4] = [
    ".teammate/skills",
    ".claude/skills",
    ".agents/skills",
    "skills",
];

const FILE: &str = "SKILL.md";
/// The variable in the text of a plug-in's skill for the skill's directory.
const SKILL_PLACE: &str = "${CLAUDE_SKILL_DIR}";

const BYTES_MAX: usize = 64 * 1024;
const SKILLS_MAX: usize = 200;
/// How deep, and how many, files beside it are listed.
const DEPTH_MAX: usize = 3;
const FILES_MAX: usize = 50;

const ABOUT: &str = "Skills that you can load by their names, when your work is what they are for:";

/// All skills by name, the user's own first, those of plug-ins last.
pub(super) fn read(
    workspace: &Path,
    config: Option<&Path>,
    plugins: &[Plugin],
    notices: &mut Vec<String>,
) -> Skills {
    let own = config.map(|config| SourceDir::of_user(config, "skills"));
    let shared = FOLDERS.map(|below| SourceDir::of_workspace(workspace, below));
    let mut skills = Skills::new();
    for folder in own.into_iter().chain(shared) {
        match folder {
            Ok(Some(folder)) => add_from(&folder, &mut skills, notices),
            Ok(None) => {}
            Err(notice) => notices.push(notice),
        }
    }
    for plugin in plugins {
        add_of(plugin, &mut skills, notices);
    }
    skills
}

/// Those of a plug-in, by names that only it has.
fn add_of(plugin: &Plugin, skills: &mut Skills, notices: &mut Vec<String>) {
    let files = plugin.skill_files();
    for file in &files {
        let Some(directory) = file.below.strip_suffix(FILE) else {
            continue;
        };
        let named = directory
            .strip_suffix('/')
            .unwrap_or(plugin.name().as_str());
        if named.contains('/') {
            continue;
        }
        let shown = plugin.shown(file.name);
        let parsed = match parse(file.bytes, named) {
            Ok(parsed) => parsed,
            Err(why) => {
                notices.push(format!("{shown} {why}; it is not used"));
                continue;
            }
        };
        if skills.len() >= SKILLS_MAX {
            notices.push(format!(
                "{shown} is not used: there are {SKILLS_MAX} skills"
            ));
            continue;
        }
        let place = file.name.strip_suffix(FILE).unwrap_or_default();
        let beside = files
            .iter()
            .filter(|other| other.name != file.name && other.name.starts_with(place));
        let at = |other: &PluginFile<'_>| plugin.root().join(other.name).display().to_string();
        let remarks = parsed.remarks.iter();
        notices.extend(remarks.map(|remark| format!("{shown}: {remark}")));
        let skill = Skill {
            description: parsed.description,
            files: beside.take(FILES_MAX).map(at).collect(),
            body: plugin
                .filled(&parsed.body)
                .replace(SKILL_PLACE, &plugin.root().join(place).to_string_lossy()),
            origin: shown,
        };
        skills.insert(plugin.named(&parsed.name), skill);
    }
}

fn add_from(folder: &SourceDir, skills: &mut Skills, notices: &mut Vec<String>) {
    for directory in folder.names() {
        let (name, skill) = match read_skill(folder, &directory, notices) {
            Ok(Some(skill)) => skill,
            Ok(None) => continue,
            Err(notice) => {
                notices.push(notice);
                continue;
            }
        };
        if let Some(known) = skills.get(&name) {
            notices.push(format!(
                "two skills are named '{name}': {} is used, {} is not",
                known.origin, skill.origin
            ));
        } else if skills.len() >= SKILLS_MAX {
            notices.push(format!(
                "{} is not used: there are {SKILLS_MAX} skills",
                skill.origin
            ));
        } else {
            skills.insert(name, skill);
        }
    }
}

/// The skill in a directory; `None` if it holds none.
fn read_skill(
    folder: &SourceDir,
    directory: &str,
    notices: &mut Vec<String>,
) -> Result<Option<(String, Skill)>, String> {
    let below = format!("{directory}/{FILE}");
    let Some(bytes) = folder.read(&below, BYTES_MAX)? else {
        return Ok(None);
    };
    let wrong = |why: String| format!("{} {why}; it is not used", folder.shown(&below));
    let parsed = parse(&bytes, directory).map_err(wrong)?;
    let remarks = parsed.remarks.iter();
    notices.extend(remarks.map(|remark| format!("{}: {remark}", folder.shown(&below))));
    let files = folder.files(directory, DEPTH_MAX, FILES_MAX);
    let files = files.into_iter().filter(|file| file != FILE);
    let skill = Skill {
        description: parsed.description,
        origin: folder.origin(&below),
        files: files
            .map(|file| folder.shown(&format!("{directory}/{file}")))
            .collect(),
        body: parsed.body,
    };
    Ok(Some((parsed.name, skill)))
}

/// A `SKILL.md`, read.
struct Parsed {
    name: String,
    description: String,
    body: String,
    /// Keys of the skill that have no meaning here.
    remarks: Vec<String>,
}

/// An error is why it is no skill.
fn parse(bytes: &[u8], directory: &str) -> Result<Parsed, String> {
    let text = source_dir::bounded_text(bytes, BYTES_MAX)?;
    let front = FrontMatter::read(&text)?;
    let name = front.text("name").unwrap_or(directory);
    if !is_name(name) {
        return Err("has an invalid name: use up to 64 letters, digits, - and _".to_owned());
    }
    let description = front.text("description").ok_or("has no description")?;
    let remarks = front_keys::check(&OF_SKILLS, &front)?;
    if front.text("disable-model-invocation") == Some("true") {
        return Err("is not for models (disable-model-invocation)".to_owned());
    }
    Ok(Parsed {
        name: name.to_owned(),
        description: description.to_owned(),
        body: front.body.clone(),
        remarks,
    })
}

/// Whether a text can name a skill or an agent.
pub(super) fn is_name(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    (1..=64).contains(&text.len()) && text.chars().all(is_plain)
}

/// Their text in the briefing; empty if there are none.
pub(super) fn listing(skills: &Skills) -> String {
    if skills.is_empty() {
        return String::new();
    }
    let lines = skills
        .iter()
        .map(|(name, skill)| (name.as_str(), skill.description.as_str()));
    fenced_paragraph(
        ABOUT,
        "the SKILL.md files of the workspace, the user and plug-ins",
        &bounded_list(lines),
    )
}
