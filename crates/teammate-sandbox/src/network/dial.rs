//! The host's own connection to a server, for a command.

use std::{
    io,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use teammate_core::{permission::Destination, port::Reach};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional},
    net::{TcpStream, lookup_host},
    time::timeout,
};

use super::{
    Judge,
    forward::Forward,
    hello::{self, Hello},
    refusal::{fail, refuse_tls},
    upstream::Upstream,
};

/// How long a server may take to answer the connection, and a client for a message that it has begun.
const DIAL: Duration = Duration::from_secs(20);
/// How long a client may take for its first message, before it counts as one that listens first.
const FIRST_WORD: Duration = Duration::from_millis(300);

/// Connects to servers, directly or through the user's own proxy.
#[derive(Debug)]
pub(super) struct Dialer {
    upstream: Upstream,
}

/// A connection for a plain request.
#[derive(Debug)]
pub enum Plain {
    /// To the server.
    Direct(TcpStream),
    /// To the user's own proxy, which takes a request with the whole address in it.
    ThroughProxy {
        /// The connection.
        stream: TcpStream,
        /// The value of `Proxy-Authorization` by which the proxy knows the user.
        authorization: Option<String>,
    },
}

impl Dialer {
    pub(super) fn through(upstream: Upstream) -> Self {
        Self { upstream }
    }

    /// Connects a client with a server until either ends; `before` goes first. A TLS client that names another server is cut off: one
    /// address often serves many, and only this one was decided about.
    pub(super) async fn connect(
        &self,
        mut client: TcpStream,
        before: &[u8],
        (to, reach): (&Destination, Reach),
        judge: &dyn Judge,
    ) {
        let Ok(first) = first_words(&mut client, before).await else {
            return;
        };
        let hello = hello::read(&first);
        let named_other = match &hello {
            Hello::Tls(named) => named.as_ref().is_some_and(|named| *named != to.host),
            // Of a message that is never whole nobody knows what it names.
            Hello::Partial => !first.is_empty(),
            Hello::Other => false,
        };
        if named_other {
            judge.failed(to, "the TLS connection is for another host");
            return refuse_tls(&mut client).await;
        }
        let mut server = match self.dial(to, reach).await {
            Ok(server) => server,
            Err(error) => {
                let why = error.to_string();
                judge.failed(to, &why);
                return match hello {
                    Hello::Tls(_) => refuse_tls(&mut client).await,
                    Hello::Other => fail(&mut client, &format!("{to}: {why}")).await,
                    // It listens first, and no protocol is known that it would understand.
                    Hello::Partial => {}
                };
            }
        };
        if server.write_all(&first).await.is_ok() {
            // Either side may end as it likes.
            let _ = copy_bidirectional(&mut client, &mut server).await;
        }
    }

    /// A connection to a server, through the user's own proxy if the server is reached through it.
    pub(super) async fn dial(&self, to: &Destination, reach: Reach) -> io::Result<TcpStream> {
        match self.upstream.proxy_for(to) {
            Some(proxy) => {
                refuse_private(to, reach).await?;
                proxy.tunnel(to).await
            }
            None => dial(to, reach).await,
        }
    }

    /// A connection on which a plain request goes to a server.
    pub(super) async fn plain(&self, to: &Destination, reach: Reach) -> io::Result<Plain> {
        match self.upstream.proxy_for(to) {
            Some(proxy) => {
                refuse_private(to, reach).await?;
                Ok(Plain::ThroughProxy {
                    stream: proxy.dial().await?,
                    authorization: proxy.authorization().map(str::to_owned),
                })
            }
            None => Ok(Plain::Direct(dial(to, reach).await?)),
        }
    }

    /// Sends a request to the user's own proxy, if the server is reached through it, and what it answers to the client.
    /// Else the client comes back.
    pub(super) async fn forward(
        &self,
        mut client: TcpStream,
        (request, rest): (&Forward, &[u8]),
        (to, reach): (&Destination, Reach),
        judge: &dyn Judge,
    ) -> Option<TcpStream> {
        let Some(proxy) = self.upstream.proxy_for(to) else {
            return Some(client);
        };
        let sending = async {
            refuse_private(to, reach).await?;
            let mut server = proxy.dial().await?;
            server.write_all(&request.to_proxy(&proxy.sign())).await?;
            server.write_all(rest).await?;
            Ok::<_, io::Error>(server)
        };
        match sending.await {
            Ok(mut server) => {
                // Either side may end as it likes.
                let _ = copy_bidirectional(&mut client, &mut server).await;
            }
            Err(error) => {
                let why = error.to_string();
                judge.failed(to, &why);
                fail(&mut client, &format!("{to}: {why}")).await;
            }
        }
        None
    }
}

/// The first words of the client, as far as it takes to tell what it is.
async fn first_words(client: &mut TcpStream, before: &[u8]) -> io::Result<Vec<u8>> {
    let mut first = before.to_vec();
    while first.len() < hello::BYTES_MAX && hello::read(&first) == Hello::Partial {
        let limit = if first.is_empty() { FIRST_WORD } else { DIAL };
        let reading = client.read_buf(&mut first);
        match timeout(limit, reading).await {
            Ok(Ok(1..)) => {}
            // It listens first, or has said all.
            Ok(Ok(0)) | Err(_) => break,
            Ok(Err(error)) => return Err(error),
        }
    }
    Ok(first)
}

/// Looks the name up once, and dials only what is within reach.
async fn dial(to: &Destination, reach: Reach) -> io::Result<TcpStream> {
    let found = lookup_host((to.host.as_str(), to.port)).await?;
    let is_within = |found: &SocketAddr| match reach {
        Reach::Anywhere => true,
        Reach::Public => is_public(found.ip()),
    };
    let within: Vec<SocketAddr> = found.filter(is_within).collect();
    if within.is_empty() {
        return Err(private(to));
    }
    timeout(DIAL, TcpStream::connect(&within[..]))
        .await
        .map_err(|_| io::Error::other("the server does not answer"))?
}

/// The user's proxy looks the name up again, so no address of it may be private. It may know names that this machine does not.
async fn refuse_private(to: &Destination, reach: Reach) -> io::Result<()> {
    let found = lookup_host((to.host.as_str(), to.port)).await;
    let is_private = |found: SocketAddr| !is_public(found.ip());
    match reach {
        Reach::Public if found.is_ok_and(|mut found| found.any(is_private)) => Err(private(to)),
        Reach::Public | Reach::Anywhere => Ok(()),
    }
}

fn private(to: &Destination) -> io::Error {
    io::Error::other(format!(
        "its address is one of this machine or its network; only a rule of the user's that names it allows that: net({to})"
    ))
}

/// Whether an address belongs to a server of the Internet: not to this machine, its network, or everybody.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(four) => {
            let [first, second, third, _] = four.octets();
            !(four.is_loopback()
                || four.is_private()
                || four.is_link_local()
                || four.is_multicast()
                || four.is_broadcast()
                || four.is_documentation()
                || first == 0
                || first >= 240
                || (first, second, third) == (192, 0, 0)
                // Carriers' own, and tests of networks.
                || first == 100 && second & 0xC0 == 64
                || first == 198 && second & 0xFE == 18)
        }
        IpAddr::V6(six) => match six.to_ipv4_mapped().or_else(|| translated(six)) {
            Some(four) => is_public(IpAddr::V4(four)),
            None => {
                let first = six.segments()[0];
                // What is not given out yet is refused, too: 2000::/3 is all there is.
                first & 0xE000 == 0x2000
                    && first != 0x2002
                    && six.segments()[..2] != [0x2001, 0x0DB8]
            }
        },
    }
}

/// The address behind a translator's (64:ff9b::/96).
fn translated(six: Ipv6Addr) -> Option<std::net::Ipv4Addr> {
    let [0x64, 0xFF9B, 0, 0, 0, 0, high, low] = six.segments() else {
        return None;
    };
    let [a, b] = high.to_be_bytes();
    let [c, d] = low.to_be_bytes();
    Some(std::net::Ipv4Addr::new(a, b, c, d))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_dialled() {
        for public in [
            "1.1.1.1",
            "100.128.0.1",
            "2606:4700::1111",
            "64:ff9b::1.1.1.1",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for refused in [
            "127.0.0.1",
            "127.1.2.3",
            "0.0.0.0",
            "10.0.0.1",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "198.18.0.1",
            "192.0.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "240.0.0.1",
            "::1",
            "::",
            "fe80::1",
            "fc00::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "64:ff9b::127.0.0.1",
            "2002:7f00:1::",
            "2001:db8::1",
        ] {
            assert!(!is_public(refused.parse().unwrap()), "{refused}");
        }
    }
}
