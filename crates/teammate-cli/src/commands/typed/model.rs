//! `/model` and `/effort` at the prompt: which model each member works with, and how much that thinks.

use teammate::{Effort, ModelInUse, ModelRef, Team};

use super::printer::Printer;
use crate::screen::{Style, clean};

/// Shows the models of all members, or chooses one: `MODEL [NAME]`.
pub(super) async fn model(team: &Team, words: &str, print: &Printer) {
    let (word, member) = split(words);
    if word.is_empty() {
        return list(team, print);
    }
    match word.parse::<ModelRef>() {
        Ok(model) => choose(team, member, Some(model), None, print).await,
        Err(error) => print.answer(&format!("Not changed: {}", clean(&error.to_string()))),
    }
}

/// Shows the efforts of all members, or chooses one: `LEVEL [NAME]`.
pub(super) async fn effort(team: &Team, words: &str, print: &Printer) {
    let (word, member) = split(words);
    if word.is_empty() {
        return list(team, print);
    }
    match word.parse::<Effort>() {
        Ok(effort) => choose(team, member, None, Some(effort), print).await,
        Err(error) => print.answer(&format!("Not changed: {}", clean(&error.to_string()))),
    }
}

async fn choose(
    team: &Team,
    member: &str,
    model: Option<ModelRef>,
    effort: Option<Effort>,
    print: &Printer,
) {
    match team.choose_model(member, model, effort).await {
        Ok(name) => {
            if let Some(now) = team.model_in_use(&name) {
                print.answer(&format!("  {name}: {}", in_words(&now, effort)));
            }
        }
        Err(error) => print.answer(&format!("Not changed: {}", clean(&error.to_string()))),
    }
}

fn list(team: &Team, print: &Printer) {
    let style = Style::for_stdout();
    for line in team.roster() {
        if let Some(now) = team.model_in_use(&line.name) {
            let name = style.name(line.name.as_str());
            print.answer(&format!("  {name}: {}", in_words(&now, None)));
        }
    }
}

/// The model and its effort. `asked`: the level that was just chosen, which the model may not take.
fn in_words(now: &ModelInUse, asked: Option<Effort>) -> String {
    let model = clean(&now.name.to_string()).into_owned();
    match (now.can_think, asked) {
        (false, _) if now.family.is_none() => {
            format!("{model}; the catalogue does not know it, so nothing is asked about thinking")
        }
        (false, _) => format!("{model}, which does not think"),
        (true, Some(asked)) if asked != now.effort => format!(
            "{model} at effort {}, the nearest to {asked} that it takes",
            now.effort
        ),
        (true, _) => format!("{model} at effort {}", now.effort),
    }
}

/// A word, and the member that it is for: the lead, if none is named.
fn split(words: &str) -> (&str, &str) {
    let (word, member) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    match member.trim() {
        "" => (word, "lead"),
        member => (word, member),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_that_the_model_does_not_take_is_said() {
        let now = |can_think, family: Option<&str>| ModelInUse {
            name: "p:m".parse().unwrap(),
            effort: Effort::High,
            can_think,
            family: family.map(str::to_owned),
        };
        assert_eq!(in_words(&now(true, Some("F")), None), "p:m at effort high");
        assert_eq!(
            in_words(&now(true, Some("F")), Some(Effort::Max)),
            "p:m at effort high, the nearest to max that it takes"
        );
        assert_eq!(
            in_words(&now(false, Some("F")), None),
            "p:m, which does not think"
        );
        assert!(in_words(&now(false, None), None).contains("the catalogue does not know it"));
    }

    #[test]
    fn without_a_name_the_lead_is_meant() {
        assert_eq!(split("high"), ("high", "lead"));
        assert_eq!(split("high  bob"), ("high", "bob"));
        assert_eq!(split(""), ("", "lead"));
    }
}
