//! The whole program, run as the user runs it: the real binary in a directory of its own, with plays or a strict local
//! model server in place of a vendor. What the parts do by themselves is tested in their crates.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(
    clippy::disallowed_methods,
    reason = "tests start programs, and see to it that the rule holds elsewhere"
)]

#[cfg(feature = "acp")]
mod acp;
#[cfg(feature = "acp")]
mod agents;
mod aliases;
mod any_script;
#[cfg(feature = "acp")]
mod as_claude;
mod audit;
mod background;
mod bare_job;
mod board;
#[cfg(feature = "web")]
mod browser;
mod budget;
mod clear;
mod command_line;
mod compaction;
#[cfg(target_os = "linux")]
mod connections;
#[cfg(target_os = "linux")]
mod contain;
mod conversations;
mod crash;
mod damaged;
mod docs;
mod doctor;
mod doors;
mod ephemeral;
mod export;
#[cfg(feature = "tui")]
mod face;
mod facts;
mod fallback;
mod first_request;
mod fixtures;
mod forged;
mod forged_journal;
mod git_programs;
mod goals;
mod going_on;
mod golden;
mod gone;
mod headless;
mod held;
mod held_team;
mod hooks;
mod hostile;
#[cfg(target_os = "linux")]
mod hostile_commands;
mod hostile_directory;
mod hostile_repository;
mod hostile_requests;
mod index;
mod job;
mod joint;
mod keys;
mod language;
mod leaving;
mod lifecycle;
mod log;
mod loops;
mod lost_files;
#[cfg(feature = "mcp")]
mod mcp_progress;
#[cfg(feature = "mcp")]
mod mcp_serve;
mod mcp_servers;
mod memory;
mod mode;
mod models;
mod named_teams;
#[cfg(feature = "nats")]
mod nats;
mod needs;
#[cfg(feature = "nats")]
mod on_servers;
mod orders;
#[cfg(feature = "otel")]
mod otel;
#[cfg(feature = "acp")]
mod other_makes;
mod output;
mod ownership;
#[cfg(feature = "web")]
mod page;
mod page_plays;
mod pictures;
mod piped;
mod plan_gate;
mod plan_table;
#[cfg(debug_assertions)]
mod planted;
mod play;
mod plugins;
mod policy;
mod prompt;
mod protocols;
mod published;
mod purge;
mod refusals;
mod repositories;
mod requests;
mod rules;
mod scenes;
mod schedules;
mod schemas;
mod setup;
mod shapes;
mod share;
mod side_by_side;
mod sinks;
mod skill_scripts;
mod standard_input;
#[cfg(target_os = "linux")]
mod start_costs;
mod stop;
mod storage;
mod subagents;
mod teaching;
mod teams;
mod terminal;
mod texts;
mod thinking;
mod tool_names;
#[cfg(all(feature = "acp", feature = "mcp", feature = "tui", feature = "web"))]
mod typed_secrets;
mod typing;
mod uncounted;
mod undo;
mod up;
mod user_commands;
mod web;
mod wires;
mod worktree_setup;
mod worktrees;
mod world;
mod written_commands;
