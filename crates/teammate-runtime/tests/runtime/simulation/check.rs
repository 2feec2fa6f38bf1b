//! What must hold when a simulated team is idle.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde_json::Value;
use teammate_core::{
    MemberName, Message, MessageId, MessageKind,
    block::{Block, BlockView},
    model::{ChatMessage, Role, StopReason},
    team::MessageCause,
    team::{MemberPhase, TeamEvent, TeamState, by_model, uncounted_answers},
    transcript::{Conversation, EndReason, Entry, ResumePoint},
};

use crate::simulation::{board, site::Site};

/// Everybody's transcript.
pub(crate) type Transcripts = BTreeMap<MemberName, Vec<Entry>>;

/// Returns how many summaries took the place of a conversation.
pub(crate) async fn all(site: &Site, team: &TeamState, said: &[(MemberName, String)]) -> usize {
    let mut transcripts = Transcripts::new();
    for member in team.members() {
        let mut entries = site.transcripts().peek(&member.name).await.unwrap();
        if member.phase == MemberPhase::Stopped {
            // What the stopped have not heard waits for them; of what came twice they will hear one.
            let waiting = site.mailbox().peek(&member.name).await.unwrap();
            let mut known: BTreeSet<_> = heard(&entries).map(|mail| mail.id.clone()).collect();
            let new = |mail: &Message| known.insert(mail.id.clone());
            entries.push(Entry::Heard(waiting.into_iter().filter(new).collect()));
        }
        transcripts.insert(member.name.clone(), entries);
    }
    for (name, entries) in &transcripts {
        if team
            .member(name)
            .is_some_and(|m| m.phase != MemberPhase::Stopped)
        {
            is_valid(name, entries);
        }
        no_id_twice(name, entries);
        letters_arrive(&transcripts, entries);
    }
    for (to, text) in said {
        assert_eq!(times(&transcripts[to], text), 1, "{to} heard '{text}'");
    }
    notices_arrive(site, team, &transcripts).await;
    let journal = site.journal().read(0).await.unwrap();
    board::holds(&journal.records, team, &transcripts);
    jobs_are_told(site, team, &transcripts).await;
    spending_is_conserved(site, &transcripts).await;
    let entries = transcripts.values().flatten();
    entries
        .filter(|entry| matches!(entry, Entry::Compacted(_)))
        .count()
}

/// No event says that mail was heard before the transcript has it for good: no crash takes it away again.
pub(crate) async fn is_in_transcripts(site: &Site, told: Vec<(MemberName, MessageId)>) {
    for (name, id) in told {
        let entries = site.transcripts().peek(&name).await.unwrap();
        let is_there = heard(&entries).any(|mail| mail.id == id);
        assert!(is_there, "{name} was told as having heard {id}");
    }
}

/// Each job's owner heard of its end, once, and nobody else did.
async fn jobs_are_told(site: &Site, team: &TeamState, transcripts: &Transcripts) {
    for record in site.journal().read(0).await.unwrap().records {
        for event in record.events {
            let TeamEvent::JobStarted { job, member, .. } = event else {
                continue;
            };
            let id = team.message_id(MessageCause::Job(job));
            for (name, entries) in transcripts {
                let count = heard(entries).filter(|mail| mail.id == id).count();
                assert_eq!(
                    count,
                    usize::from(*name == member),
                    "{name} heard of {member}'s {job}"
                );
            }
        }
    }
}

/// Each answer is paid for once: what the journal counts is what transcripts hold.
async fn spending_is_conserved(site: &Site, transcripts: &Transcripts) {
    let team = TeamState::of(&site.journal().read(0).await.unwrap().records);
    for (name, entries) in transcripts {
        let spent = team.spending().member(name);
        let held: BTreeMap<_, _> = by_model(&uncounted_answers((0..).zip(entries), 0))
            .into_iter()
            .collect();
        assert_eq!(spent.models, held, "what {name} spent");
        let limits = entries
            .iter()
            .filter(|entry| matches!(entry, Entry::TurnEnded(EndReason::Limit { .. })));
        let turns = ends(entries) - limits.count();
        assert_eq!(spent.turns, turns as u64, "the turns of {name}");
    }
}

pub(crate) fn heard(entries: &[Entry]) -> impl Iterator<Item = &Message> {
    entries
        .iter()
        .filter_map(|entry| match entry {
            Entry::Heard(mail) => Some(mail),
            _ => None,
        })
        .flatten()
}

/// How often this was heard, perhaps with what hooks add.
fn times(entries: &[Entry], text: &str) -> usize {
    let is_said = |mail: &&Message| mail.content.split("\n\n").next() == Some(text);
    heard(entries).filter(is_said).count()
}

fn no_id_twice(name: &MemberName, entries: &[Entry]) {
    let mut ids: Vec<_> = heard(entries).map(|mail| &mail.id).collect();
    let all = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), all, "{name} heard a message twice");
}

/// What a tool said was sent was heard once by those it was sent to; what was cut, at most once.
fn letters_arrive(transcripts: &Transcripts, entries: &[Entry]) {
    let mut calls = BTreeMap::new();
    for entry in entries {
        match entry {
            Entry::Answered(reply) => {
                calls.extend(
                    reply
                        .calls()
                        .into_iter()
                        .map(|call| (call.id.clone(), call)),
                );
            }
            Entry::ToolOutcomes(outcomes) => {
                for (id, outcome) in outcomes {
                    letter_arrives(transcripts, &calls[id], &outcome.text());
                }
            }
            _ => {}
        }
    }
}

fn letter_arrives(transcripts: &Transcripts, call: &teammate_core::tool::ToolCall, said: &str) {
    let input: Value = call.input.parse().unwrap();
    let Some(content) = input["content"].as_str() else {
        return;
    };
    let hearers: Vec<_> = transcripts
        .iter()
        .map(|(name, entries)| (name.as_str(), times(entries, content)))
        .filter(|(_, times)| *times > 0)
        .collect();
    assert!(
        hearers.iter().all(|(_, times)| *times == 1),
        "{content}: {hearers:?}"
    );
    // Hooks may add lines.
    let said = said.lines().next().unwrap_or_default();
    if let Some(to) = said.strip_prefix("Sent message to ") {
        assert_eq!(hearers, [(to, 1)], "{content}");
    } else if let Some(count) = said.strip_prefix("Broadcast to ") {
        let count = count.split(' ').next().unwrap();
        assert_eq!(hearers.len().to_string(), count, "{content}: {hearers:?}");
    } else if said.starts_with("Error: ") {
        assert!(hearers.is_empty(), "{content}: {said}, but {hearers:?}");
    }
}

/// The lead heard of the end of each turn of each teammate, once.
async fn notices_arrive(site: &Site, team: &TeamState, transcripts: &Transcripts) {
    let lead = &transcripts[&MemberName::lead()];
    for record in site.journal().read(0).await.unwrap().records {
        for event in record.events {
            let TeamEvent::TurnEnded {
                member,
                incarnation,
                turn: Some(turn),
                ..
            } = event
            else {
                continue;
            };
            if member.is_lead() {
                continue;
            }
            let id = team.message_id(MessageCause::TurnEnd(&member, incarnation, turn));
            let count = heard(lead).filter(|mail| mail.id == id).count();
            assert_eq!(
                count, 1,
                "the notice of {member}'s turn {turn} in life {incarnation}"
            );
        }
    }
    let turns = heard(lead)
        .filter(|mail| mail.kind == MessageKind::IdleNotification)
        .count();
    let endings = transcripts.iter().filter(|(name, _)| !name.is_lead());
    let endings: usize = endings.map(|(_, entries)| ends(entries)).sum();
    assert_eq!(turns, endings, "a notice for each turn that ended");
}

/// How many turns ended. One that hooks hold back goes on with their words.
fn ends(entries: &[Entry]) -> usize {
    let is_held_back = |at: usize| matches!(entries.get(at + 1), Some(Entry::Prompted(_)));
    entries
        .iter()
        .enumerate()
        .filter(|(at, entry)| match entry {
            Entry::Answered(reply) => {
                reply.calls().is_empty()
                    && reply.stop != StopReason::ContextFull
                    && !is_held_back(*at)
            }
            Entry::TurnEnded(_) => true,
            _ => false,
        })
        .count()
}

/// A conversation that stands where an idle member stands.
fn is_valid(name: &MemberName, entries: &[Entry]) {
    let conversation = Conversation::of(entries.iter().cloned());
    assert!(
        !matches!(
            conversation.resume_point(),
            ResumePoint::OpenCalls(_) | ResumePoint::CallModel
        ),
        "{name} is at rest, but {:?}",
        conversation.resume_point()
    );
    if let Err(wrong) = is_acceptable(conversation.messages()) {
        panic!("{name}: {wrong}");
    }
}

/// Messages that both wires accept: roles alternate, each call is answered once, first of all, in the next message.
pub(crate) fn is_acceptable(messages: &[Arc<ChatMessage>]) -> Result<(), String> {
    let mut open: Vec<String> = Vec::new();
    let mut expected = Role::User;
    for (at, message) in messages.iter().enumerate() {
        if message.role != expected || message.blocks.is_empty() {
            return Err(format!("message {at} is empty or of the wrong role"));
        }
        expected = match expected {
            Role::User => Role::Assistant,
            Role::Assistant => Role::User,
        };
        let results: Vec<Option<String>> = message.blocks.iter().map(result_of).collect();
        let first: Vec<String> = results.iter().map_while(Clone::clone).collect();
        if first.len() != results.iter().flatten().count() {
            return Err(format!("message {at}: results come first"));
        }
        if sorted(first.clone()) != sorted(std::mem::take(&mut open)) {
            return Err(format!("message {at} answers {first:?}"));
        }
        open = message
            .blocks
            .iter()
            .filter_map(|block| match block.view() {
                BlockView::ToolUse(call) => Some(call.id.to_string()),
                _ => None,
            })
            .collect();
    }
    match open.is_empty() {
        true => Ok(()),
        false => Err(format!("no answer to {open:?}")),
    }
}

fn result_of(block: &Block) -> Option<String> {
    let block: Value = serde_json::from_str(block.json()).unwrap();
    (block["type"] == "tool_result").then(|| block["tool_use_id"].as_str().unwrap().to_owned())
}

fn sorted(mut ids: Vec<String>) -> Vec<String> {
    ids.sort();
    ids
}
