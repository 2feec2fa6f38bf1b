//! The environment of child processes: an allow-list, and nothing that looks like a secret. What they get besides, since they
//! have no terminal, is in `no_terminal`.

mod no_terminal;

pub use no_terminal::{Environment, forced_no_terminal, with_no_terminal};

/// Names that are passed on.
const NAMES: [&str; 37] = [
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

/// The part of `vars` that child processes get: the names on the list, and the `extra` ones that the user wrote down.
///
/// A name that looks like a secret's, and a URL with a password in it, is passed on only if it is one of the user's own.
pub fn allowed_environment(
    vars: impl Iterator<Item = (String, String)>,
    extra: &[String],
) -> Vec<(String, String)> {
    vars.filter(|(name, value)| {
        extra.contains(name)
            || (is_allowed(name) && !is_secret(name) && url_password(value).is_none())
    })
    .collect()
}

fn is_allowed(name: &str) -> bool {
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// The password in a URL, if the value is one that has it.
pub fn url_password(value: &str) -> Option<&str> {
    let (_, rest) = value.split_once("://")?;
    let (user, _) = rest.split(['/', '?', '#']).next()?.rsplit_once('@')?;
    let (_, password) = user.split_once(':')?;
    (!password.is_empty()).then_some(password)
}

/// Whether a variable of this name is likely to hold a secret.
pub fn is_secret(name: &str) -> bool {
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
    fn a_proxys_password_is_not_passed_on() {
        let vars = |value: &str| [("https_proxy".to_owned(), value.to_owned())].into_iter();
        assert!(allowed_environment(vars("http://me:pass@host:1"), &[]).is_empty());
        assert_eq!(
            allowed_environment(vars("http://host:1/a@b:c"), &[]).len(),
            1
        );
        let extra = ["https_proxy".to_owned()];
        assert_eq!(
            allowed_environment(vars("http://me:pass@host:1"), &extra).len(),
            1
        );
        assert_eq!(url_password("http://me:p:a@ss@host"), Some("p:a@ss"));
        assert_eq!(url_password("http://me@host"), None);
    }

    #[test]
    fn the_user_may_add_names() {
        assert_eq!(
            names(&["GH_TOKEN", "CI", "X"], &["GH_TOKEN", "CI"]),
            ["GH_TOKEN", "CI"]
        );
    }
}
