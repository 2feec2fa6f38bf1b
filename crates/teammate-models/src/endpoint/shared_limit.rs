//! The name of the requests that share a rate limit: the same on every machine that has the address and the key.
//!
//! Workers of several machines tell each other of servers by it, so the key only keys a hash. A server on a machine's own address is
//! another one on each machine.

use std::{
    fs,
    hash::{BuildHasher as _, RandomState},
    net::IpAddr,
    sync::OnceLock,
};

use reqwest::Url;
use ring::hmac::{HMAC_SHA256, Key, sign};

use super::RedactedUrl;

/// A text that is equal for requests to this URL with this secret, and does not reveal the secret.
pub(super) fn rate_limit_key(url: &Url, secret: &[u8]) -> String {
    let machine = match is_own_machine(url) {
        true => this_machine(),
        false => "",
    };
    let shown = RedactedUrl(url);
    let hash = sign(
        &Key::new(HMAC_SHA256, secret),
        format!("{shown}\n{machine}").as_bytes(),
    );
    let hex: String = hash.as_ref()[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("{shown}#{hex}")
}

fn is_own_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    match host.trim_matches(['[', ']']).parse::<IpAddr>() {
        Ok(address) => address.is_loopback() || address.is_unspecified(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}

/// Names the machine until it is started again; where it has no name, the process.
fn this_machine() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let life = fs::read_to_string("/proc/sys/kernel/random/boot_id");
        life.unwrap_or_else(|_| RandomState::new().hash_one(()).to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_of(url: &str, secret: &str) -> String {
        rate_limit_key(&url.parse().unwrap(), secret.as_bytes())
    }

    #[test]
    fn it_is_the_same_on_every_machine_and_holds_no_secret() {
        let key = key_of("https://user:pass@models.example/v1?token=t", "sk-secret");
        assert_eq!(
            key,
            "https://models.example/v1#8005ff08cd88fb3f4f4e717e4ebd2b49"
        );
        assert_ne!(key, key_of("https://models.example/v1", "sk-other"));
    }

    #[test]
    fn a_server_on_the_machine_itself_is_not_that_of_another_machine() {
        for url in [
            "http://localhost:11434/v1",
            "http://127.0.0.1:8080/",
            "http://[::1]:8080/",
            "http://box.localhost/",
        ] {
            assert!(is_own_machine(&url.parse().unwrap()), "{url}");
            assert_eq!(key_of(url, ""), key_of(url, ""));
        }
        for url in ["http://10.0.0.7:11434/v1", "https://models.example/v1"] {
            assert!(!is_own_machine(&url.parse().unwrap()), "{url}");
        }
    }
}
