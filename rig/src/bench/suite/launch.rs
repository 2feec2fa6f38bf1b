//! From the start of the process to the first byte of its first model request, and from the last answer to its end.

use std::{
    io::Write as _,
    net::TcpStream,
    process::{Command, ExitCode},
    time::Duration,
};

use super::{
    Effort, Measured, program,
    row::{Row, Target},
    sample::Sample,
    wire::{Says, Wire},
};

pub(super) fn measure(effort: Effort) -> Measured {
    let times = effort.times(30, 10);
    let wire = Wire::start(false, |_| Says::Text("done".to_owned()))?;
    let (mut new, mut old, mut floor) = (Vec::new(), Vec::new(), Vec::new());
    let mut exits = Vec::new();
    for _ in 0..times {
        // Taken in turn, so that all see the same machine.
        let dir = program::workspace()?;
        new.push(first_request(
            &wire,
            program::teammate(dir.path(), &wire.url()).args(["run", "hello"]),
        )?);
        old.push(first_request(
            &wire,
            program::teammate(dir.path(), &wire.url()).args(["run", "hello"]),
        )?);
        exits.push(exit(
            &wire,
            program::teammate(dir.path(), &wire.url()).args(["run", "hello"]),
        )?);
        let this = std::env::current_exe()?;
        floor.push(first_request(
            &wire,
            Command::new(this).args(["bench", "post", &wire.address()]),
        )?);
    }
    let (new, old, floor) = (Sample::ms(new), Sample::ms(old), Sample::ms(floor));
    let exits = Sample::ms(exits);
    Ok(vec![
        Row::new(
            "launch -> first request, new team",
            "ms",
            Target::AtMost(25.0),
            new.median(),
        )
        .note(new.spread()),
        Row::new(
            "launch -> first request, team on disk",
            "ms",
            Target::AtMost(25.0),
            old.median(),
        )
        .note(old.spread()),
        Row::new(
            "the same for a program that only posts",
            "ms",
            Target::Nothing,
            floor.median(),
        )
        .note(format!(
            "teammate is {:.1} times this; {}",
            old.median() / floor.median(),
            floor.spread()
        )),
        Row::new(
            "last answer -> end of the program",
            "ms",
            Target::AtMost(10.0),
            exits.median(),
        )
        .note(exits.spread()),
    ])
}

fn first_request(wire: &Wire, command: &mut Command) -> std::io::Result<Duration> {
    let before = wire.exchanges().len();
    let running = program::start(command)?;
    let begun = running.begun();
    running.finish()?;
    let exchanges = wire.exchanges();
    let first = exchanges
        .get(before)
        .ok_or_else(|| std::io::Error::other("no request came"))?;
    Ok(first.asked.saturating_duration_since(begun))
}

/// From the moment the server begins to write the last answer to the end of the program.
fn exit(wire: &Wire, command: &mut Command) -> std::io::Result<Duration> {
    let ended = program::start(command)?.end()?;
    let exchanges = wire.exchanges();
    let last = exchanges.last().and_then(|exchange| exchange.answered);
    let answered = last.ok_or_else(|| std::io::Error::other("no request came"))?;
    Ok(ended.saturating_duration_since(answered))
}

/// Connects, posts, leaves.
pub(super) fn post(address: &str) -> ExitCode {
    let posted = TcpStream::connect(address).and_then(|mut stream| {
        stream.write_all(
            b"POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}",
        )?;
        let mut answer = [0; 64];
        std::io::Read::read(&mut stream, &mut answer)
    });
    if posted.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
