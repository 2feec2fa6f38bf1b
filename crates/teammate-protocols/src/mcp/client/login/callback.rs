//! The browser comes back: one request to a port of this machine, in plain HTTP, of which nothing counts but its path.

use std::{io, time::Duration};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    time::timeout,
};

/// The longest beginning of a request.
const BYTES_MAX: usize = 16 << 10;

/// How long a connection may take to say what it wants.
const READ: Duration = Duration::from_secs(5);

const DONE: &str = "You are logged in. You can close this window.";
const OTHER: &str = "There is nothing here.";

/// Waits for the browser; the path with its parameters. Whatever else connects is sent away.
pub(super) async fn callback(listener: &TcpListener) -> io::Result<String> {
    loop {
        let (mut stream, _) = listener.accept().await?;
        let Ok(Ok(Some(path))) = timeout(READ, path(&mut stream)).await else {
            continue;
        };
        let is_it = path.starts_with("/callback?");
        let (status, text) = match is_it {
            true => ("200 OK", DONE),
            false => ("404 Not Found", OTHER),
        };
        let answer = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
            text.len()
        );
        // A browser that has gone still came back.
        let _ = stream.write_all(answer.as_bytes()).await;
        if is_it {
            return Ok(path);
        }
    }
}

/// The path of the first line of a request.
async fn path(stream: &mut TcpStream) -> io::Result<Option<String>> {
    let mut read = Vec::new();
    while !read.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut chunk = [0; 1 << 10];
        match stream.read(&mut chunk).await? {
            0 => return Ok(None),
            _ if read.len() > BYTES_MAX => return Ok(None),
            count => read.extend_from_slice(&chunk[..count]),
        }
    }
    let text = String::from_utf8_lossy(&read);
    let mut words = text.lines().next().unwrap_or_default().split(' ');
    Ok(match (words.next(), words.next()) {
        (Some("GET"), Some(path)) => Some(path.to_owned()),
        _ => None,
    })
}
