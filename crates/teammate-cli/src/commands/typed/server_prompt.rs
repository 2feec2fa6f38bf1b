//! `/mcp__SERVER__PROMPT WORDS`: a prompt of an MCP server, sent to the lead as the user's words.

use anyhow::bail;
use teammate::{
    mcp::{Accepted as _, OutsideServers},
    visible,
};
use teammate_view::t;

use super::{TypedCall, say};
use crate::screen::clean_line;

/// The beginning of such a word.
pub(super) const PREFIX: &str = "/mcp__";

/// Asks the server for the prompt's words, and sends them.
///
/// Errors: there is no such server or prompt, an argument is missing, or it was not sent.
pub(super) async fn run(word: &str, call: TypedCall<'_>) -> anyhow::Result<String> {
    let known = call.place.options.outside_servers().await?;
    let text = Box::pin(words_of(word, call.words, &known)).await;
    known.servers.close().await;
    let text = visible(&text?);
    // Boxed: what hides, judges and sends is much to keep on a stack beside a server's answer.
    let sent = Box::pin(say(call.team, &call.state, "lead", &text)).await;
    sent.map_err(|why| anyhow::anyhow!("Not sent: {why}"))?;
    let first = text.lines().next().unwrap_or_default();
    let first: String = clean_line(first).chars().take(70).collect();
    Ok(t!("Sent to the lead: {first}", first))
}

async fn words_of(word: &str, given: &str, known: &OutsideServers) -> anyhow::Result<String> {
    let named = word.strip_prefix(PREFIX).unwrap_or(word).split_once("__");
    let Some((server, prompt)) = named else {
        bail!("write /mcp__SERVER__PROMPT; /mcp lists them");
    };
    let Some(server) = known.servers.get(server) else {
        bail!("there is no MCP server '{server}'; /mcp lists them");
    };
    let accepted = known.accepted.of(&server.settings().fingerprint());
    let listing = match accepted {
        Some(listing) => listing,
        None => server.list().await?.0,
    };
    let Some(found) = listing.prompts.iter().find(|found| found.name == prompt) else {
        let names: Vec<&str> = listing.prompts.iter().map(|found| &*found.name).collect();
        bail!(
            "that server has no prompt '{prompt}'; it has: {}",
            names.join(", ")
        );
    };
    let arguments = arguments(&found.arguments, given)?;
    Ok(server.prompt(prompt, arguments).await?)
}

/// Each argument is a word, in their order; the last one is the rest.
fn arguments(wanted: &[(String, bool)], given: &str) -> anyhow::Result<Vec<(String, String)>> {
    let mut rest = given.trim();
    let mut arguments = Vec::new();
    for (at, (name, is_required)) in wanted.iter().enumerate() {
        let is_last = at + 1 == wanted.len();
        let (value, behind) = match rest.split_once(char::is_whitespace) {
            Some((value, behind)) if !is_last => (value, behind.trim_start()),
            Some(_) | None => (rest, ""),
        };
        rest = behind;
        match value {
            "" if *is_required => bail!("'{name}' is missing: type it behind the command"),
            "" => {}
            value => arguments.push((name.clone(), value.to_owned())),
        }
    }
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_behind_a_prompt_are_its_arguments() {
        let wanted = [("what".to_owned(), true), ("why".to_owned(), false)];
        let read = |given: &str| arguments(&wanted, given).map_err(|error| error.to_string());
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(read("a"), Ok(vec![pair("what", "a")]));
        assert_eq!(
            read(" a  b c "),
            Ok(vec![pair("what", "a"), pair("why", "b c")])
        );
        assert!(read(" ").unwrap_err().contains("'what' is missing"));
        assert!(arguments(&[], "x").unwrap().is_empty());
    }
}
