//! What folding and drawing cost with a long history: printed, never judged. `cargo test -p teammate-tui --release -- --ignored
//! --nocapture what_a_long_history_costs`.

use std::time::{Duration, Instant};

use super::*;

/// Events of members that ask models, talk and run commands.
fn history(events: u64) -> Vec<Fact> {
    let mut facts = facts();
    let shown = r#"fn main() {\n    println!(\"{}\");\n}\n"#.repeat(6);
    for number in 0..events {
        let member = ["lead", "alice", "bob"][usize::try_from(number / 4 % 3).unwrap()];
        let call = number / 4;
        let what = match number % 4 {
            0 => format!(r#""event":"asked","round":{number},"model":"test:model""#),
            1 => format!(
                r#""event":"answered","text":"I **look** at `file {number}`:\n\n- one\n- two","stop":"tool_use","usage":{{"input":900,"output":90,"cache_read":9000,"cache_write":100}}"#
            ),
            2 => format!(
                r#""event":"tool_started","call":"c{call}","tool":"bash","summary":"cargo test {number}""#
            ),
            _ => format!(
                r#""event":"tool_finished","call":"c{call}","tool":"bash","ok":true,"summary":"","took_ms":12,"exit":0,"bytes":200,"lines":18,"output":{{"head":"{shown}"}}"#
            ),
        };
        let at = 1_795_500_100_000 + number;
        let line = format!(r#"{{"at":{at},"member":"{member}",{what}}}"#);
        let event = serde_json::from_str::<Event>(&line).unwrap();
        facts.push(Fact::Event(Arc::new(event)));
    }
    facts
}

fn percentile(times: &mut [Duration], percent: usize) -> Duration {
    times.sort();
    times[(times.len() - 1) * percent / 100]
}

#[test]
#[ignore = "a measurement, not a test"]
fn what_a_long_history_costs() {
    for events in [1_000, 100_000] {
        let facts = history(events);
        let mut app = app();
        let begun = Instant::now();
        facts.iter().for_each(|fact| app.take(fact));
        let folded = begun.elapsed();
        let mut terminal = Terminal::new(TestBackend::new(140, 40)).unwrap();
        let mut times = Vec::new();
        for number in 0..300 {
            app.show(ScreenKind::ALL[number % 6]);
            let begun = Instant::now();
            terminal.draw(|frame| drop(draw(&app, frame))).unwrap();
            times.push(begun.elapsed());
        }
        println!(
            "{events} events: folded in {folded:?}; a frame of 140x40: median {:?}, p99 {:?}",
            percentile(&mut times, 50),
            percentile(&mut times, 99),
        );
    }
}
