//! What the user wants of the team on the screen: the same for the team of this process and for that of another.

use teammate::TeamHistory;
use teammate_view::{Elsewhere, Fact, Verb, VerbAnswer, VerbResult};
use tokio::sync::Mutex;

use crate::{
    commands::{
        CliContext, facts,
        next_talk::Next,
        shown_question::ShownQuestion,
        typed::{self, TypedAnswer, TypedCall, TypedTeam, receipt, say},
    },
    screen::Style,
};

/// What was chosen to go on with; the last choice holds.
pub(in crate::commands) type Chosen = Mutex<Option<Next>>;

/// Does it, and says what came of it.
pub(super) async fn ask(
    mut team: TypedTeam<'_>,
    place: &CliContext,
    chosen: &Chosen,
    verb: Verb,
) -> VerbResult {
    let lines = match verb {
        Verb::Typed(line) => return answer_to(team, place, chosen, &line).await,
        Verb::Say { to, text } => {
            let files = say(&mut team, to.as_str(), &text).await?.files;
            let files = files.iter().map(|file| format!("attached: {file}"));
            Ok(files.collect())
        }
        Verb::Answer {
            request,
            saw,
            answer,
        } => {
            let receipt = receipt(&team, request, &answer);
            let answered = match saw {
                Some(saw) => team.answer_seen(request, saw, answer).await,
                None => team.answer(request, answer).await,
            };
            answered.map(|()| vec![receipt])
        }
        Verb::Interrupt(member) => team.interrupt(member.as_ref()).await.map(|()| Vec::new()),
        Verb::Recall(mail) => team.recall(mail.as_ref()).await.map(|_| Vec::new()),
    };
    lines
        .map(VerbAnswer::Lines)
        .map_err(|error| error.to_string())
}

/// A command of the prompt.
async fn answer_to(
    team: TypedTeam<'_>,
    place: &CliContext,
    chosen: &Chosen,
    line: &str,
) -> VerbResult {
    let (word, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let call = TypedCall {
        team,
        place,
        asked: &ShownQuestion::default(),
        style: Style::PLAIN,
        width: None,
        words: words.trim(),
    };
    Ok(match typed::run(word, call).await? {
        TypedAnswer::Lines(lines) => VerbAnswer::Lines(lines.lines().map(str::to_owned).collect()),
        TypedAnswer::Answered(receipt) => VerbAnswer::Lines(vec![receipt]),
        TypedAnswer::Choices(choices) => VerbAnswer::Choices(choices),
        TypedAnswer::GoesOn(next) => {
            let elsewhere = match next {
                Next::Team(_) => Elsewhere::Team,
                Next::Conversation(_) => Elsewhere::Conversation,
            };
            *chosen.lock().await = Some(next);
            VerbAnswer::GoesOn(elsewhere)
        }
    })
}

/// Everything that is known of a team, for the past.
pub(super) async fn read_past(mut history: TeamHistory) -> Result<Vec<Fact>, String> {
    let all = facts::read_all(&mut history).await;
    all.map_err(|error| error.to_string())
}
