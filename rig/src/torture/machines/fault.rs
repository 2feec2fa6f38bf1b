//! Designs that must be found out: the same adapters behind a proxy that changes what they and the server say to each other. What is
//! changed keeps its length, so no message is framed anew.

use std::{
    fmt,
    io::{self, Read as _, Write as _},
    net::{Shutdown, TcpListener, TcpStream},
    thread,
};

use super::stock::Found;

/// What is wrong with a design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    None,
    /// Appends are stored whatever is last.
    NoCompare,
    /// Errors 10164 and 10158 are read as 10071: an append on its way, one's own from before among them, is taken for a successor's.
    InFlightIsVerdict,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "as it is",
            Self::NoCompare => "without compare",
            Self::InFlightIsVerdict => "an append in flight as a verdict",
        })
    }
}

/// The header of compare. An append that asks for the last sequence keeps it, or it would be stored.
const COMPARE: &[u8] = b"Nats-Expected-Last-Subject-Sequence: ";
const NO_COMPARE: &[u8] = b"Nats-Ignored-Last-Subject-Sequences: ";
const ASKS_FOR_LAST: &[u8] = b"4611686018427387904";

const IN_FLIGHT: [&[u8]; 2] = [b"\"err_code\":10164", b"\"err_code\":10158"];
const CONFLICT: &[u8] = b"\"err_code\":10071";

impl Fault {
    /// Whether it shows in what was found.
    pub(super) fn is_in(self, found: &Found) -> bool {
        match self {
            Self::None => !found.is_clean(),
            Self::NoCompare => !found.old_terms.is_empty() || !found.forked.is_empty(),
            Self::InFlightIsVerdict => !found.stopped.is_empty(),
        }
    }

    fn up(self, bytes: &mut [u8]) {
        if self != Self::NoCompare {
            return;
        }
        for at in places(bytes, COMPARE) {
            if !bytes[at + COMPARE.len()..].starts_with(ASKS_FOR_LAST) {
                bytes[at..at + COMPARE.len()].copy_from_slice(NO_COMPARE);
            }
        }
    }

    fn down(self, bytes: &mut [u8]) {
        if self != Self::InFlightIsVerdict {
            return;
        }
        for code in IN_FLIGHT {
            for at in places(bytes, code) {
                bytes[at..at + code.len()].copy_from_slice(CONFLICT);
            }
        }
    }
}

fn places(bytes: &[u8], pattern: &[u8]) -> Vec<usize> {
    let windows = bytes.windows(pattern.len()).enumerate();
    let found = windows.filter(|(_, window)| *window == pattern);
    found.map(|(at, _)| at).collect()
}

/// A proxy before each server.
pub(super) struct Proxies(Vec<String>);

impl Proxies {
    /// None where nothing is to be changed. They end with the program.
    pub(super) fn before(servers: &[String], fault: Fault) -> io::Result<Option<Self>> {
        if fault == Fault::None {
            return Ok(None);
        }
        let mut urls = Vec::new();
        for server in servers {
            let server = server.clone();
            let listener = TcpListener::bind("127.0.0.1:0")?;
            urls.push(format!("nats://{}", listener.local_addr()?));
            thread::spawn(move || {
                for client in listener.incoming().flatten() {
                    if let Ok(server) = TcpStream::connect(&server) {
                        let _ = pass_both(client, server, fault);
                    }
                }
            });
        }
        Ok(Some(Self(urls)))
    }

    pub(super) fn urls(&self) -> Vec<String> {
        self.0.clone()
    }
}

fn pass_both(client: TcpStream, server: TcpStream, fault: Fault) -> io::Result<()> {
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (up, down) = (client.try_clone()?, server.try_clone()?);
    thread::spawn(move || pass(up, server, |bytes| fault.up(bytes)));
    thread::spawn(move || pass(down, client, |bytes| fault.down(bytes)));
    Ok(())
}

/// Passes bytes on until one end closes. What two reads cut apart stays as it is, which only makes the fault milder.
fn pass(mut from: TcpStream, mut to: TcpStream, change: impl Fn(&mut [u8])) {
    let mut bytes = vec![0; 1 << 16];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        change(&mut bytes[..count]);
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_changes_what_is_meant_and_no_length() {
        let mut append = b"HPUB x 1 2\r\nNats-Expected-Last-Subject-Sequence: 7\r\n".to_vec();
        let before = append.len();
        Fault::NoCompare.up(&mut append);
        assert!(places(&append, COMPARE).is_empty());
        assert_eq!(append.len(), before);
        let mut question = [COMPARE, ASKS_FOR_LAST].concat();
        Fault::NoCompare.up(&mut question);
        assert_eq!(question, [COMPARE, ASKS_FOR_LAST].concat());
        let mut answer = br#"{"error":{"code":400,"err_code":10164}}"#.to_vec();
        Fault::InFlightIsVerdict.down(&mut answer);
        assert_eq!(answer, br#"{"error":{"code":400,"err_code":10071}}"#);
    }
}
