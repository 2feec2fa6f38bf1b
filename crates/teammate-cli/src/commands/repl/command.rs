//! The meaning of a typed line at the plain prompt.

use std::sync::Arc;

use teammate::{
    Breadth, TeamHandle, TeamState,
    handle::AnswerRequest,
    request::{Answer, RequestId},
};
use teammate_view::answer_receipt;

use super::{
    answers::{looks_like_an_answer, too_late},
    choices::numbered,
    left::TalkLeft,
    printer::Printer,
};
use crate::{
    commands::{
        CliContext,
        alike::answer_all,
        shown_question::{BareAnswer, ShownQuestion},
        typed::{self, TypedAnswer, TypedCall, say},
        verb::VerbCall,
    },
    screen::{Style, clean},
};

/// Where a line is typed.
pub(super) struct TypedAt<'a> {
    pub(super) place: &'a CliContext,
    pub(super) asked: &'a ShownQuestion,
    pub(super) printer: &'a Printer,
    /// A script knows by itself what it has sent.
    pub(super) is_terminal: bool,
    /// The team as it was when the line was read.
    pub(super) state: Arc<TeamState>,
}

/// The step after a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum AfterInput {
    Stay,
    Leave(TalkLeft),
}

/// A line, read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReplInput<'a> {
    Nothing,
    Speak {
        to: &'a str,
        text: &'a str,
    },
    /// The word of a command, and what follows it.
    Command(&'a str, &'a str),
    Answer(RequestId, Answer),
    TooLate(RequestId),
    TooEarly,
    /// Looks like an answer to this question, and is none.
    Unclear(RequestId, &'a str),
    /// An answer, while only a plan waits for one.
    PlanWaits(RequestId),
    Quit,
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
            "/quit" | "/exit" => Self::Quit,
            "q" | "exit" | "quit" if rest.is_empty() => Self::Quit,
            _ if word.len() > 1
                && let Some(command) = line.strip_prefix('!') =>
            {
                Self::Shell(command)
            }
            "?" if rest.is_empty() => Self::read("/help", bare),
            _ if word
                .strip_prefix('/')
                .is_some_and(|name| !name.contains('/')) =>
            {
                Self::Command(word, rest)
            }
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

    pub(super) async fn run(self, team: &TeamHandle, at: TypedAt<'_>) -> AfterInput {
        let print = at.printer;
        let is_hosted = team.hosted().is_some();
        match self {
            Self::Nothing => {}
            Self::Quit => return AfterInput::Leave(TalkLeft::TO_CLOSE),
            Self::Command(word, words) => {
                let (style, width) = (
                    Style::for_stdout(),
                    teammate::platform::terminal_width(std::io::stdout()),
                );
                let call = TypedCall {
                    on: VerbCall {
                        team,
                        state: at.state.clone(),
                        place: at.place,
                        style,
                        width,
                    },
                    asked: at.asked,
                    words,
                };
                match typed::run(word, call).await {
                    Ok(TypedAnswer::Lines(lines)) if lines.is_empty() => {}
                    Ok(TypedAnswer::Answered(receipt)) => at.answered(is_hosted, &receipt),
                    Ok(TypedAnswer::Lines(lines)) | Err(lines) => print.answer(&lines),
                    Ok(TypedAnswer::Choices(choices)) => {
                        print.answer(&numbered(&choices, style, width));
                    }
                    Ok(TypedAnswer::GoesOn(next)) => {
                        return AfterInput::Leave(TalkLeft::going_on(next));
                    }
                }
            }
            Self::Shell(_) => print.answer(
                "Not run: a ! command is yours, so it has to be typed at a terminal. Nothing was sent; '@lead !...' sends it as text",
            ),
            Self::Answer(question, answer) => {
                let verb = AnswerRequest {
                    request: question,
                    saw: None,
                    answer: answer.clone(),
                    device: None,
                };
                let alike = at.asked.alike(question);
                let all = alike.iter().map(|other| other.request);
                let all: Vec<RequestId> = all.chain([question]).collect();
                let answering = answer_all(team, &at.state, verb, alike);
                match at.asked.while_answered(&all, answering).await {
                    Ok((request, besides)) => {
                        let receipt = answer_receipt(&request, &answer, besides);
                        // The line about the end of one says nothing of the others.
                        at.answered(is_hosted && besides == 0, &receipt);
                    }
                    Err(why) => print.answer(&clean(&why.to_string())),
                }
            }
            Self::TooLate(question) => {
                print.answer(&too_late(&at.state, question, at.asked.id()));
            }
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
            Self::Speak { to, text } => match say(team, &at.state, to, text).await {
                Ok(said) => at.receipt(&said),
                Err(why) => print.answer(&format!("Not sent: {}", clean(&why))),
            },
        }
        AfterInput::Stay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_mean_what_people_expect() {
        let cases = [
            ("  ", ReplInput::Nothing),
            ("/team", ReplInput::Command("/team", "")),
            ("/tasks show  #3", ReplInput::Command("/tasks", "show  #3")),
            ("?", ReplInput::Command("/help", "")),
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
            ("/", ReplInput::Command("/", "")),
            (
                "quit the loop early",
                ReplInput::Speak {
                    to: "lead",
                    text: "quit the loop early",
                },
            ),
            ("q", ReplInput::Quit),
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
