//! A `teammate worker` on a machine of its own. It can be killed, stopped for a while, cut off, and started again under its name.

use std::{fs, io, path::PathBuf, process::Child};

use rustix::process::{Pid, Signal, kill_process};

use super::{
    cables::{Machine, Side},
    names::{WORKERS, machine_of},
    site::Site,
};

/// One worker, and its lives so far. Its process does not outlive this value.
pub(super) struct Worker {
    machine: Machine,
    name: &'static str,
    lives: u32,
    process: Option<Child>,
}

impl Worker {
    /// Boots its machine.
    pub(super) fn boot(at: usize, site: &Site) -> io::Result<Self> {
        let name = WORKERS[at];
        fs::create_dir_all(site.dir_of(name))?;
        Ok(Self {
            machine: Machine::boot(machine_of(at))?,
            name,
            lives: 0,
            process: None,
        })
    }

    /// Starts it for these teams, unless it runs.
    pub(super) fn start(&mut self, site: &Site, teams: &[String]) -> io::Result<()> {
        if self.process.is_some() {
            return Ok(());
        }
        self.lives += 1;
        let log = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.log(site))?;
        let mut command = self.machine.command(&site.program);
        site.environment(&mut command, self.name);
        command
            .arg("--dir")
            .arg(site.dir_of(self.name))
            .arg("--model")
            .arg(format!("scripted:{}", site.play().display()))
            .args(["--permission-mode", "bypass", "--max-rounds", "100000"])
            .args(["--max-repeats", "0", "--max-hops", "0", "--max-spawns", "0"])
            .args(["worker", "--name", self.name, "--join"])
            .arg(site.urls.join(","))
            .args(teams.iter().flat_map(|team| ["--for", team]))
            // By this the commands that it runs say whose they are.
            .env("USER", format!("{}.{}", self.name, self.lives))
            .stdout(log.try_clone()?)
            .stderr(log);
        self.process = Some(command.spawn()?);
        Ok(())
    }

    /// Kills it. That it has ended by itself is a fault.
    pub(super) fn kill(&mut self, site: &Site) -> io::Result<()> {
        let Some(mut process) = self.process.take() else {
            return Ok(());
        };
        if let Some(status) = process.try_wait()? {
            let said = fs::read_to_string(self.log(site)).unwrap_or_default();
            let why = format!("{} ended by itself ({status}): {said}", self.name);
            return Err(io::Error::other(why));
        }
        process.kill()?;
        process.wait()?;
        Ok(())
    }

    pub(super) fn pause(&self) -> io::Result<()> {
        self.signal(Signal::STOP)
    }

    pub(super) fn wake(&self) -> io::Result<()> {
        self.signal(Signal::CONT)
    }

    pub(super) fn plug_into(&self, side: Side) -> io::Result<()> {
        self.machine.plug_into(side)
    }

    fn signal(&self, signal: Signal) -> io::Result<()> {
        match &self.process {
            Some(process) => Ok(kill_process(Pid::from_child(process), signal)?),
            None => Ok(()),
        }
    }

    fn log(&self, site: &Site) -> PathBuf {
        site.dir.join(format!("{}.log", self.name))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
