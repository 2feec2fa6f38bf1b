use teammate::{Key, ProxySetting};

use super::*;

fn read(text: &str) -> anyhow::Result<Providers> {
    with_servers(toml::from_str(text).unwrap())
}

fn endpoint(text: &str, name: &str) -> Endpoint {
    let (_, endpoint, _) = read(text).unwrap().server(name).unwrap();
    endpoint
}

#[test]
fn a_vendor_keeps_its_address_unless_another_is_given() {
    let own = endpoint("", "anthropic");
    let tuned = endpoint(
        "[anthropic]\nkey_command = \"pass x\"\nproxy = \"none\"",
        "anthropic",
    );
    assert_eq!(tuned.base_url, own.base_url);
    assert_eq!(tuned.auth, Auth::ApiKey);
    assert!(matches!(tuned.key, Some(Key::Renewable(_))));
    assert_eq!(tuned.key_from, "key_command");
    assert_eq!(tuned.transport.proxy, ProxySetting::Direct);
    let replaced = endpoint(
        "[anthropic]\nwire = \"openai\"\nbase_url = \"http://x/v1\"",
        "anthropic",
    );
    assert_eq!(replaced.base_url, "http://x/v1");
    assert_eq!(replaced.auth, Auth::Bearer);
    assert!(replaced.key.is_none());
}

#[test]
fn the_header_of_the_key_follows_the_wire_unless_it_is_named() {
    let with = |more: &str| {
        let text = format!("[x]\nwire = \"anthropic\"\nbase_url = \"http://x\"\n{more}");
        endpoint(&text, "x").auth
    };
    assert_eq!(with("key_command = \"k\""), Auth::ApiKey);
    assert_eq!(with("key_command = \"k\"\nauth = \"bearer\""), Auth::Bearer);
    assert_eq!(
        with("key_env = \"NO_SUCH_KEY\"\nauth = \"bearer\""),
        Auth::Bearer
    );
}

#[test]
fn settings_that_make_no_sense_together_are_refused_by_name() {
    for (settings, why) in [
        (
            "key_env = \"A\"\nkey_command = \"b\"",
            "key_env and key_command are both set; the key comes from one of them",
        ),
        ("key_command = \" \"", "key_command is empty"),
        (
            "key_expires_minutes = 5",
            "key_expires_minutes is for a key of key_command, and there is none",
        ),
        (
            "key_command = \"b\"\nkey_expires_minutes = 0",
            "key_expires_minutes: 0 is no time",
        ),
        (
            "key_command = \"b\"\nkey_expires_minutes = -1",
            "key_expires_minutes: -1 is no time",
        ),
        (
            "client_cert = \"/c.pem\"",
            "client_cert needs client_key, the file with its private key",
        ),
        (
            "client_key = \"/c.key\"",
            "client_key needs client_cert, the file with its certificate",
        ),
        (
            "ca_file = \"ca.pem\"",
            "ca_file: 'ca.pem' is neither absolute nor below ~/",
        ),
    ] {
        let text = format!("[work]\nwire = \"openai\"\nbase_url = \"http://x/v1\"\n{settings}");
        let refusal = read(&text).err().unwrap();
        assert_eq!(format!("{refusal:#}"), format!("[providers.work]: {why}"));
    }
    for (text, why) in [
        (
            "[work]\nwire = \"openai\"",
            "[providers.work]: needs wire and base_url",
        ),
        (
            "[openai]\nbase_url = \"http://x\"",
            "[providers.openai]: needs wire and base_url, or neither: then they are the vendor's",
        ),
    ] {
        assert_eq!(format!("{:#}", read(text).err().unwrap()), why);
    }
}
