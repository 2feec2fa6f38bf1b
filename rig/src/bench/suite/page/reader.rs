//! A browser as far as the stream goes: takes it, and notes when it saw what for the first time.

use std::{
    io::{self, Read as _, Write as _},
    net::TcpStream,
    thread::{self, JoinHandle},
};

use super::{Seen, facts::marks, now_ms, stage::Page};

/// The most of a stream that is kept while an event of it is not whole.
const KEPT_BYTES: usize = 2 << 20;

pub(super) struct Reader(JoinHandle<io::Result<Seen>>);

impl Reader {
    /// Begins to read the stream of these screens.
    pub(super) fn begin(page: &Page, team: String, see: &'static str) -> Self {
        let (host, key) = (page.host.clone(), page.key.clone());
        Self(thread::spawn(move || read(&host, &key, &team, see)))
    }

    /// What it has seen, once its page has ended.
    pub(super) fn end(self) -> io::Result<Seen> {
        let seen = self.0.join();
        seen.map_err(|_| io::Error::other("a reader panicked"))?
    }
}

fn read(host: &str, key: &str, team: &str, see: &str) -> io::Result<Seen> {
    let mut stream = TcpStream::connect(host)?;
    write!(
        stream,
        "GET /live?team={team}&see={see} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n\r\n"
    )?;
    let mut seen = Seen::new();
    let (mut text, mut buffer) = (Vec::new(), vec![0; 64 << 10]);
    loop {
        // The page is killed in the end.
        let Ok(length @ 1..) = stream.read(&mut buffer) else {
            return Ok(seen);
        };
        let now = now_ms();
        text.extend_from_slice(&buffer[..length]);
        let whole = text.windows(2).rposition(|two| two == b"\n\n");
        let Some(end) = whole else {
            if text.len() > KEPT_BYTES {
                return Err(io::Error::other("an event without an end"));
            }
            continue;
        };
        let events: Vec<u8> = text.drain(..end).collect();
        let events = String::from_utf8_lossy(&events);
        if events.starts_with("HTTP/1.1 ") && !events.starts_with("HTTP/1.1 200") {
            return Err(io::Error::other(format!("{events:.200}")));
        }
        for mark in marks(&events) {
            seen.entry(mark.to_owned()).or_insert(now);
        }
    }
}
