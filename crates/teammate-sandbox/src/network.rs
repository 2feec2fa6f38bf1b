//! Networks for commands. Each has nothing in it but its own loopback; the host listens there on sockets that were made inside and
//! connects what may be connected, by name. Because a network belongs to the commands of one place at a time, the
//! socket says whose it is.

mod dial;
mod forward;
mod hello;
mod lease;
mod names;
mod outbound;
mod proxy;
mod refusal;
mod socks;
mod upstream;

use std::{
    future::Future,
    io,
    os::fd::OwnedFd,
    pin::Pin,
    sync::{Arc, Mutex},
};

use teammate_core::{
    lock::Hold,
    permission::{Destination, HostName},
    port::Reach,
};
use tokio::{
    net::{TcpListener, TcpStream, UdpSocket},
    task::{AbortHandle, JoinSet},
};

use crate::{
    failure::{Failure, Step as _},
    inside::{FromNetworks, MakeNetwork, PORTS},
    message,
};
use dial::Dialer;
pub use dial::Plain;
pub(crate) use lease::Joinable;
use lease::Judges;
pub use lease::Network;
use names::Names;
pub use outbound::Outbound;
use upstream::Upstream;

/// How many networks wait for their command.
const SPARE_MAX: usize = 16;
/// How many connections one command may have at a time.
const CONNECTIONS_MAX: usize = 256;

/// Decides about connections, and hears which fail.
pub trait Judge: Send + Sync {
    /// Whether a command may connect, and to which addresses; the refusal is a sentence for the command. The connection waits
    /// meanwhile.
    fn judge<'a>(&'a self, to: &'a Destination) -> Verdict<'a>;

    /// A connection that was allowed failed, because of this.
    fn failed(&self, to: &Destination, why: &str);

    /// A command asked for the address of a host. If it connects by a way that leads out, that is judged; by any other, nobody
    /// answers it, and nothing else is heard of it.
    fn looked_up(&self, _host: &HostName) {}

    /// A command asked the proxy for what is no host by its name. It was refused.
    fn unnamed(&self, _target: &str) {}
}

/// A judge's answer.
pub type Verdict<'a> = Pin<Box<dyn Future<Output = Result<Reach, String>> + Send + 'a>>;

/// Makes networks, and keeps those that commands have left for the next ones.
#[derive(Debug)]
pub struct Networks {
    socket: Mutex<OwnedFd>,
    spare: Mutex<Vec<Sockets>>,
    dialer: Arc<Dialer>,
}

/// One network: its namespace, and the sockets in it.
#[derive(Debug)]
struct Sockets {
    namespace: OwnedFd,
    listeners: [std::net::TcpListener; PORTS.len()],
    names: std::net::UdpSocket,
}

impl Networks {
    pub(crate) fn new(socket: OwnedFd) -> Self {
        Self {
            socket: Mutex::new(socket),
            spare: Mutex::default(),
            dialer: Arc::new(Dialer::through(Upstream::of_user())),
        }
    }

    /// Makes a network ahead of the command that will need it.
    pub fn prepare(&self) -> Result<(), Failure> {
        let made = self.make()?;
        self.keep(made);
        Ok(())
    }

    /// A network in which nobody answers.
    pub(crate) fn unserved(&self) -> Result<OwnedFd, Failure> {
        Ok(self.make()?.namespace)
    }

    fn make(&self) -> Result<Sockets, Failure> {
        let socket = self.socket.hold();
        let step = || "make a network".to_owned();
        message::send(&*socket, &MakeNetwork, &[]).step(step)?;
        let Some((answer, made)) = message::receive(&*socket).step(step)? else {
            return Err(Failure::new(step(), "the helper has ended"));
        };
        match answer {
            FromNetworks::Made => Sockets::new(made).step(step),
            FromNetworks::Failed(failure) => Err(failure),
        }
    }

    fn keep(&self, sockets: Sockets) {
        let mut spare = self.spare.hold();
        if spare.len() < SPARE_MAX {
            spare.push(sockets);
        }
    }

    /// A network for one command, served until it is dropped. In a tokio runtime.
    pub fn take(self: &Arc<Self>, judge: Arc<dyn Judge>) -> Result<Network, Failure> {
        let spare = self.spare.hold().pop();
        let sockets = match spare {
            Some(sockets) => sockets,
            None => self.make()?,
        };
        let judges = Arc::new(Judges::default());
        let part = judges.add(judge);
        let served = serve(&sockets, judges.clone(), self.dialer.clone())
            .step(|| "serve a network".into())?;
        Ok(Network::new(sockets, served, (judges, part), self.clone()))
    }
}

impl Sockets {
    fn new(made: Vec<OwnedFd>) -> io::Result<Self> {
        let made: [OwnedFd; PORTS.len() + 2] = made
            .try_into()
            .map_err(|_| io::Error::other("sockets are missing"))?;
        let [namespace, proxy, tls, plain, names] = made;
        let sockets = Self {
            namespace,
            listeners: [proxy.into(), tls.into(), plain.into()],
            names: names.into(),
        };
        for listener in &sockets.listeners {
            listener.set_nonblocking(true)?;
        }
        sockets.names.set_nonblocking(true)?;
        Ok(sockets)
    }
}

fn serve(sockets: &Sockets, judges: Arc<Judges>, dialer: Arc<Dialer>) -> io::Result<AbortHandle> {
    let names = Arc::new(Names::default());
    let [proxy, tls, plain] = &sockets.listeners;
    let listener = |socket: &std::net::TcpListener| TcpListener::from_std(socket.try_clone()?);
    let (proxy, tls, plain) = (listener(proxy)?, listener(tls)?, listener(plain)?);
    let questions = UdpSocket::from_std(sockets.names.try_clone()?)?;
    let serving = async move {
        let mut connections = JoinSet::new();
        let mut datagram = [0; 1_500];
        loop {
            let is_full = connections.len() >= CONNECTIONS_MAX;
            let (names, dialer) = (names.clone(), dialer.clone());
            tokio::select! {
                Some(_) = connections.join_next() => {}
                Ok((stream, _)) = proxy.accept(), if !is_full => {
                    if let Some(judge) = judges.newest() {
                        connections.spawn(async move { proxy::serve(stream, &names, (&*judge, &dialer)).await });
                    }
                }
                Ok((stream, _)) = tls.accept(), if !is_full => {
                    if let Some(judge) = judges.newest() {
                        connections.spawn(async move { captured(stream, &names, (&*judge, &dialer)).await });
                    }
                }
                Ok((stream, _)) = plain.accept(), if !is_full => {
                    if let Some(judge) = judges.newest() {
                        connections.spawn(async move { captured(stream, &names, (&*judge, &dialer)).await });
                    }
                }
                Ok((length, asker)) = questions.recv_from(&mut datagram) => {
                    let asked = &datagram[..length];
                    if let (Some(host), Some(judge)) = (names::asked_for(asked), judges.newest()) {
                        judge.looked_up(&host);
                    }
                    if let Some(answer) = names.answer(asked) {
                        // A program that does not hear it asks again.
                        let _ = questions.send_to(&answer, asker).await;
                    }
                }
            }
        }
    };
    Ok(tokio::spawn(serving).abort_handle())
}

/// A connection to an address that stands for a name.
async fn captured(mut stream: TcpStream, names: &Names, (judge, dialer): (&dyn Judge, &Dialer)) {
    let Ok(std::net::SocketAddr::V4(address)) = stream.local_addr() else {
        return;
    };
    // Else it is the command's own loopback, where nothing listens.
    let Some(host) = names.behind(*address.ip()) else {
        return;
    };
    let port = address.port();
    let to = Destination { host, port };
    match judge.judge(&to).await {
        Ok(reach) => dialer.connect(stream, &[], (&to, reach), judge).await,
        Err(_) if port == 443 => refusal::refuse_tls(&mut stream).await,
        Err(why) => refusal::refuse(&mut stream, &why).await,
    }
}
