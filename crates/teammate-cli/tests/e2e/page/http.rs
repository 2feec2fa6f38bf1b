//! As much of HTTP as these tests need.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
};

use serde_json::Value;

use crate::world::HANG;

/// Somebody with a key.
pub(crate) struct Client {
    pub(super) port: u16,
    pub(super) key: String,
}

/// An answer.
pub(crate) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Answer {
    #[track_caller]
    pub(super) fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        serde_json::from_str(&self.body).unwrap()
    }

    /// It is answered like this, and says so.
    #[track_caller]
    pub(crate) fn is(self, status: u16, text: &str) -> Self {
        assert_eq!(self.status, status, "{}", self.body);
        assert!(self.body.contains(text), "{}", self.body);
        self
    }
}

impl Client {
    pub(super) fn new(port: u16, key: &str) -> Self {
        let key = key.to_owned();
        Self { port, key }
    }

    fn request(&self, line: &str, more: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(HANG)).unwrap();
        let request = format!(
            "{line} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n{more}",
            self.port, self.key
        );
        stream.write_all(request.as_bytes()).unwrap();
        BufReader::new(stream)
    }

    fn ask(&self, line: &str, more: &str) -> Answer {
        let mut text = String::new();
        let mut stream = self.request(line, more);
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        Answer {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    pub(super) fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {path}"), "\r\n")
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Answer {
        let body = body.to_string();
        let more = format!(
            "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.ask(&format!("POST {path}"), &more)
    }

    /// A stream, from its first event on.
    pub(super) fn live(&self, path: &str) -> Live {
        let mut stream = self.request(&format!("GET {path}"), "\r\n");
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        assert!(line.contains(" 200 "), "{line}");
        Live { stream }
    }
}

/// A stream of events.
pub(super) struct Live {
    stream: BufReader<TcpStream>,
}

impl Live {
    /// The data of the events until one has this in it; nothing if the stream ends before.
    pub(super) fn until(&mut self, text: &str) -> Option<Vec<Value>> {
        let mut seen = Vec::new();
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            let Some(data) = line.strip_prefix("data: ") else {
                continue;
            };
            let is_it = data.contains(text);
            seen.extend(serde_json::from_str::<Value>(data));
            if is_it {
                return Some(seen);
            }
        }
    }
}
