//! What the user wants of the team on the screen: the same for the team of this process and for that of another.

use teammate::{Breadth, TeamHistory, request::Answer};
use teammate_view::{Fact, Verb, VerbResult};

use crate::{
    commands::{
        CliContext, facts,
        repl::ShownQuestion,
        typed::{self, TypedCall, TypedTeam, say},
    },
    screen::Style,
};

/// Does it, and says what came of it.
pub(super) async fn ask(mut team: TypedTeam<'_>, place: &CliContext, verb: Verb) -> VerbResult {
    match verb {
        Verb::Typed(line) => return answer_to(team, place, &line).await,
        Verb::Say { to, text } => {
            let files = say(&mut team, to.as_str(), &text).await?.files;
            let files = files.iter().map(|file| format!("attached: {file}"));
            return Ok(files.collect());
        }
        Verb::Answer {
            request,
            saw,
            answer,
        } => {
            let word = word(&answer);
            let answered = match saw {
                Some(saw) => team.answer_seen(request, saw, answer).await,
                None => team.answer(request, answer).await,
            };
            answered.map(|()| vec![format!("{request}: {word}")])
        }
        Verb::Interrupt(member) => team.interrupt(member.as_ref()).await.map(|()| Vec::new()),
        Verb::Recall(mail) => team.recall(mail.as_ref()).await.map(|_| Vec::new()),
    }
    .map_err(|error| error.to_string())
}

/// A command of the prompt, with lines as its answer.
async fn answer_to(team: TypedTeam<'_>, place: &CliContext, line: &str) -> VerbResult {
    let (word, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let call = TypedCall {
        team,
        place,
        asked: &ShownQuestion::default(),
        style: Style::PLAIN,
        width: None,
        words: words.trim(),
    };
    let answer = typed::run(word, call).await?;
    Ok(answer.lines().map(str::to_owned).collect())
}

/// Everything that is known of a team, for the past.
pub(super) async fn read_past(mut history: TeamHistory) -> Result<Vec<Fact>, String> {
    let all = facts::read_all(&mut history).await;
    all.map_err(|error| error.to_string())
}

/// An answer in a word.
fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Approve {
            always: Some(breadth),
            ..
        } => match breadth {
            Breadth::Exact => "yes, always",
            Breadth::Prefix => "yes, always with this prefix",
            Breadth::Tool => "yes, always with this tool",
        },
        Answer::Approve { always: None, .. } => "yes, once",
        Answer::Reject { .. } => "no",
    }
}
