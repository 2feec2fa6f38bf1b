//! A process that makes networks for commands: each has nothing in it but its own loopback, with sockets that the host listens on.

use std::{
    net::{Ipv4Addr, SocketAddrV4, TcpListener, UdpSocket},
    os::fd::{AsFd as _, OwnedFd},
};

use rustix::{
    fs::{CWD, Mode, OFlags},
    net::{AddressFamily, SocketType, socket},
};
use serde::{Deserialize, Serialize};

use super::sys;
use crate::{
    failure::{Failure, Step as _},
    message,
};

/// Asks for one more network.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MakeNetwork;

/// One was made; its descriptors come with it, in the order of [`PORTS`] after the namespace, names last.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum FromNetworks {
    /// Here it is.
    Made,
    /// It cannot be made.
    Failed(Failure),
}

/// Where the host listens in each: for programs that know a proxy, and for those that connect by name.
pub(crate) const PORTS: [(Ipv4Addr, u16); 3] = [
    (Ipv4Addr::LOCALHOST, PROXY_PORT),
    (Ipv4Addr::UNSPECIFIED, 443),
    (Ipv4Addr::UNSPECIFIED, 80),
];
/// The proxy's port.
pub(crate) const PROXY_PORT: u16 = 3128;
/// Names are asked for here.
const NAMES: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::LOCALHOST, 53);

/// Serves the host until it lets go. Does not return.
pub(super) fn run(socket: &OwnedFd) -> ! {
    while let Ok(Some((MakeNetwork, _))) = message::receive(socket) {
        let is_heard = match make() {
            Ok(made) => {
                let made: Vec<_> = made.iter().map(OwnedFd::as_fd).collect();
                message::send(socket, &FromNetworks::Made, &made)
            }
            Err(failure) => message::send(socket, &FromNetworks::Failed(failure), &[]),
        };
        if is_heard.is_err() {
            break;
        }
    }
    sys::exit(0)
}

fn make() -> Result<Vec<OwnedFd>, Failure> {
    sys::unshare(libc::CLONE_NEWNET).step(|| "make a network".into())?;
    raise_loopback().step(|| "raise the loopback".into())?;
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let namespace = rustix::fs::openat(CWD, "/proc/self/ns/net", flags, Mode::empty())
        .step(|| "hold the network".into())?;
    let mut made = vec![namespace];
    for (address, port) in PORTS {
        let listener = TcpListener::bind((address, port)).step(|| format!("listen on {port}"))?;
        made.push(listener.into());
    }
    made.push(
        UdpSocket::bind(NAMES)
            .step(|| "listen for names".into())?
            .into(),
    );
    Ok(made)
}

fn raise_loopback() -> std::io::Result<()> {
    let any = socket(AddressFamily::INET, SocketType::DGRAM, None)?;
    sys::raise_interface(any.as_fd(), *b"lo\0")
}
