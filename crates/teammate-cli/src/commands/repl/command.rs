//! What a typed line means.

use teammate::{
    Breadth, Spending, Team, TeamError, UserMessage,
    attachments::{AttachmentNote, read_attachments},
    request::{Answer, RequestId},
};

use super::{
    attached::named_files,
    models,
    printer::Printer,
    question::{BareAnswer, ShownQuestion},
    requests, tasks,
    words::{looks_like_an_answer, unknown_command},
};
use crate::screen::{Style, clean, cost_lines, in_progress_text, job_line, rule_lines};

const HELP: &str = "  TEXT           send TEXT to the lead
  @NAME TEXT     send TEXT to a teammate
  ... @FILE ...  show a picture or PDF with the text; @\"a b.png\" if it has blanks
  /team          the members and what each one is doing
  /tasks [WORD]  the task board; show, add, assign, reopen, ... (/tasks help)
  /cost          tokens and money spent, by member
  /inbox [NAME]  unread mail (it stays unread)
  /model [MODEL [NAME]]
                 the members' models; another one for the lead or NAME
  /effort [LEVEL [NAME]]
                 how much models think: off, low, medium, high or max
  /compact [NAME] [FOCUS]
                 summarize a member's conversation, to free context
  /rules         the permission rules in force
  /worktrees     the git worktrees that members work in
  y, a, p, t, n  answer the question on the screen: yes, always, always for its
                 prefix or its tool where that is offered, no
  /requests [ID] requests that wait for an answer; one in full
  /approve ID [NOTE], /deny ID [WHY]
                 answer a plan or a permission question
  /approve ID always [exact|prefix|tool]
                 answer a permission question as a, p or t
  /plan NAME ABOUT|off
                 require an approved plan before a teammate does more than read
  /shutdown NAME [now]
                 stop a teammate
  !COMMAND       run COMMAND yourself, outside of the sandbox; no member sees it
  /help, ?       this
  /quit          leave; unfinished turns go on next time
  Ctrl-C         clears the line; on an empty one it interrupts all turns, and
                 twice within 2 s leaves: turns go on next time";

/// What comes after a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AfterInput {
    Stay,
    Leave,
}

/// A line, read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReplInput<'a> {
    Nothing,
    Speak {
        to: &'a str,
        text: &'a str,
    },
    Team,
    Tasks(&'a str),
    Cost,
    Inbox(&'a str),
    Compact {
        member: &'a str,
        focus: Option<&'a str>,
    },
    Model(&'a str),
    Effort(&'a str),
    Rules,
    Worktrees,
    Answer(RequestId, Answer),
    TooLate(RequestId),
    TooEarly,
    /// Looks like an answer to this question, and is none.
    Unclear(RequestId, &'a str),
    /// An answer, while only a plan waits for one.
    PlanWaits(RequestId),
    Requests(&'a str),
    Approve(&'a str),
    Deny(&'a str),
    Shutdown(&'a str),
    Plan(&'a str),
    Help,
    Quit,
    Unknown(&'a str),
    /// A command for the user's shell.
    Shell(&'a str),
}

impl<'a> ReplInput<'a> {
    /// Reads a line; `bare` is what a bare answer means.
    pub(super) fn read(line: &'a str, bare: BareAnswer) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let answer = match line.to_ascii_lowercase().as_str() {
            "y" | "yes" => Some(Answer::yes()),
            "a" | "always" => Some(Answer::always(Breadth::Exact)),
            "p" | "prefix" => Some(Answer::always(Breadth::Prefix)),
            "t" | "tool" => Some(Answer::always(Breadth::Tool)),
            "n" | "no" => Some(Answer::no("")),
            _ => None,
        };
        match (answer, bare) {
            (Some(answer), BareAnswer::Answers(question)) => return Self::Answer(question, answer),
            (Some(_), BareAnswer::TooLate(question)) => return Self::TooLate(question),
            (Some(_), BareAnswer::TooEarly) => return Self::TooEarly,
            (Some(_) | None, _) => {}
        }
        if looks_like_an_answer(line) {
            match bare {
                BareAnswer::Answers(question) => return Self::Unclear(question, line),
                BareAnswer::TooLate(question) => return Self::TooLate(question),
                BareAnswer::TooEarly => return Self::TooEarly,
                BareAnswer::Plan(plan) => return Self::PlanWaits(plan),
                BareAnswer::Word => {}
            }
        }
        match word {
            "" => Self::Nothing,
            "/team" => Self::Team,
            "/tasks" => Self::Tasks(rest),
            "/cost" => Self::Cost,
            "/inbox" => Self::Inbox(if rest.is_empty() { "lead" } else { rest }),
            "/compact" => {
                let (member, focus) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                Self::Compact {
                    member: if member.is_empty() { "lead" } else { member },
                    focus: Some(focus.trim()).filter(|focus| !focus.is_empty()),
                }
            }
            "/model" | "/models" => Self::Model(rest),
            "/effort" => Self::Effort(rest),
            "/rules" => Self::Rules,
            "/worktrees" => Self::Worktrees,
            "/requests" => Self::Requests(rest),
            "/approve" => Self::Approve(rest),
            "/deny" => Self::Deny(rest),
            "/shutdown" => Self::Shutdown(rest),
            "/plan" => Self::Plan(rest),
            "/help" | "/?" | "?" => Self::Help,
            "/quit" | "/exit" => Self::Quit,
            "q" | "exit" | "quit" if rest.is_empty() => Self::Quit,
            _ if word.starts_with('!') && word.len() > 1 => Self::Shell(&line[1..]),
            _ if word.starts_with('/') && !word[1..].contains('/') => Self::Unknown(word),
            _ => match word.strip_prefix('@') {
                // `@src/main.rs` is a file.
                Some(to) if !to.is_empty() && !to.contains(['/', '.', '"']) && !rest.is_empty() => {
                    Self::Speak { to, text: rest }
                }
                Some(_) | None => Self::Speak {
                    to: "lead",
                    text: line,
                },
            },
        }
    }

    pub(super) async fn run(
        self,
        team: &Team,
        asked: &ShownQuestion,
        print: &Printer,
    ) -> AfterInput {
        match self {
            Self::Nothing => {}
            Self::Quit => return AfterInput::Leave,
            Self::Help => print.answer(HELP),
            Self::Unknown(word) => print.answer(&clean(&unknown_command(word))),
            Self::Shell(_) => print.answer(
                "Not run: a ! command is yours, so it has to be typed at a terminal. Nothing was sent; '@lead !...' sends it as text",
            ),
            Self::Team => roster(team, print),
            Self::Tasks(words) => tasks::run(team, words, print).await,
            Self::Cost => cost(team, print),
            Self::Inbox(name) => inbox(team, name, print).await,
            Self::Compact { member, focus } => {
                if let Err(error) = team.compact(member, focus).await {
                    print.answer(&format!("Not compacted: {}", clean(&error.to_string())));
                }
            }
            Self::Model(words) => models::model(team, words, print).await,
            Self::Effort(words) => models::effort(team, words, print).await,
            Self::Rules => print.answer(&rule_lines(&team.rules()).join("\n")),
            Self::Worktrees => worktrees(team, print).await,
            Self::Answer(question, answer) => {
                requests::answer(team, question, answer, asked, print).await;
            }
            Self::TooLate(question) => requests::too_late(team, question, asked.id(), print),
            Self::TooEarly => print.answer(
                "Not answered: the next question is not on the screen yet. /requests lists all",
            ),
            Self::Unclear(question, line) => print.answer(&format!(
                "{question} still waits for your answer: [y] yes  [n] no  [a] always. Nothing was sent; '@lead {}' sends it to the lead",
                clean(line)
            )),
            Self::PlanWaits(plan) => print.answer(&format!(
                "{plan} is a plan: /approve {plan} [NOTE], or /deny {plan} WHY. Nothing was sent; '@lead ...' sends it to the lead"
            )),
            Self::Requests(id) => requests::list(team, id, print),
            Self::Approve(words) => requests::approve(team, words, asked, print).await,
            Self::Deny(words) => requests::deny(team, words, asked, print).await,
            Self::Shutdown(words) => requests::shut_down(team, words, print).await,
            Self::Plan(words) => requests::plan(team, words, print).await,
            Self::Speak { to, text } => {
match speak(team, to, text).await {
                    Ok(files) => files.iter().for_each(|file| {
                        print.answer(&clean(&format!("  attached: {file}")));
                    }),
                    Err(why) => print.answer(&format!("Not sent: {}", clean(&why))),
                }
            }
        }
        AfterInput::Stay
    }
}

/// Sends a text with the pictures and documents that it names; returns these.
pub(in crate::commands) async fn speak(
    team: &Team,
    to: &str,
    text: &str,
) -> Result<Vec<AttachmentNote>, String> {
    let workspace = team.workspace();
    let attachments = read_attachments(workspace, named_files(text, workspace)).await;
    let attachments = attachments.map_err(|error| error.to_string())?;
    let files = attachments.notes();
    let text = text.to_owned();
    let sent = team.send(to, UserMessage { text, attachments }).await;
    sent.map(|_| files).map_err(|error| error.to_string())
}

/// What the help says of a command, on one line.
#[cfg(feature = "tui")]
pub(super) fn about(command: &str) -> String {
    let begins = |line: &str| {
        let rest = line.trim_start().strip_prefix(command);
        rest.is_some_and(|rest| rest.starts_with([' ', ',']) || rest.is_empty())
    };
    let mut lines = HELP.lines().skip_while(|line| !begins(line));
    let first = lines.next().unwrap_or_default();
    let text = first
        .split("  ")
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .nth(1);
    let text = text.or_else(|| lines.next().map(str::trim));
    text.unwrap_or_default().to_owned()
}

fn roster(team: &Team, print: &Printer) {
    let (style, board) = (Style::for_stdout(), team.board());
    for line in team.roster() {
        let name = style.name(line.name.as_str());
        print.answer(&format!(
            "  {name} ({}): {}{}",
            clean(&line.role),
            clean(&line.status),
            in_progress_text(&board, &line.name),
        ));
        let jobs = team.jobs();
        for job in jobs.iter().filter(|job| job.owner == line.name) {
            print.answer(&job_line(job));
        }
    }
    if board.progress().total() > 0 {
        print.answer(&format!("  Tasks: {}", board.summary_line()));
    }
}

fn cost(team: &Team, print: &Printer) {
    let show = |title: &str, spending: &Spending| {
        let lines = cost_lines(spending, team.prices()).join("\n");
        print.answer(&format!("{title}\n{lines}"));
    };
    show("Since the team was opened:", &team.session_spending());
    show("In all runs of the team:", &team.spending());
}

async fn inbox(team: &Team, name: &str, print: &Printer) {
    let look = async {
        let client = team.look().await?;
        let owner = client.member(name)?;
        client.inbox(&owner).await
    };
    match look.await {
        Ok(mail) if mail.is_empty() => print.answer(&format!("{}'s inbox is empty", clean(name))),
        Ok(mail) => {
            for message in mail {
                print.answer(&format!(
                    "  {} ({}): {}",
                    clean(&message.from.to_string()),
                    message.kind,
                    clean(&message.content)
                ));
            }
        }
        Err(error) => print.answer(&clean(&error.to_string())),
    }
}

async fn worktrees(team: &Team, print: &Printer) {
    let look = async {
        let client = team.look().await?;
        Ok::<_, TeamError>(client.worktrees().list().await?)
    };
    match look.await {
        Ok(list) if list.is_empty() => print.answer("No worktrees"),
        Ok(list) => {
            for status in list {
                print.answer(&format!("  {}", clean(&status.to_string())));
            }
        }
        Err(error) => print.answer(&clean(&error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_mean_what_people_expect() {
        let cases = [
            ("  ", ReplInput::Nothing),
            ("/team", ReplInput::Team),
            ("/tasks", ReplInput::Tasks("")),
            ("/tasks show  #3", ReplInput::Tasks("show  #3")),
            ("/inbox", ReplInput::Inbox("lead")),
            ("/rules", ReplInput::Rules),
            ("/worktrees", ReplInput::Worktrees),
            ("/effort high bob", ReplInput::Effort("high bob")),
            ("/model", ReplInput::Model("")),
            ("/inbox bob", ReplInput::Inbox("bob")),
            (
                "/compact",
                ReplInput::Compact {
                    member: "lead",
                    focus: None,
                },
            ),
            (
                "/compact bob the parser",
                ReplInput::Compact {
                    member: "bob",
                    focus: Some("the parser"),
                },
            ),
            (
                "@alice  look at this",
                ReplInput::Speak {
                    to: "alice",
                    text: "look at this",
                },
            ),
            (
                "@alice",
                ReplInput::Speak {
                    to: "lead",
                    text: "@alice",
                },
            ),
            (
                "/usr/bin is a path",
                ReplInput::Speak {
                    to: "lead",
                    text: "/usr/bin is a path",
                },
            ),
            ("/teem", ReplInput::Unknown("/teem")),
            (
                "quit the loop early",
                ReplInput::Speak {
                    to: "lead",
                    text: "quit the loop early",
                },
            ),
            ("q", ReplInput::Quit),
            ("?", ReplInput::Help),
            ("!ls -l", ReplInput::Shell("ls -l")),
            (
                "! is a bang",
                ReplInput::Speak {
                    to: "lead",
                    text: "! is a bang",
                },
            ),
            (
                "@src/main.rs is too long",
                ReplInput::Speak {
                    to: "lead",
                    text: "@src/main.rs is too long",
                },
            ),
            (
                "@\"my shot.png\" is wrong",
                ReplInput::Speak {
                    to: "lead",
                    text: "@\"my shot.png\" is wrong",
                },
            ),
            (
                "y",
                ReplInput::Speak {
                    to: "lead",
                    text: "y",
                },
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(ReplInput::read(line, BareAnswer::Word), expected, "{line}");
        }
        assert_eq!(
            ReplInput::read("Y", BareAnswer::Answers(RequestId::new(4))),
            ReplInput::Answer(RequestId::new(4), Answer::yes())
        );
        assert_eq!(
            ReplInput::read("no", BareAnswer::Answers(RequestId::new(4))),
            ReplInput::Answer(RequestId::new(4), Answer::no(""))
        );
        for (line, breadth) in [
            ("a", Breadth::Exact),
            ("Prefix", Breadth::Prefix),
            ("t", Breadth::Tool),
        ] {
            assert_eq!(
                ReplInput::read(line, BareAnswer::Answers(RequestId::new(4))),
                ReplInput::Answer(RequestId::new(4), Answer::always(breadth))
            );
        }
        for (line, bare, expected) in [
            (
                "Yes please",
                BareAnswer::Answers(RequestId::new(4)),
                ReplInput::Unclear(RequestId::new(4), "Yes please"),
            ),
            (
                "ok",
                BareAnswer::TooLate(RequestId::new(4)),
                ReplInput::TooLate(RequestId::new(4)),
            ),
            ("ok", BareAnswer::TooEarly, ReplInput::TooEarly),
            (
                "y",
                BareAnswer::Plan(RequestId::new(4)),
                ReplInput::PlanWaits(RequestId::new(4)),
            ),
        ] {
            assert_eq!(ReplInput::read(line, bare), expected, "{line}");
        }
        assert_eq!(
            ReplInput::read("y", BareAnswer::TooLate(RequestId::new(4))),
            ReplInput::TooLate(RequestId::new(4))
        );
    }
}
