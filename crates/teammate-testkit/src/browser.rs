//! A real Chromium, without a window and with an empty profile, driven by its own driver over WebDriver: JSON over HTTP, one
//! connection for each command. What a reader does with a page is the caller's.

use std::{
    env, fs,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Longer than this no command may take: a hang fails instead of blocking.
const HANG: Duration = Duration::from_secs(600);

/// So often the driver is started: on a busy machine it has been seen to end before it listened.
const STARTS: usize = 3;

/// One browser with its driver. Both end when it is dropped.
pub struct DrivenBrowser {
    driver: Child,
    port: u16,
    session: String,
    profile: TempDir,
}

/// The driver, and where it listens.
struct Driver {
    process: Child,
    port: u16,
}

impl Driver {
    fn start() -> io::Result<Self> {
        let named = env::var("TEAMMATE_CHROMEDRIVER");
        let program = named.unwrap_or_else(|_| "chromedriver".to_owned());
        let mut process = Command::new(&program)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| io::Error::new(error.kind(), format!("{program}: {error}")))?;
        let output = process.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let mut lines = BufReader::new(output).lines();
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        let Some(port) = port else {
            process.wait()?;
            return Err(io::Error::other("the driver does not say its port"));
        };
        // It blocks when nobody reads what it says.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Self { process, port })
    }
}

impl DrivenBrowser {
    /// Starts `chromedriver`, or what `TEAMMATE_CHROMEDRIVER` names, and by it Chromium.
    ///
    /// # Errors
    ///
    /// One of them is not there, or does not start.
    pub fn start() -> io::Result<Self> {
        let mut driver = Driver::start();
        for _ in 1..STARTS {
            if driver.is_ok() {
                break;
            }
            driver = Driver::start();
        }
        let Driver { process, port } = driver?;
        let mut browser = Self {
            driver: process,
            port,
            session: String::new(),
            profile: tempfile::tempdir()?,
        };
        let session = ask(browser.port, "POST", "/session", &browser.wanted())?;
        let session = session["sessionId"].as_str().unwrap_or_default();
        browser.session = session.to_owned();
        Ok(browser)
    }

    /// What the browser answers to a command that changes something, as `url` or `execute/sync`.
    ///
    /// # Errors
    ///
    /// It refuses, or has ended.
    pub fn post(&self, command: &str, body: &Value) -> io::Result<Value> {
        let path = format!("/session/{}/{command}", self.session);
        ask(self.port, "POST", &path, body)
    }

    /// What the browser answers to a command that looks, as `screenshot`.
    ///
    /// # Errors
    ///
    /// It refuses, or has ended.
    pub fn get(&self, command: &str) -> io::Result<Value> {
        let path = format!("/session/{}/{command}", self.session);
        ask(self.port, "GET", &path, &Value::Null)
    }

    fn wanted(&self) -> Value {
        let profile = format!("--user-data-dir={}", self.profile.path().display());
        let mut options = json!({
            // Its own walls need rights that a container does not give; the pages are ours.
            "args": [
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", profile,
            ],
        });
        if let Ok(binary) = env::var("TEAMMATE_CHROMIUM") {
            options["binary"] = binary.into();
        } else if fs::exists("/usr/bin/chromium").unwrap_or(false) {
            options["binary"] = "/usr/bin/chromium".into();
        }
        let wanted = json!({
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": { "performance": "ALL", "browser": "ALL" },
        });
        json!({ "capabilities": { "alwaysMatch": wanted } })
    }
}

impl Drop for DrivenBrowser {
    fn drop(&mut self) {
        if !std::thread::panicking() && !self.session.is_empty() {
            let path = format!("/session/{}", self.session);
            // It may have ended.
            let _ = ask(self.port, "DELETE", &path, &Value::Null);
        }
        // On SIGTERM it ends its browser, too.
        let pid = i32::try_from(self.driver.id()).ok();
        if let Some(pid) = pid.and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
        let _ = self.driver.wait();
    }
}

/// What the driver answers to a command: its `value`.
fn ask(port: u16, method: &str, path: &str, body: &Value) -> io::Result<Value> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(HANG))?;
    let body = if method == "POST" {
        body.to_string()
    } else {
        String::new()
    };
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    let (head, body) = answer(BufReader::new(stream))?;
    let mut answer: Value = serde_json::from_slice(&body)?;
    if !head.starts_with("HTTP/1.1 200") {
        return Err(io::Error::other(format!("{path}: {answer:#}")));
    }
    Ok(answer["value"].take())
}

/// The head and the body. The driver leaves its connections open.
fn answer(mut stream: BufReader<TcpStream>) -> io::Result<(String, Vec<u8>)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head)? == 0 {
            return Err(io::Error::other(format!("the driver has ended: {head}")));
        }
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse().ok())?
    });
    let length = length.ok_or_else(|| io::Error::other("an answer without its length"))?;
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok((head, body))
}
