//! Power cuts on a real file system: ext4 in a loop-mounted file is shut down under the workers, without its journal being
//! written, then mounted again. Needs root, `mkfs.ext4`, `mount` and `python3` (for one ioctl).

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use teammate_store::{disk::RealDisk, files::TeamDir};
use tempfile::TempDir;

use super::{
    Plan,
    crew::Crew,
    processes::run_to_end,
    verdict::Verdict,
    worker::{Design, take_stock},
};

/// How large the file system of a team is.
const IMAGE_BYTES: u64 = 64 << 20;

/// How long others may keep a file system that was unmounted here.
const FREE_WITHIN: Duration = Duration::from_secs(60);

/// A team lives through this many cuts.
const ROUND_CUTS: u64 = 5;

/// On a word, `EXT4_IOC_SHUTDOWN` with "do not even write the journal".
const SHUTDOWN: &str = "import fcntl, os, struct, sys; \
    volume = os.open(sys.argv[1], os.O_RDONLY); \
    sys.stdin.readline(); \
    fcntl.ioctl(volume, 0x8004587d, struct.pack('I', 2))";

/// Cuts as planned, round by round.
pub(crate) fn torture(design: Design, plan: &Plan) -> io::Result<Verdict> {
    plan.rounds(ROUND_CUTS, |cuts, chance, verdict| {
        let mode = ["data=ordered", "data=writeback"][usize::from(chance.below(2) == 1)];
        let volume = Volume::make(mode, IMAGE_BYTES)?;
        let root = volume.path().join(".team");
        TeamDir::create(&RealDisk, &root)?;
        let mut acknowledged = BTreeMap::new();
        for _ in 0..cuts {
            let switch = volume.switch()?;
            let crew = Crew::start(design, &root, &acknowledged)?;
            thread::sleep(Duration::from_micros(20_000 + chance.below(150_000)));
            // What is acknowledged from here on may be an answer of a file system that is gone already.
            acknowledged = crew.acknowledged();
            switch.cut()?;
            drop(crew);
            volume.mount_again()?;
        }
        let heard = take_stock(design, &root).map_err(io::Error::other)?;
        verdict.add(&acknowledged, &heard);
        Ok(())
    })
}

/// A file system of its own.
pub(super) struct Volume {
    image: PathBuf,
    mount: TempDir,
    mode: &'static str,
    _dir: TempDir,
}

impl Volume {
    /// Makes and mounts one of this size; `mode` says what of files is journaled.
    pub(super) fn make(mode: &'static str, bytes: u64) -> io::Result<Self> {
        let dir = tempfile::tempdir()?;
        let image = dir.path().join("ext4");
        fs::File::create(&image)?.set_len(bytes)?;
        run_to_end(Command::new("mkfs.ext4").arg("-q").arg(&image))?;
        let volume = Self {
            image,
            mount: tempfile::tempdir()?,
            mode,
            _dir: dir,
        };
        volume.mount()?;
        Ok(volume)
    }

    fn mount(&self) -> io::Result<()> {
        run_to_end(
            Command::new("mount")
                .args(["-o", &format!("loop,{}", self.mode)])
                .args([self.image.as_path(), self.mount.path()]),
        )
    }

    /// Where it is mounted.
    pub(super) fn path(&self) -> &Path {
        self.mount.path()
    }

    /// Makes all durable that is in it.
    pub(super) fn sync(&self) -> io::Result<()> {
        run_to_end(Command::new("sync").arg("-f").arg(self.path()))
    }

    /// The switch, ready: starting it takes longer than many a message.
    pub(super) fn switch(&self) -> io::Result<Switch> {
        let mut child = Command::new("python3")
            .args(["-c", SHUTDOWN])
            .arg(self.mount.path())
            .stdin(Stdio::piped())
            .spawn()?;
        let word = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Switch { child, word })
    }

    /// A sandbox of somebody else may still have the mount, and would lend the next one the file system that was shut down.
    fn wait_until_free(&self) -> io::Result<()> {
        let begun = Instant::now();
        while begun.elapsed() < FREE_WITHIN {
            let held = Command::new("losetup")
                .arg("-j")
                .arg(&self.image)
                .output()?;
            if held.stdout.is_empty() {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(20));
        }
        Err(io::Error::other("somebody else keeps the file system"))
    }

    /// Mounts it anew, as after a boot. Nobody may have a file of it open.
    pub(super) fn mount_again(&self) -> io::Result<()> {
        unmount(self.mount.path())?;
        self.wait_until_free()?;
        self.mount()
    }
}

/// What cuts the power.
pub(super) struct Switch {
    child: Child,
    word: ChildStdin,
}

impl Switch {
    pub(super) fn cut(mut self) -> io::Result<()> {
        self.word.write_all(b"now\n")?;
        drop(self.word);
        if self.child.wait()?.success() {
            return Ok(());
        }
        Err(io::Error::other("the power could not be cut"))
    }
}

impl Drop for Volume {
    fn drop(&mut self) {
        let _ = unmount(self.mount.path());
    }
}

fn unmount(path: &Path) -> io::Result<()> {
    run_to_end(Command::new("umount").arg(path))
}
