//! SOCKS 5 (RFC 1928): connections by name, without a password.

use std::net::Ipv4Addr;

use teammate_core::permission::{Destination, HostName};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use super::{Judge, dial::Dialer, names::Names};

/// The first byte of each of its messages.
pub(super) const VERSION: u8 = 5;

/// How a request ends.
#[derive(Debug, Clone, Copy)]
enum Answer {
    Connected = 0,
    Refused = 2,
    NoSuchCommand = 7,
    NoSuchAddress = 8,
}

/// Serves one connection of which this has been read.
pub(super) async fn serve(
    mut client: TcpStream,
    mut said: Vec<u8>,
    names: &Names,
    (judge, dialer): (&dyn Judge, &Dialer),
) {
    let Some(methods) = read(&mut client, &mut said, 2).await else {
        return;
    };
    if read(&mut client, &mut said, usize::from(methods[1]))
        .await
        .is_none()
        || client.write_all(&[VERSION, 0]).await.is_err()
    {
        return;
    }
    match wanted(&mut client, &mut said, (names, judge)).await {
        Some(Ok(to)) => match judge.judge(&to).await {
            Ok(reach) => {
                if say(&mut client, Answer::Connected).await {
                    dialer.connect(client, &said, (&to, reach), judge).await;
                }
            }
            Err(_) => {
                say(&mut client, Answer::Refused).await;
            }
        },
        Some(Err(answer)) => {
            say(&mut client, answer).await;
        }
        None => {}
    }
}

/// Which server the client wants.
async fn wanted(
    client: &mut TcpStream,
    said: &mut Vec<u8>,
    (names, judge): (&Names, &dyn Judge),
) -> Option<Result<Destination, Answer>> {
    const CONNECT: u8 = 1;
    const ADDRESS: u8 = 1;
    const NAME: u8 = 3;
    let head = read(client, said, 4).await?;
    let host = match head[3] {
        NAME => {
            let length = usize::from(read(client, said, 1).await?[0]);
            let name = read(client, said, length).await?;
            String::from_utf8(name)
                .ok()
                .and_then(|name| HostName::parse(&name))
        }
        // Only one that our own name server gave out.
        ADDRESS => {
            let address: [u8; 4] = read(client, said, 4).await?.try_into().ok()?;
            let address = Ipv4Addr::from(address);
            let host = names.behind(address);
            if host.is_none() {
                judge.unnamed(&address.to_string());
            }
            host
        }
        _ => None,
    };
    let port = read(client, said, 2).await?;
    let port = u16::from_be_bytes([port[0], port[1]]);
    Some(match (head[1], host) {
        (CONNECT, Some(host)) => Ok(Destination { host, port }),
        (CONNECT, None) => Err(Answer::NoSuchAddress),
        _ => Err(Answer::NoSuchCommand),
    })
}

/// Takes so many bytes off what was said, waiting for them.
async fn read(client: &mut TcpStream, said: &mut Vec<u8>, length: usize) -> Option<Vec<u8>> {
    while said.len() < length {
        match client.read_buf(said).await {
            Ok(1..) => {}
            Ok(0) | Err(_) => return None,
        }
    }
    let rest = said.split_off(length);
    Some(std::mem::replace(said, rest))
}

/// False if the client has gone.
async fn say(client: &mut TcpStream, answer: Answer) -> bool {
    let message = [VERSION, answer as u8, 0, 1, 0, 0, 0, 0, 0, 0];
    client.write_all(&message).await.is_ok()
}
