//! A team of four with something of everything: questions, a task that waits, a change, mail and costs.

use std::fs;

use serde_json::json;

use super::*;
use crate::play::{Scene as _, bash, calls, play, say, send, spawn};

const PARSER: &str = "pub struct Lexer { tokens: Vec<Token>, at: usize }\n\nimpl Lexer {\n    pub fn peek(&mut self) -> Option<Token> {\n        self.tokens.get(self.at).cloned()\n    }\n}\n";

/// The world in which somebody says "build the shop".
pub(super) fn shop() -> World {
    let task = |subject: &str, after: &[u32]| {
        let input = json!({ "subject": subject, "description": subject, "blocked_by": after });
        ("create_task", input)
    };
    let world = full(&play([
        (
            "lead",
            vec![
                calls([
                    task("Parser: borrow instead of copy", &[]),
                    task("Bench before and after", &[]),
                    task("Docs for the parser", &[1]),
                    task("Release 0.2", &[1, 3]),
                ])
                .after_mail("build the shop"),
                spawn([
                    ("alice", "coder", "Make the parser borrow: task 1"),
                    ("bob", "tester", "Measure it: task 2"),
                    ("carol", "writer", "Begin the docs"),
                ])
                .after("#4"),
                say("**alice** writes, **bob** measures, **carol** documents.").after("'carol'"),
                spawn([
                    ("dora", "reviewer", "Wait for work"),
                    ("erin", "packager", "Wait for work"),
                ])
                .after_mail("spawn two"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                calls([
                    ("claim_task", json!({ "task_id": 1 })),
                    ("read_file", json!({ "path": "src/parse.rs" })),
                ]),
                calls([(
                    "edit_file",
                    json!({
                        "path": "src/parse.rs",
                        "old_string": "    pub fn peek(&mut self) -> Option<Token> {\n        self.tokens.get(self.at).cloned()\n    }",
                        "new_string": "    /// Looks without taking.\n    pub fn peek(&self) -> Option<&Token> {\n        self.tokens.get(self.at)\n    }",
                    }),
                )])
                .after("Lexer"),
                send("bob", "peek() borrows now: measure it again").after("Edited"),
                say("I keep the old name, too.").after_mail("old name"),
                say("The parser borrows.").otherwise(),
            ],
        ),
        (
            "bob",
            vec![
                calls([("claim_task", json!({ "task_id": 2 }))]),
                bash("git commit --allow-empty -m 'Measure peek()'").after("#2"),
                say("It is measured.").otherwise(),
            ],
        ),
        (
            "carol",
            vec![
                calls([(
                    "write_file",
                    json!({ "path": "notes/parser.md", "content": "# The parser\n\nIt borrows.\n" }),
                )]),
                say("The docs are begun.").otherwise(),
            ],
        ),
        ("dora", vec![say("I wait.").otherwise()]),
        ("erin", vec![say("I wait.").otherwise()]),
    ]));
    fs::create_dir_all(world.path("src")).unwrap();
    fs::write(world.path("src/parse.rs"), PARSER).unwrap();
    world
}
