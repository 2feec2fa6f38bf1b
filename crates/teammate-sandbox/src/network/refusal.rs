//! How a connection is refused so that the program which made it can say why.

use tokio::{io::AsyncWriteExt as _, net::TcpStream};

/// Says why it may not be, in words that programs print.
pub(super) async fn refuse(client: &mut TcpStream, why: &str) {
    answer(client, 403, why).await;
}

/// Says why it could not be done.
pub(super) async fn fail(client: &mut TcpStream, why: &str) {
    answer(client, 502, why).await;
}

async fn answer(client: &mut TcpStream, code: u16, why: &str) {
    let why: String = why.chars().filter(|c| !c.is_control()).collect();
    let text = format!("{why}\n");
    let answer = format!(
        "HTTP/1.1 {code} {why}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    );
    // If it does not hear it, it has gone.
    let _ = client.write_all(answer.as_bytes()).await;
    let _ = client.shutdown().await;
}

/// The alert `access_denied`, which clients print as such.
pub(super) async fn refuse_tls(client: &mut TcpStream) {
    let _ = client.write_all(&[0x15, 3, 3, 0, 2, 2, 49]).await;
    let _ = client.shutdown().await;
}
