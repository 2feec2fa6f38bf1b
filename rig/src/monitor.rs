//! Asks a NATS server at its monitoring address.

use std::{
    io::{self, Read as _, Write as _},
    net::TcpStream,
    time::Duration,
};

use serde_json::Value;

/// How long it may say nothing.
const ANSWER_WAIT: Duration = Duration::from_secs(2);

/// The longest answer.
const ANSWER_BYTES_MAX: u64 = 4 << 20;

/// What `HOST:PORT` says at this path.
pub(crate) fn asked(address: &str, path: &str) -> io::Result<Value> {
    serde_json::from_str(&text(address, path)?).map_err(io::Error::other)
}

/// The same as text.
pub(crate) fn text(address: &str, path: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(ANSWER_WAIT))?;
    write!(stream, "GET {path} HTTP/1.0\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(ANSWER_BYTES_MAX).read_to_string(&mut answer)?;
    let body = answer.split_once("\r\n\r\n");
    let (_, body) = body.ok_or(io::ErrorKind::InvalidData)?;
    Ok(body.to_owned())
}
