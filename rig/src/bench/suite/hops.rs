//! Mail in a whole team: two teammates send each other one message after the other. From the end of the answer that sends
//! to the first byte of the request that holds it.

use serde_json::json;

use super::{
    Effort, Measured, program,
    row::{Row, Target},
    sample::Sample,
    wire::{Asked, Exchange, Says, Wire},
};

pub(super) fn measure(effort: Effort) -> Measured {
    let hops = effort.times(300, 60);
    let wire = Wire::start(true, move |asked| says(asked, hops))?;
    let dir = program::workspace()?;
    let command = &mut program::teammate(dir.path(), &wire.url());
    program::start(command.args(["run", "let them play"]))?.finish()?;
    let exchanges = wire.exchanges();
    let took = (1..hops).filter_map(|hop| {
        let asked = heard(&exchanges, hop)?.asked;
        let sent = heard(&exchanges, hop - 1)?.answered?;
        Some(asked.saturating_duration_since(sent))
    });
    let took = Sample::ms(took);
    Ok(vec![
        Row::new(
            "mail in a team: answer that sends -> request that holds it, median",
            "ms",
            Target::AtMost(2.0),
            took.median(),
        )
        .note(format!("recipient idle; {}", took.spread())),
        Row::new(
            "mail in a team: the same, p99",
            "ms",
            Target::AtMost(20.0),
            took.quantile(0.99),
        ),
    ])
}

fn ball(hop: usize) -> String {
    format!("ball {hop}.")
}

/// The request with which the one to whom it was thrown heard of the ball.
fn heard(exchanges: &[Exchange], hop: usize) -> Option<&Exchange> {
    let (to, text) = (catcher(hop), ball(hop));
    exchanges.iter().find(|exchange| {
        exchange.member == to
            && exchange
                .body
                .as_ref()
                .is_some_and(|body| body.contains(&text))
    })
}

fn catcher(hop: usize) -> &'static str {
    if hop.is_multiple_of(2) {
        "alice"
    } else {
        "bob"
    }
}

/// The lead spawns two and waits. A member that hears a ball throws the next one and ends its turn.
fn says(asked: &Asked<'_>, hops: usize) -> Says {
    if asked.member == "lead" {
        let spawn = |name: &str, prompt: String| {
            (
                "spawn_teammate",
                json!({"name": name, "role": "player", "prompt": prompt}),
            )
        };
        return match asked.before {
            0 => Says::Calls(vec![
                spawn("bob", "Wait.".to_owned()),
                spawn("alice", format!("Begin with {}", ball(0))),
            ]),
            1 => Says::Calls(vec![("wait_for_team", json!({}))]),
            _ => Says::Text("done".to_owned()),
        };
    }
    let newest = asked
        .body
        .rsplit_once(r#""role":"user""#)
        .map_or("", |(_, newest)| newest);
    let heard = newest
        .split("ball ")
        .nth(1)
        .and_then(|rest| rest.split('.').next()?.parse::<usize>().ok());
    // The outcome of sending tells of no ball.
    match heard {
        Some(hop) if hop + 1 < hops => {
            let to = catcher(hop + 1);
            Says::Calls(vec![(
                "send_message",
                json!({"to": to, "content": ball(hop + 1)}),
            )])
        }
        Some(_) | None => Says::Text("thrown".to_owned()),
    }
}
