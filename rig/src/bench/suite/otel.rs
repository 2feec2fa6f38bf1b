//! What traces and metrics cost a turn: the gap and the processor's time of a turn with a shell call while all of it is sent to a
//! collector on this machine, without those of the same turn while nothing is.

use std::{
    fs,
    io::{self, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::Path,
    thread,
    time::Duration,
};

use super::{
    Effort, Measured,
    row::{Row, Target},
    sample::{Sample, ms},
    turns,
};

/// Turns of a run.
const TURNS: usize = 200;

/// A turn of which a model takes a second.
const TURN: Duration = Duration::from_secs(1);

pub(super) fn measure(effort: Effort) -> Measured {
    let collector = collector()?;
    let send = |home: &Path| {
        let config = home.join(".config/teammate");
        fs::create_dir_all(&config)?;
        let text = format!("[otel]\nenabled = true\nendpoint = \"{collector}\"\n");
        fs::write(config.join("config.toml"), text)
    };
    let (mut waits, mut works) = (Vec::new(), Vec::new());
    let (mut plain, mut sent) = (Vec::new(), Vec::new());
    // In turn: on a busy machine both suffer alike.
    for _ in 0..effort.times(7, 3) {
        let (off_gap, off_cpu) = turn(|_| Ok(()))?;
        let (on_gap, on_cpu) = turn(send)?;
        waits.push(on_gap - off_gap);
        works.push(on_cpu - off_cpu);
        plain.push(off_gap);
        sent.push(on_gap);
    }
    let (waits, works) = (Sample::new(waits), Sample::new(works));
    let of = |values: Vec<f64>| Sample::new(values).median();
    let share = |cost: &Sample| cost.median() / ms(TURN) * 100.0;
    Ok(vec![
        Row::new(
            "traces and metrics: of a turn of which a model takes a second",
            "%",
            Target::AtMost(1.0),
            share(&waits),
        )
        .note(format!(
            "a turn without {:.2} ms, with {:.2}; {}",
            of(plain),
            of(sent),
            waits.spread()
        )),
        Row::new(
            "traces and metrics: processor's time of a turn",
            "ms",
            Target::Nothing,
            works.median(),
        )
        .note(works.spread()),
    ])
}

/// The median gap of a turn and the processor's time of one, in ms, in a workspace that was prepared like this.
fn turn(prepare: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<(f64, f64)> {
    let (exchanges, cost) = turns::run_in(TURNS, false, prepare)?;
    let gap = Sample::ms(turns::gaps(&exchanges)).median();
    Ok((gap, ms(cost.cpu) / TURNS as f64))
}

/// A collector that takes everything, and where it is.
fn collector() -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = format!("http://{}", listener.local_addr()?);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A message that breaks off is the sender's matter.
            thread::spawn(|| drop(take(stream)));
        }
    });
    Ok(address)
}

fn take(mut stream: TcpStream) -> io::Result<()> {
    let mut buffer = Vec::new();
    loop {
        let head = loop {
            if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            if !more(&mut stream, &mut buffer)? {
                return Ok(());
            }
        };
        let text = String::from_utf8_lossy(&buffer[..head]).to_ascii_lowercase();
        let length = text
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"));
        let length: usize = length.and_then(|it| it.trim().parse().ok()).unwrap_or(0);
        while buffer.len() < head + length {
            if !more(&mut stream, &mut buffer)? {
                return Ok(());
            }
        }
        buffer.drain(..head + length);
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")?;
    }
}

/// False at the end.
fn more(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> io::Result<bool> {
    let mut piece = [0; 1 << 16];
    let read = stream.read(&mut piece)?;
    buffer.extend_from_slice(&piece[..read]);
    Ok(read > 0)
}
