//! WebDriver's wire: JSON over HTTP to a driver on this machine, one connection for each command.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
};

use serde_json::Value;

use crate::world::HANG;

/// What the driver answers to a command: its `value`.
#[track_caller]
pub(super) fn ask(port: u16, method: &str, path: &str, body: &Value) -> Value {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(HANG)).unwrap();
    let body = if method == "POST" {
        body.to_string()
    } else {
        String::new()
    };
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    let (head, body) = answer(BufReader::new(stream));
    let mut answer: Value = serde_json::from_slice(&body).unwrap_or_else(|_| panic!("{head}"));
    assert!(head.starts_with("HTTP/1.1 200"), "{path}: {answer:#}");
    answer["value"].take()
}

/// The head and the body. The driver leaves its connections open.
fn answer(mut stream: BufReader<TcpStream>) -> (String, Vec<u8>) {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        let count = stream.read_line(&mut head).unwrap();
        assert!(count > 0, "the driver has ended: {head}");
    }
    let mut lines = head.lines();
    let length = lines.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse().unwrap())
    });
    let mut body = vec![0; length.expect("an answer says its length")];
    stream.read_exact(&mut body).unwrap();
    (head, body)
}
