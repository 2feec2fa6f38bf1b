//! The meaning of a definition's text here, also where it was written for another program.

use std::collections::BTreeSet;

use teammate_core::{
    model::{Effort, ModelRef},
    name::AgentName,
    permission::Mode,
    team::{AgentDefinition, Label, MemberOptions},
};
use teammate_tools::instructions::FrontMatter;

use crate::project::{
    front_keys::{self, OF_AGENTS},
    skills::is_name,
};

/// Other programs' names of our tools.
const ALIASES: [(&str, &str); 8] = [
    ("bash", "bash"),
    ("edit", "edit_file"),
    ("glob", "glob"),
    ("grep", "grep"),
    ("ls", "glob"),
    ("multiedit", "edit_file"),
    ("read", "read_file"),
    ("write", "write_file"),
];

/// Tools that every member has, so that listing them means nothing: our names and other programs'.
const TEAM_TOOLS: [&str; 4] = ["todowrite", "todoread", "skill", "sendmessage"];

/// A name and a definition, with remarks; an error is why there is none.
pub(super) fn to_definition(
    text: &str,
    known: &[&str],
) -> Result<(String, AgentDefinition, Vec<String>), String> {
    let front = FrontMatter::read(text)?;
    let name = front.text("name").ok_or("has no name")?;
    if !is_name(name) {
        return Err("has an invalid name: use up to 64 letters, digits, - and _".to_owned());
    }
    let description = front.text("description").ok_or("has no description")?;
    let mut remarks = front_keys::check(&OF_AGENTS, &front)?;
    if let Some(other) = front
        .text("isolation")
        .filter(|word| !matches!(*word, "worktree" | "none"))
    {
        return Err(format!("says the isolation '{other}'; there is worktree"));
    }
    let terms = MemberOptions {
        model: model(&front, &mut remarks),
        engine: engine(&front, &mut remarks),
        effort: effort(&front, &mut remarks),
        fallback: fallback(&front, &mut remarks),
        mode: mode(&front, &mut remarks),
        instructions: front.body.clone(),
        tools: tools(&front, known, &mut remarks),
        worktree: front.text("isolation") == Some("worktree")
            || front.text("worktree") == Some("true"),
        labels: labels(&front, &mut remarks),
        require_plan: written_mode(&front) == Some("plan"),
        ..MemberOptions::default()
    };
    let definition = AgentDefinition {
        description: description.to_owned(),
        options: terms,
    };
    Ok((name.to_owned(), definition, remarks))
}

fn model(front: &FrontMatter, remarks: &mut Vec<String>) -> Option<ModelRef> {
    let word = front.text("model").filter(|word| *word != "inherit")?;
    let model = word.parse().ok();
    if model.is_none() {
        remarks.push(format!(
            "'{word}' is not PROVIDER:NAME; it uses the team's model"
        ));
    }
    model
}

/// The external agent, one of the user's configuration, that answers in the place of a model.
fn engine(front: &FrontMatter, remarks: &mut Vec<String>) -> Option<AgentName> {
    let name = AgentName::parse(front.text("engine")?);
    name.map_err(|error| remarks.push(format!("engine: {error}")))
        .ok()
}

fn effort(front: &FrontMatter, remarks: &mut Vec<String>) -> Option<Effort> {
    let word = front.text("effort")?;
    // Another program has one level more between high and max.
    let word = if word == "xhigh" { "max" } else { word };
    let effort = word.parse().ok();
    if effort.is_none() {
        remarks.push(format!("there is no effort '{word}'; it uses the team's"));
    }
    effort
}

/// The models that it goes on with when its own fails.
fn fallback(front: &FrontMatter, remarks: &mut Vec<String>) -> Vec<ModelRef> {
    let words = front.list("fallback").unwrap_or_default();
    let (models, others): (Vec<_>, Vec<_>) = words
        .iter()
        .map(|word| word.parse::<ModelRef>())
        .partition(Result::is_ok);
    remarks.extend(
        others
            .into_iter()
            .filter_map(|other| Some(format!("fallback: {}", other.err()?))),
    );
    models.into_iter().flatten().collect()
}

/// The labels that a worker must have that runs it.
fn labels(front: &FrontMatter, remarks: &mut Vec<String>) -> BTreeSet<Label> {
    let words = front.list("on").unwrap_or_default();
    let (labels, others): (Vec<_>, Vec<_>) = words
        .iter()
        .map(|word| Label::parse(word))
        .partition(Result::is_ok);
    remarks.extend(
        others
            .into_iter()
            .filter_map(Result::err)
            .map(|error| format!("on: {error}")),
    );
    labels.into_iter().flatten().collect()
}

fn written_mode(front: &FrontMatter) -> Option<&str> {
    let other = || front.text("permissionMode");
    front.text("permission_mode").or_else(other)
}

/// Whatever is not understood asks: a mode never gives more than was meant.
fn mode(front: &FrontMatter, remarks: &mut Vec<String>) -> Option<Mode> {
    let word = written_mode(front)?;
    let mode = match word {
        // It asks, and a plan is required besides.
        "plan" => Some(Mode::Ask),
        word => Mode::parse_with_others(word),
    };
    if mode.is_none() {
        remarks.push(format!(
            "there is no permission mode '{word}' here; it uses 'ask'"
        ));
    }
    mode.or(Some(Mode::Ask))
}

/// The tools it is limited to; `None` means all. An unknown tool is not allowed.
fn tools(front: &FrontMatter, known: &[&str], remarks: &mut Vec<String>) -> Option<Vec<String>> {
    let denied = front
        .list("disallowedTools")
        .or_else(|| front.list("disallowed_tools"));
    let allowed = match front.list("tools") {
        Some(words) if words == ["*"] => None,
        other => other,
    };
    if allowed.is_none() && denied.is_none() {
        return None;
    }
    let mut tools: Vec<String> = match allowed {
        Some(words) => {
            remarks.extend(unknown_tools(&words, known));
            let named = words.iter().filter_map(|word| canonical_tool(word, known));
            named.collect()
        }
        None => known.iter().map(|name| (*name).to_owned()).collect(),
    };
    // A tool that is partly forbidden is removed entirely.
    for word in denied.unwrap_or_default() {
        let whole = word.split('(').next().unwrap_or_default().trim();
        let name = canonical_tool(whole, known);
        tools.retain(|tool| Some(tool) != name.as_ref());
    }
    tools.sort();
    tools.dedup();
    Some(tools)
}

/// A remark about the words that name no tool. One with a pattern is none: a definition allows a tool or does not.
fn unknown_tools(words: &[String], known: &[&str]) -> Option<String> {
    let is_of_team = |word: &str| TEAM_TOOLS.contains(&word.to_ascii_lowercase().as_str());
    let is_unknown = |word: &&String| canonical_tool(word, known).is_none() && !is_of_team(word);
    let words: Vec<String> = words
        .iter()
        .filter(is_unknown)
        .map(|word| format!("'{word}'"))
        .collect();
    (!words.is_empty()).then(|| format!("there is no tool {}", words.join(" or ")))
}

fn canonical_tool(word: &str, known: &[&str]) -> Option<String> {
    // Tools of servers come later, under names that are known only then.
    if known.contains(&word) || word.starts_with("mcp__") {
        return Some(word.to_owned());
    }
    let lower = word.to_ascii_lowercase();
    let (_, name) = ALIASES.iter().find(|(alias, _)| *alias == lower)?;
    known.contains(name).then(|| (*name).to_owned())
}
