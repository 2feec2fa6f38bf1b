//! As much HTTP/1.1 as a model server needs.

use std::io;

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

use crate::answer::{Answer, StreamEnd};

/// A request.
pub(crate) struct HttpRequest {
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl HttpRequest {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(known, _)| known == name)?;
        Some(value)
    }
}

/// Reads the next request; `None` when the client is gone.
pub(crate) async fn read(stream: &mut BufReader<TcpStream>) -> io::Result<Option<HttpRequest>> {
    let mut line = String::new();
    if stream.read_line(&mut line).await? == 0 {
        return Ok(None);
    }
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut asked = HttpRequest {
        path,
        headers: Vec::new(),
        body: String::new(),
    };
    loop {
        line.clear();
        stream.read_line(&mut line).await?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        let name = name.to_ascii_lowercase();
        asked.headers.push((name, value.trim().to_owned()));
    }
    let length = asked
        .header("content-length")
        .and_then(|text| text.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).await?;
    asked.body = String::from_utf8_lossy(&body).into_owned();
    Ok(Some(asked))
}

/// Sends an answer. Whether the connection may go on.
pub(crate) async fn write(
    stream: &mut BufReader<TcpStream>,
    answer: &Answer,
    bytes: Option<(u16, &'static str, Vec<u8>)>,
) -> io::Result<bool> {
    let Some((status, kind, body)) = bytes else {
        return Ok(false);
    };
    let mut head =
        format!("HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n");
    for (name, value) in &answer.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    let mut out = head.into_bytes();
    let length = match answer.end {
        StreamEnd::Proper => body.len(),
        StreamEnd::Cut(at) | StreamEnd::Short(at) | StreamEnd::Stall(at) => at.min(body.len()),
    };
    for chunk in body[..length].chunks(answer.chunk) {
        out.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
        out.extend(chunk);
        out.extend(b"\r\n");
    }
    if matches!(answer.end, StreamEnd::Proper | StreamEnd::Short(_)) {
        out.extend(b"0\r\n\r\n");
    }
    stream.write_all(&out).await?;
    stream.flush().await?;
    if let StreamEnd::Stall(_) = answer.end {
        // Until the client gives up.
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).await?;
    }
    Ok(matches!(
        answer.end,
        StreamEnd::Proper | StreamEnd::Short(_)
    ))
}
