//! Machines of a rig as network namespaces: each has one cable, to one of two switches. Who is plugged into the other one is cut off,
//! alone or together with others of its side.
//!
//! All of it is inside the rig's own namespaces, so nothing of it is left when the rig ends, however that is.

use std::{
    ffi::OsStr,
    io::{self, BufRead as _, BufReader},
    process::{Child, Command, Stdio},
};

use crate::torture::processes::run_to_end;

/// What a machine's first process does: it says that it is there, and ends with the rig.
const INIT: &str = "ip link set lo up && echo up && exec cat";

/// The rig's own address, at the first switch.
const OWN_ADDRESS: &str = "10.77.0.254/24";

/// To which switch a cable goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Where the rig's own desk is.
    Home,
    Away,
}

impl Side {
    fn switch(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Away => "away",
        }
    }
}

/// Sets both switches up. Once, before any machine.
pub(super) fn set_switches_up() -> io::Result<()> {
    ip(&["link", "set", "lo", "up"])?;
    for switch in [Side::Home, Side::Away].map(Side::switch) {
        ip(&["link", "add", switch, "type", "bridge"])?;
        ip(&["link", "set", switch, "up"])?;
    }
    ip(&["addr", "add", OWN_ADDRESS, "dev", Side::Home.switch()])
}

/// A machine: a network of its own, until it is dropped.
pub(super) struct Machine {
    init: Child,
    number: u8,
}

impl Machine {
    /// The machine with this number, plugged in at home.
    pub(super) fn boot(number: u8) -> io::Result<Self> {
        let mut init = Command::new("unshare")
            .args(["--net", "sh", "-c", INIT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let out = init.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let machine = Self { init, number };
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line)?;
        if line.trim() != "up" {
            return Err(io::Error::other("a network namespace cannot be made"));
        }
        machine.lay_cable()?;
        Ok(machine)
    }

    fn lay_cable(&self) -> io::Result<()> {
        let (here, there) = (self.plug(), format!("cable{}", self.number));
        let init = self.init.id().to_string();
        ip(&["link", "add", &here, "type", "veth", "peer", "name", &there])?;
        ip(&["link", "set", &there, "netns", &init])?;
        let address = format!("{}/24", self.address());
        for words in [
            &["addr", "add", &address, "dev", &there][..],
            &["link", "set", &there, "up"],
        ] {
            run_to_end(self.command("ip").args(words))?;
        }
        self.plug_into(Side::Home)?;
        ip(&["link", "set", &here, "up"])
    }

    /// Plugs its cable into this side's switch.
    pub(super) fn plug_into(&self, side: Side) -> io::Result<()> {
        ip(&["link", "set", &self.plug(), "master", side.switch()])
    }

    /// Its address.
    pub(super) fn address(&self) -> String {
        address(self.number)
    }

    /// A program on it. The process is the program's own.
    pub(super) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new("nsenter");
        let net = format!("--net=/proc/{}/ns/net", self.init.id());
        command.arg(net).arg("--").arg(program);
        command
    }

    fn plug(&self) -> String {
        format!("plug{}", self.number)
    }
}

/// The address of the machine with this number.
pub(super) fn address(number: u8) -> String {
    format!("10.77.0.{number}")
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.init.kill();
        let _ = self.init.wait();
    }
}

fn ip(words: &[&str]) -> io::Result<()> {
    run_to_end(Command::new("ip").args(words))
}
