//! What of the environment child processes get: an allow-list, and nothing that looks like a secret.

/// Names that are passed on.
const NAMES: [&str; 39] = [
    // By these an outer team finds what is its own.
    "TEAMMATE_RUN",
    "TEAMMATE_TEAM",
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TERM",
    "COLORTERM",
    "TZ",
    "TMPDIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "GOPATH",
    "GOROOT",
    "GOBIN",
    "GOCACHE",
    "GOPROXY",
    "JAVA_HOME",
    "ANDROID_HOME",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "PNPM_HOME",
    "BUN_INSTALL",
    "DENO_DIR",
    "UV_CACHE_DIR",
];

/// Beginnings of names that are passed on.
const PREFIXES: [&str; 5] = ["LC_", "XDG_", "PYENV", "NVM_", "RBENV_"];

/// Words in a name that speak of a secret.
const SECRET: [&str; 13] = [
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "PASS",
    "KEY",
    "KEYS",
    "APIKEY",
    "CREDENTIAL",
    "CREDENTIALS",
    "AUTH",
    "COOKIE",
];

/// What child processes get of `vars`: the names on the list, and the `extra` ones that the user wrote down.
///
/// A name that looks like a secret's is passed on only if it is one of the user's own.
pub fn allowed_environment(
    vars: impl Iterator<Item = (String, String)>,
    extra: &[String],
) -> Vec<(String, String)> {
    vars.filter(|(name, _)| extra.contains(name) || (is_listed(name) && !is_secret(name)))
        .collect()
}

fn is_listed(name: &str) -> bool {
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

fn is_secret(name: &str) -> bool {
    name.to_ascii_uppercase()
        .split('_')
        .any(|word| SECRET.contains(&word) || word.ends_with("TOKEN") || word.ends_with("KEY"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(given: &[&str], extra: &[&str]) -> Vec<String> {
        let vars = given
            .iter()
            .map(|name| ((*name).to_owned(), "x".to_owned()));
        let extra: Vec<String> = extra.iter().map(|name| (*name).to_owned()).collect();
        let kept = allowed_environment(vars, &extra).into_iter();
        kept.map(|(name, _)| name).collect()
    }

    #[test]
    fn only_the_listed_pass() {
        assert_eq!(
            names(
                &[
                    "PATH",
                    "ANTHROPIC_API_KEY",
                    "LC_ALL",
                    "BASH_ENV",
                    "LD_PRELOAD",
                    "https_proxy"
                ],
                &[]
            ),
            ["PATH", "LC_ALL", "https_proxy"]
        );
    }

    #[test]
    fn a_listed_beginning_makes_no_secret_pass() {
        let secrets = [
            "NVM_AUTH",
            "XDG_TOKEN",
            "LC_API_KEY",
            "PYENV_GITHUBTOKEN",
            "NVM_apikey",
        ];
        assert!(names(&secrets, &[]).is_empty());
    }

    #[test]
    fn the_user_may_add_names() {
        assert_eq!(
            names(&["GH_TOKEN", "CI", "X"], &["GH_TOKEN", "CI"]),
            ["GH_TOKEN", "CI"]
        );
    }
}
