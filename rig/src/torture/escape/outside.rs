//! What is outside of the sandbox and should not be reached: servers, pipes, shared memory, a terminal, another process.

use std::{
    fs::{self, File},
    io::{self, Read as _, Write as _},
    net::{TcpListener, UdpSocket},
    os::{
        fd::OwnedFd,
        linux::net::SocketAddrExt as _,
        unix::{
            ffi::OsStrExt as _,
            fs::PermissionsExt as _,
            net::{SocketAddr, UnixListener},
        },
    },
    path::{Path, PathBuf},
    process::{Child, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use rustix::{
    fs::{CWD, FileType, Mode, OFlags, mknodat},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
};

use super::{User, scene::Scene};

/// How often the servers look whether somebody came.
const PAUSE: Duration = Duration::from_millis(3);

/// All that is outside, as long as one attempt.
pub(super) struct Outside {
    pub(super) port: u16,
    pub(super) terminal: PathBuf,
    /// The terminal's end that programs have.
    pub(super) slave: File,
    pub(super) bystander: Child,
    is_over: Arc<AtomicBool>,
    served: Option<JoinHandle<Heard>>,
    tmp: PathBuf,
    probe: PathBuf,
    user: User,
}

/// What came from inside.
#[derive(Default)]
pub(super) struct Heard {
    pub(super) told: String,
    pub(super) typed: String,
}

struct Servers {
    tcp: TcpListener,
    udp: UdpSocket,
    unix: Vec<UnixListener>,
    pipes: Vec<File>,
    master: File,
    canary: String,
}

impl Outside {
    pub(super) fn begin(
        scene: &Scene,
        (canary, tmp, probe): (&str, &Path, &Path),
    ) -> io::Result<Self> {
        let user = scene.user;
        let live = scene.live();
        for dir in [&live, tmp] {
            if dir.exists() {
                fs::remove_dir_all(dir)?;
            }
            fs::create_dir(dir)?;
            fs::set_permissions(dir, fs::Permissions::from_mode(0o755))?;
            user.owns(dir)?;
        }
        let (tcp, udp, port) = one_port()?;
        let mut unix = vec![UnixListener::bind_addr(&SocketAddr::from_abstract_name(
            live.join("abstract").as_os_str().as_bytes(),
        )?)?];
        let home = scene.home();
        for path in [
            tmp.join("socket"),
            live.join("socket"),
            home.join("agent.sock"),
            home.join(".ssh/agent"),
        ] {
            unix.push(UnixListener::bind(&path)?);
            user.owns(&path)?;
        }
        let mut pipes = Vec::new();
        for path in [live.join("pipe"), tmp.join("pipe")] {
            mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)?;
            user.owns(&path)?;
            let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC;
            pipes.push(rustix::fs::open(&path, flags, Mode::empty())?.into());
        }
        scene.write(&tmp.join("note"), canary)?;
        scene.write(&shared(port), canary)?;
        let (master, terminal, slave) = terminal(user)?;
        let servers = Servers {
            tcp,
            udp,
            unix,
            pipes,
            master: master.into(),
            canary: canary.to_owned(),
        };
        servers.do_not_wait()?;
        let key = key(port).to_string();
        let probe_word = probe.display().to_string();
        user.command(&[&probe_word, "ipc-make", &key, canary])
            .status()?;
        let bystander = user
            .command(&[&probe_word, "wait", &format!("bystander-of-{port}"), canary])
            .env("NOTE", canary)
            .stdin(Stdio::null())
            .spawn()?;
        let name = format!("/proc/{}/comm", bystander.id());
        while fs::read_to_string(&name)? != "probe\n" {
            thread::sleep(PAUSE);
        }
        let is_over = Arc::new(AtomicBool::new(false));
        let served = thread::spawn({
            let is_over = is_over.clone();
            move || servers.serve(&is_over)
        });
        Ok(Self {
            port,
            terminal,
            slave,
            bystander,
            is_over,
            served: Some(served),
            tmp: tmp.to_owned(),
            probe: probe.to_owned(),
            user,
        })
    }

    /// The variables by which attempts find all this.
    pub(super) fn variables(&self) -> String {
        let (port, terminal) = (self.port, self.terminal.display());
        format!(
            "export PORT={port} TERMINAL={terminal} BYSTANDER={} SHM={} SHM_NAME=escape-{port} MARK=mark-of-{port} WORD={} TMP_LIVE={} PROBE={}\n",
            self.bystander.id(),
            key(port),
            self.word(),
            self.tmp.display(),
            self.probe.display(),
        )
    }

    /// What only this attempt says.
    pub(super) fn word(&self) -> String {
        format!("escaped-{}-{}", self.port, self.bystander.id())
    }

    /// Ends all, and says what came.
    pub(super) fn end(&mut self) -> Heard {
        self.is_over.store(true, Ordering::Relaxed);
        let served = self.served.take().and_then(|served| served.join().ok());
        let mut heard = served.unwrap_or_default();
        heard.told += &fs::read_to_string(self.tmp.join("told")).unwrap_or_default();
        heard
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        self.end();
        let _ = self.bystander.kill();
        let _ = self.bystander.wait();
        let probe = self.probe.display().to_string();
        let _ = self
            .user
            .command(&[&probe, "ipc-remove", &key(self.port).to_string()])
            .status();
        let _ = fs::remove_file(shared(self.port));
        let _ = fs::remove_dir_all(&self.tmp);
    }
}

/// A port for both kinds, which may be taken for the second.
fn one_port() -> io::Result<(TcpListener, UdpSocket, u16)> {
    loop {
        let tcp = TcpListener::bind("0.0.0.0:0")?;
        let port = tcp.local_addr()?.port();
        match UdpSocket::bind(("127.0.0.1", port)) {
            Ok(udp) => return Ok((tcp, udp, port)),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            Err(error) => return Err(error),
        }
    }
}

/// The key of what System V shares.
fn key(port: u16) -> u32 {
    0x7e00_0000 + u32::from(port)
}

fn shared(port: u16) -> PathBuf {
    format!("/dev/shm/escape-{port}").into()
}

fn terminal(user: User) -> io::Result<(OwnedFd, PathBuf, File)> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let name = ptsname(&master, Vec::new())?;
    let path = PathBuf::from(std::ffi::OsStr::from_bytes(name.as_bytes()));
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let slave = rustix::fs::open(&path, flags, Mode::empty())?;
    user.owns(&path)?;
    Ok((master, path, slave.into()))
}

impl Servers {
    fn do_not_wait(&self) -> io::Result<()> {
        self.tcp.set_nonblocking(true)?;
        self.udp.set_nonblocking(true)?;
        rustix::io::ioctl_fionbio(&self.master, true)?;
        for listener in &self.unix {
            listener.set_nonblocking(true)?;
        }
        Ok(())
    }

    /// Gives everybody the canary, and hears what they say.
    fn serve(mut self, is_over: &AtomicBool) -> Heard {
        let mut heard = Heard::default();
        let mut bytes = [0; 4096];
        loop {
            let is_last = is_over.load(Ordering::Relaxed);
            // A client that has gone is no error.
            if let Ok((mut stream, _)) = self.tcp.accept() {
                let _ = write!(stream, "HTTP/1.0 200 OK\r\n\r\n{}", self.canary);
            }
            for listener in &self.unix {
                if let Ok((mut stream, _)) = listener.accept() {
                    let _ = stream.write_all(self.canary.as_bytes());
                }
            }
            while let Ok(n) = self.udp.recv(&mut bytes) {
                heard.told += &String::from_utf8_lossy(&bytes[..n]);
            }
            for pipe in &mut self.pipes {
                while let Ok(n @ 1..) = pipe.read(&mut bytes) {
                    heard.told += &String::from_utf8_lossy(&bytes[..n]);
                }
            }
            while let Ok(n @ 1..) = self.master.read(&mut bytes) {
                heard.typed += &String::from_utf8_lossy(&bytes[..n]);
            }
            if is_last {
                return heard;
            }
            thread::sleep(PAUSE);
        }
    }
}
