//! Values of flags that mean the same in other words here.

use serde_json::Value;
use teammate::tool_names;

/// What is made of a value.
type Made = Result<Vec<String>, String>;

/// The vendor whose models are named without one there.
const VENDOR: &str = "anthropic";

/// Tools that only that program has: a rule about one of them holds nothing back here, and allows nothing.
const ONLY_THERE: [&str; 10] = [
    "AskUserQuestion",
    "CronCreate",
    "CronDelete",
    "CronList",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitWorktree",
    "LSP",
    "SlashCommand",
    "ToolSearch",
];

/// Tools that a list of tools may leave out, by our names.
const CHOSEN: [&str; 11] = [
    "bash",
    "edit_file",
    "glob",
    "grep",
    "load_skill",
    "read_file",
    "task",
    "todo_write",
    "web_fetch",
    "web_search",
    "write_file",
];

/// A model as it is named here: with its provider. A short name alone means nothing.
pub(in crate::commands::as_claude) fn model(word: &str) -> Result<String, String> {
    match word {
        word if word.contains(':') => Ok(word.to_owned()),
        word if word.contains('-') => Ok(format!("{VENDOR}:{word}")),
        word => Err(format!(
            "'{word}' is the short name of a model there and none here; write PROVIDER:NAME, or leave it out for the model of your \
             configuration"
        )),
    }
}

pub(in crate::commands::as_claude) fn model_flag(word: &str) -> Made {
    match word {
        "default" | "inherit" => Ok(Vec::new()),
        word => Ok(vec![format!("--model={}", model(word)?)]),
    }
}

pub(super) fn fallback(words: &str) -> Made {
    let each = words
        .split(',')
        .map(|word| Ok(format!("--fallback={}", model(word.trim())?)));
    each.collect()
}

pub(super) fn effort(word: &str) -> Made {
    let word = match word {
        "xhigh" => "max",
        word => word,
    };
    Ok(vec![format!("--effort={word}")])
}

pub(super) fn thinking(word: &str) -> Made {
    match word {
        "disabled" => Ok(vec!["--effort=off".to_owned()]),
        "adaptive" | "enabled" => Ok(Vec::new()),
        _ => Err("write adaptive, enabled or disabled".to_owned()),
    }
}

/// A number of tokens for thinking, as the effort that comes near it.
pub(super) fn thinking_tokens(number: &str) -> Made {
    let tokens: u64 = number.parse().map_err(|_| "write a number".to_owned())?;
    let effort = match tokens {
        0 => "off",
        1..4_096 => "low",
        4_096..16_384 => "medium",
        _ => "high",
    };
    Ok(vec![format!("--effort={effort}")])
}

/// An empty text is what the SDKs say if their user says nothing.
pub(super) fn instructions(text: &str) -> Made {
    let is_some = !text.trim().is_empty();
    Ok(is_some
        .then(|| format!("--append-system-prompt={text}"))
        .into_iter()
        .collect())
}

pub(super) fn instructions_file(path: &str) -> Made {
    let text = std::fs::read_to_string(path);
    instructions(&text.map_err(|error| format!("{path} cannot be read: {error}"))?)
}

/// Without the project's settings there are none of its instructions, either.
pub(super) fn sources(list: &str) -> Made {
    let has_project = list.split(',').any(|word| word.trim() == "project");
    let without = (!has_project).then(|| "--no-project-instructions".to_owned());
    Ok(without.into_iter().collect())
}

pub(in crate::commands::as_claude) fn mode(word: &str) -> Made {
    let ours = match word {
        "default" => &["--permission-mode=ask"][..],
        "acceptEdits" => &["--permission-mode=accept-edits"],
        "bypassPermissions" => &["--permission-mode=bypass"],
        "plan" => &["--permission-mode=ask", "--plans-only"],
        "dontAsk" => &["--permission-mode=ask", "--asks-nobody"],
        _ => {
            return Err(format!(
                "there is no mode '{word}' here; there are default, acceptEdits, bypassPermissions, plan and dontAsk"
            ));
        }
    };
    Ok(ours.iter().map(|&word| word.to_owned()).collect())
}

pub(super) fn prompt_tool(way: &str) -> Made {
    match way {
        "stdio" => Ok(vec!["--permission-prompt-tool=stdio".to_owned()]),
        _ => Err("a tool of a server decides nothing here; an SDK's callback does (canUseTool, can_use_tool)".to_owned()),
    }
}

/// Who answers what no rule decides.
pub(super) fn prompts(who: &str) -> Made {
    match who {
        "host" => Ok(Vec::new()),
        "none" => Ok(vec!["--asks-nobody".to_owned()]),
        _ => Err("write host or none".to_owned()),
    }
}

/// A directory besides the workspace. File tools stay in the workspace, so members read how they get there.
pub(in crate::commands::as_claude) fn add_dir(path: &str) -> Made {
    let path = std::path::absolute(path).map_err(|error| format!("{path}: {error}"))?;
    let path = path.display();
    Ok(vec![
        format!("--add-dir={path}"),
        format!(
            "--append-system-prompt=Besides the workspace, the user gives you {path}. File tools do not reach it: read and write there \
             with commands."
        ),
    ])
}

pub(in crate::commands::as_claude) fn allow(list: &str) -> Made {
    Ok(rules("--allow", list))
}

pub(in crate::commands::as_claude) fn deny(list: &str) -> Made {
    Ok(rules("--deny", list))
}

/// Rules, between commas and blanks.
fn rules(flag: &str, list: &str) -> Vec<String> {
    let mut depth = 0_u32;
    let ends = |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c == ',' || c.is_whitespace())
    };
    let rules = list
        .split(ends)
        .map(str::trim)
        .filter(|rule| !rule.is_empty());
    let is_here = |rule: &&str| {
        let tool = rule.split('(').next().unwrap_or_default();
        !ONLY_THERE.contains(&tool)
    };
    rules
        .filter(is_here)
        .map(|rule| format!("{flag}={rule}"))
        .collect()
}

/// The tools that there are, and no other of those that members work with.
pub(super) fn tools(list: &str) -> Made {
    if list == "default" {
        return Ok(Vec::new());
    }
    let names = tool_names(false);
    let wanted: Vec<&str> = list.split([',', ' ']).map(|name| names.own(name)).collect();
    let denied = CHOSEN.into_iter().filter(|name| !wanted.contains(name));
    Ok(denied.map(|name| format!("--deny={name}")).collect())
}

/// Servers of tools, in a file or as JSON. Those that the caller serves itself are asked by its own lines.
pub(super) fn servers(value: &str) -> Made {
    let text = match value.trim_start().starts_with('{') {
        true => value.to_owned(),
        false => std::fs::read_to_string(value)
            .map_err(|error| format!("{value} cannot be read: {error}"))?,
    };
    let mut written: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let mut ours = Vec::new();
    if let Some(servers) = written["mcpServers"].as_object_mut() {
        servers.retain(|name, server| {
            let is_caller = server["type"] == "sdk";
            let flag = match is_caller {
                true => "--caller-server",
                false => "--named-server",
            };
            ours.push(format!("{flag}={name}"));
            !is_caller
        });
    }
    ours.push(format!("--mcp-config={written}"));
    Ok(ours)
}
