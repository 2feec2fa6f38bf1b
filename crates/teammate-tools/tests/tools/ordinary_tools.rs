//! What ordinary work needs runs in the sandbox, tool by tool and without a network; a tool that is not there is skipped, and
//! that is printed.

#![expect(clippy::print_stdout, reason = "a test says what it skips")]

use std::process::{Command, Stdio};

use serde_json::json;

use crate::support::Bench;

/// Whether these words run outside of the sandbox.
fn is_there(words: &[&str]) -> bool {
    let (program, arguments) = words.split_first().unwrap();
    let tried = Command::new(program)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let is_there = tried.is_ok_and(|status| status.success());
    if !is_there {
        println!("skipped: {} is not there", words.join(" "));
    }
    is_there
}

async fn works(script: &str, says: &str) {
    let bench = Bench::new();
    let said = bench.ok("bash", json!({ "command": script })).await;
    assert!(said.contains(says), "{said}");
}

#[tokio::test]
async fn cargo_builds() {
    if !is_there(&["cargo", "--version"]) {
        return;
    }
    // The home directory is another one here; the toolchain is where it always is.
    let home = std::env::var("HOME").unwrap_or_default();
    let rustup = std::env::var("RUSTUP_HOME").unwrap_or(format!("{home}/.rustup"));
    let script = format!(
        "export RUSTUP_HOME={rustup}; cargo new -q --vcs none hello && cd hello && cargo build -q --offline && ./target/debug/hello"
    );
    works(&script, "Hello, world!").await;
}

#[tokio::test]
async fn npm_installs() {
    if !is_there(&["npm", "--version"]) {
        return;
    }
    let script = r#"
mkdir dep && echo '{"name": "dep", "version": "1.0.0", "scripts": {"postinstall": "echo ran > ran"}}' > dep/package.json
echo 'module.exports = "from dep";' > dep/index.js
echo '{"name": "app", "version": "1.0.0"}' > package.json
npm install --offline --no-audit --no-fund --install-links ./dep
node -e 'console.log(require("dep"))' && ls package-lock.json"#;
    works(script, "from dep\npackage-lock.json").await;
}

// slow: installs a package
#[tokio::test]
async fn pip_installs_into_an_environment() {
    if !is_there(&["python3", "-m", "venv", "--help"]) {
        return;
    }
    let script = r#"
python3 - <<'END'
import zipfile
with zipfile.ZipFile("dep-1.0-py3-none-any.whl", "w") as wheel:
    info = "dep-1.0.dist-info/"
    wheel.writestr("dep.py", "said = 'from dep'\n")
    wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\nName: dep\nVersion: 1.0\n")
    wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    wheel.writestr(info + "RECORD", "dep.py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n")
END
python3 -m venv own && own/bin/pip install -q --no-index --disable-pip-version-check ./dep-1.0-py3-none-any.whl
own/bin/python -c 'import dep; print(dep.said)'"#;
    works(script, "from dep").await;
}

#[tokio::test]
async fn pytest_tests() {
    if !is_there(&["python3", "-m", "pytest", "--version"]) {
        return;
    }
    let script = "echo 'def test_it(tmp_path): (tmp_path / \"x\").write_text(\"x\")' > test_it.py && python3 -m pytest -q test_it.py";
    works(script, "1 passed").await;
}

#[tokio::test]
async fn go_builds() {
    if !is_there(&["go", "version"]) {
        return;
    }
    let script = r#"
printf 'module hello\n\ngo 1.18\n' > go.mod
printf 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("from go") }\n' > main.go
GOFLAGS=-mod=mod GOPROXY=off go build -o hello && ./hello"#;
    works(script, "from go").await;
}

#[tokio::test]
async fn git_commits_and_pushes_to_a_remote_beside() {
    let script = "git init -q --bare -b main origin.git && git clone -q origin.git work 2>/dev/null && cd work && \
        git switch -q -c main && echo a > a && git add a && git -c user.name=A -c user.email=a@b commit -qm first && \
        git push -q origin main && git -C ../origin.git --bare log --format=%s main";
    works(script, "first").await;
}

#[tokio::test]
async fn a_server_answers_its_client() {
    if !is_there(&["python3", "--version"]) || !is_there(&["curl", "--version"]) {
        return;
    }
    let script = "echo from server > index.html; python3 -m http.server -b 127.0.0.1 8000 >/dev/null 2>&1 & \
        curl -s --retry 50 --retry-connrefused --retry-delay 0 --retry-max-time 20 http://127.0.0.1:8000/; kill %1";
    works(script, "from server").await;
}
