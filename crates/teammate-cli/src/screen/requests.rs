//! Requests as lines for the user: what is asked, exactly, until when, and how it is answered.

use std::fmt;
use teammate_view::t;

use teammate::{
    Breadth, OfferedRules, Timestamp,
    request::{Request, RequestId, RequestState},
};

use teammate_view::{
    AnswerChoice,
    diff::read_diff,
    markdown::{layout, parse},
    no_in,
    text::TextLine,
    width::WidthPolicy,
};

use super::{
    Style,
    clean::{clean_block, clean_line},
    tasks::ago,
};

/// Where the user can answer what is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerPlace {
    /// From another terminal, by a command.
    Terminal,
    /// At the prompt.
    Prompt,
}

/// A permission question as it is shown.
pub(crate) struct PrintedQuestion<'a> {
    pub(crate) id: RequestId,
    pub(crate) asker: &'a str,
    /// The wish: `asks: run cargo test`.
    pub(crate) title: &'a str,
    /// Exactly what will run.
    pub(crate) shows: &'a str,
    /// What is known about it, each with its name: why it is asked, what it holds up.
    pub(crate) facts: &'a [(&'a str, String)],
    /// The rules of which "always" would add one.
    pub(crate) rules: &'a OfferedRules,
    /// How long it may be answered yet.
    pub(crate) left_ms: Option<u64>,
    /// Its place among how many that wait.
    pub(crate) place: Option<(usize, usize)>,
}

impl PrintedQuestion<'_> {
    /// The question, whole, with how it is answered.
    pub(crate) fn text(&self, answering: AnswerPlace, style: Style) -> String {
        let place = self.place.filter(|(_, of)| *of > 1);
        let place = place.map_or_else(String::new, |(at, of)| t!(", {at} of {of}", at, of));
        let left = self.left_ms.map(|left| format!(", {}", refused_in(left)));
        let left = left.unwrap_or_default();
        let asks = clean_line(self.title);
        let head = format!(
            "[{}] {} ({}{place}{left}):",
            style.name(self.asker),
            style.bold(&asks),
            self.id
        );
        let how = match answering {
            AnswerPlace::Prompt => self.keys(),
            AnswerPlace::Terminal => {
                let rules = self.rules.all();
                let flags: String = rules
                    .map(|(breadth, rule)| flag_text(breadth, rule))
                    .collect();
                format!("{}{flags}", by_command(self.id))
            }
        };
        let facts = self.facts.iter();
        let facts =
            facts.map(|(name, text)| style.dim(&format!("  {name}: {}\n", clean_line(text))));
        let facts: String = facts.collect();
        format!("{head}\n{}\n{facts}{how}", shown(self.shows, style))
    }

    /// The keys that answer it: the broader rules have lines of their own.
    fn keys(&self) -> String {
        let always = |breadth| {
            self.rules.of(breadth)?;
            let choice = AnswerChoice::Always(breadth);
            Some(format!(
                "[{}] {}",
                choice.key(),
                clean_line(&choice.text(self.rules, false))
            ))
        };
        let exact = always(Breadth::Exact);
        let exact = exact.map_or_else(String::new, |text| format!("  {text}"));
        let broader = [Breadth::Prefix, Breadth::Tool]
            .into_iter()
            .filter_map(always);
        let broader: String = broader.map(|text| format!("\n  {text}")).collect();
        t!(
            "  [y] yes  [n] no{exact}  [/deny {id} WHY]{broader}",
            exact,
            id = self.id,
            broader
        )
    }
}

/// A plan for the user, whole, at a terminal as text, with how it is answered.
pub(super) fn plan_text(
    request: RequestId,
    shows: &str,
    answering: AnswerPlace,
    (style, width): (Style, Option<usize>),
) -> String {
    let plan = match width {
        Some(width) => {
            let lines = layout(&parse(shows), width.saturating_sub(4), WidthPolicy::Narrow);
            let lines = lines.iter().map(|line| format!("    {}", style.line(line)));
            let lines: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
            lines.join("\n")
        }
        // A file or another program gets it as it was written.
        None => indented(shows),
    };
    let how = match answering {
        AnswerPlace::Prompt => {
            format!("  approve with /approve {request} [NOTE], or /deny {request} WHY")
        }
        AnswerPlace::Terminal => by_command(request),
    };
    format!(
        "{} ({request}):\n{}\n{how}",
        style.bold(t("submits a plan to the user")),
        plan
    )
}

/// A list of requests, a line each.
pub(crate) fn request_lines(
    requests: &[impl AsRef<Request>],
    now: Timestamp,
    style: Style,
) -> Vec<String> {
    let whos: Vec<String> = requests.iter().map(|one| who(one.as_ref())).collect();
    let wide = whos.iter().map(String::len).max().unwrap_or(0);
    let lines = requests.iter().zip(whos);
    lines
        .map(|(request, who)| {
            let request = request.as_ref();
            format!(
                "  {}  {:<10}  {who:<wide$}  {}  {}",
                request.id,
                request.request_kind(),
                style.dim(&age_text(request, now)),
                clean_line(&request.summary()),
            )
        })
        .collect()
}

/// A request in full, with its answer.
pub(crate) fn whole_request(request: &Request, now: Timestamp, style: Style) -> Vec<String> {
    let head = format!(
        "{} {}, {}",
        request.id,
        request.request_kind(),
        who(request)
    );
    let mut lines = vec![style.bold(&head), format!("  {}", age_text(request, now))];
    if !request.is_pending() {
        lines.push(format!("  {}", clean_line(&request.describe())));
    }
    if let Some(ask) = request.permission() {
        lines.push(t!("  tool: {tool}", tool = clean_line(&ask.tool)));
        let rules = ask.rules.all();
        lines.extend(rules.map(|(breadth, rule)| {
            let rule = clean_line(rule);
            format!(
                "  always, {breadth}: also allows {rule} {}",
                breadth.lasts()
            )
        }));
        let reasons = ask.reasons().into_iter();
        lines.extend(reasons.map(|(name, text)| format!("  {name}: {}", clean_line(&text))));
    }
    lines.extend(indented(&request.shows()).lines().map(str::to_owned));
    lines
}

fn who(request: &Request) -> String {
    format!("{} -> {}", request.from, request.to())
}

fn age_text(request: &Request, now: Timestamp) -> String {
    let asked = t!(
        "asked {ago}",
        ago = ago(now.millis_since(request.opened) / 1000)
    );
    let left = request.deadline.filter(|_| request.is_pending());
    match (left, &request.state) {
        (Some(deadline), _) => {
            t!(
                "{asked}, {left} left",
                asked,
                left = DurationText(deadline.millis_since(now))
            )
        }
        (None, RequestState::Pending) => t!("{asked}, no deadline", asked),
        (None, state) => format!("{asked}, {}", state.as_str()),
    }
}

/// When it is refused without an answer.
pub(crate) fn deadline_text(deadline: Timestamp, now: Timestamp) -> String {
    refused_in(deadline.millis_since(now))
}

fn by_command(id: RequestId) -> String {
    t!(
        "  yes: teammate approve {id}\n  no:  teammate deny {id} --because \"...\"",
        id
    )
}

/// The flag of `teammate approve` that adds this rule.
fn flag_text(breadth: Breadth, rule: &str) -> String {
    let flag = match breadth {
        Breadth::Exact => "--always",
        Breadth::Prefix | Breadth::Tool => &format!("--always={breadth}"),
    };
    let rule = clean_line(rule);
    format!("\n  {flag}: also allow '{rule}' {}", breadth.lasts())
}

fn refused_in(left_ms: u64) -> String {
    no_in(&DurationText(left_ms).to_string())
}

/// Exactly what will run; a change in its colours.
fn shown(text: &str, style: Style) -> String {
    if style == Style::PLAIN || !text.starts_with("--- ") {
        return indented(text);
    }
    let lines = read_diff(text).into_iter();
    let lines = lines.map(|line| style.line(&TextLine::of(line.text, line.kind.role())));
    let lines: Vec<String> = lines.map(|line| format!("    {line}")).collect();
    lines.join("\n")
}

fn indented(text: &str) -> String {
    clean_block(text, "    ")
}

/// A time to wait, in words.
struct DurationText(u64);

impl fmt::Display for DurationText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.div_ceil(1000);
        match seconds {
            0..120 => write!(f, "{seconds} s"),
            120..7_200 => write!(f, "{} min", seconds / 60),
            _ => write!(f, "{} h", seconds / 3_600),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question<'a>(shows: &'a str, rules: &'a OfferedRules) -> PrintedQuestion<'a> {
        PrintedQuestion {
            id: RequestId::new(3),
            asker: "bob",
            title: "asks: run a",
            shows,
            facts: &[],
            rules,
            left_ms: Some(600_000),
            place: Some((1, 2)),
        }
    }

    fn exact(rule: &str) -> OfferedRules {
        OfferedRules {
            exact: Some(rule.to_owned()),
            ..OfferedRules::default()
        }
    }

    #[test]
    fn a_question_at_the_prompt_says_all_that_will_run_and_what_each_answer_does() {
        let rules = exact("bash(a)");
        assert_eq!(
            question("a\nrm \u{1b}[2Jb", &rules).text(AnswerPlace::Prompt, Style::PLAIN),
            "[bob] asks: run a (req_000003, 1 of 2, no in 10 min):\n    a\n    rm \\u{1b}[2Jb\n  \
             [y] yes  [n] no  [a] always allow 'bash(a)'  [/deny req_000003 WHY]"
        );
    }

    #[test]
    fn each_rule_that_is_offered_stands_beside_its_key_or_flag() {
        let rules = OfferedRules {
            exact: Some("bash(=cargo test a)".to_owned()),
            prefix: Some("bash(cargo test *)".to_owned()),
            tool: Some("edit_file".to_owned()),
        };
        let question = question("cargo test a", &rules);
        let text = question.text(AnswerPlace::Prompt, Style::PLAIN);
        assert!(
            text.ends_with(
                "[a] always allow 'bash(=cargo test a)'  [/deny req_000003 WHY]\
                 \n  [p] always this prefix, from now on: 'bash(cargo test *)'\
                 \n  [t] always this tool, until the team is closed: 'edit_file'"
            ),
            "{text}"
        );
        let text = question.text(AnswerPlace::Terminal, Style::PLAIN);
        assert!(
            text.ends_with(
                "\n  --always: also allow 'bash(=cargo test a)' from now on\
                 \n  --always=prefix: also allow 'bash(cargo test *)' from now on\
                 \n  --always=tool: also allow 'edit_file' until the team is closed"
            ),
            "{text}"
        );
    }

    #[test]
    fn what_always_allows_hides_no_end() {
        let rules = exact(&format!("bash(=ls{}; curl evil)", " ".repeat(3_000)));
        for answering in [AnswerPlace::Prompt, AnswerPlace::Terminal] {
            let text = question("ls", &rules).text(answering, Style::PLAIN);
            assert!(
                text.contains("allow 'bash(=ls [3000 blanks] ; curl evil)'"),
                "{text}"
            );
        }
    }

    #[test]
    fn where_there_is_no_prompt_the_commands_are_named() {
        let rules = OfferedRules::default();
        let text = question("ls", &rules).text(AnswerPlace::Terminal, Style::PLAIN);
        assert!(
            text.ends_with(
                "    ls\n  yes: teammate approve req_000003\n  no:  teammate deny req_000003 --because \"...\""
            ),
            "{text}"
        );
    }

    #[test]
    fn a_plan_for_the_person_is_shown_whole() {
        let plan = "# Plan\n\n1. read\n2. write";
        let text = |width| {
            let request = RequestId::new(1);
            plan_text(request, plan, AnswerPlace::Prompt, (Style::PLAIN, width))
        };
        let how = "  approve with /approve req_000001";
        let at_a_terminal = text(Some(80));
        assert!(
            at_a_terminal.contains(&format!("     1. read\n     2. write\n{how}")),
            "{at_a_terminal}"
        );
        let in_a_file = text(None);
        assert!(
            in_a_file.contains(&format!("    1. read\n    2. write\n{how}")),
            "{in_a_file}"
        );
    }
}
