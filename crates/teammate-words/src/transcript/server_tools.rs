//! Tools that a server runs within its own answer. Their calls and outcomes are blocks of one answer, which may come in parts:
//! if a part is lost, or the user interrupts between two, one is left without the other, and the server refuses both.

use std::collections::HashSet;

use serde::Deserialize;

use crate::block::Block;

#[derive(Deserialize)]
struct Peek {
    r#type: String,
    id: Option<String>,
    tool_use_id: Option<String>,
}

enum ServerToolPart {
    Call(String),
    Outcome(String),
}

/// The blocks of a whole answer without calls of server tools that have no outcome after them, and without outcomes that
/// have no call before them; nothing, if all are in order. Next to calls of our tools, those of the server may be open.
pub(super) fn paired(blocks: &[Block], may_be_open: bool) -> Option<Vec<Block>> {
    let parts: Vec<Option<ServerToolPart>> = blocks.iter().map(part).collect();
    let (mut called, mut answered) = (HashSet::new(), HashSet::new());
    for part in parts.iter().flatten() {
        match part {
            ServerToolPart::Call(id) => drop(called.insert(id)),
            ServerToolPart::Outcome(id) if called.contains(id) => drop(answered.insert(id)),
            ServerToolPart::Outcome(_) => {}
        }
    }
    let is_kept = |part: &Option<ServerToolPart>| match part {
        Some(ServerToolPart::Call(id)) => may_be_open || answered.contains(id),
        Some(ServerToolPart::Outcome(id)) => answered.contains(id),
        None => true,
    };
    if parts.iter().all(is_kept) {
        return None;
    }
    let kept = blocks.iter().zip(&parts).filter(|(_, part)| is_kept(part));
    Some(kept.map(|(block, _)| block.clone()).collect())
}

fn part(block: &Block) -> Option<ServerToolPart> {
    let json = block.json();
    // Nearly no block is one; looking for a word is cheaper than reading all of them.
    if !json.contains("server_tool_use")
        && !json.contains("mcp_tool_use")
        && !json.contains("_tool_result")
    {
        return None;
    }
    let peek: Peek = serde_json::from_str(json).ok()?;
    match peek.r#type.as_str() {
        "server_tool_use" | "mcp_tool_use" => peek.id.map(ServerToolPart::Call),
        kind if kind.ends_with("_tool_result") => peek.tool_use_id.map(ServerToolPart::Outcome),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_of_a_server_tool_and_its_outcome_stay_together_or_go_together() {
        let block = |word: &str| {
            let json = match word.split_at(1) {
                ("u", id) => format!(
                    r#"{{"type":"server_tool_use","id":"{id}","name":"web_search","input":{{}}}}"#
                ),
                ("r", id) => format!(
                    r#"{{"type":"web_search_tool_result","tool_use_id":"{id}","content":[]}}"#
                ),
                (_, text) => Block::text(&format!("server_tool_use {text}"))
                    .json()
                    .to_owned(),
            };
            Block::from_json(json).unwrap()
        };
        let blocks = |words: &str| words.split_whitespace().map(block).collect::<Vec<_>>();
        for (answer, left) in [
            ("t1 u1 r1 t2", None),
            ("t1", None),
            ("", None),
            ("t1 u1", Some("t1")),
            ("r1 t1", Some("t1")),
            ("u1 u2 r2 t1", Some("u2 r2 t1")),
            ("r1 u1 t1", Some("t1")),
        ] {
            let left = left.map(blocks);
            assert_eq!(paired(&blocks(answer), false), left, "{answer}");
        }
        assert_eq!(paired(&blocks("t1 u1"), true), None);
        assert_eq!(paired(&blocks("r2 u1"), true), Some(blocks("u1")));
    }
}
