//! Entries as people and other programs write them, and what becomes of them.

use super::*;

fn read(json: &str) -> Result<ServerSettings, SettingsError> {
    let table: ServerTable = serde_json::from_str(json).unwrap();
    let variables = Variables::new([("TOKEN".to_owned(), "t0".to_owned())]);
    table.settings("github", EntryOrigin::CommandLine, &variables)
}

#[test]
fn an_entry_of_another_program_is_understood() {
    let settings = read(
        r#"{"type": "stdio", "command": "npx", "args": ["-y", "${X:-server}"], "env": {"KEY": "${TOKEN}"}, "autoApprove": []}"#,
    )
    .unwrap();
    let expected = TransportSettings::Program {
        command: "npx".into(),
        arguments: vec!["-y".into(), "server".into()],
        environment: vec![("KEY".into(), "t0".into())],
        directory: None,
    };
    assert_eq!(settings.transport, expected);
    assert_eq!(settings.timeout.as_secs(), 60);
    let http = read(r#"{"type":"http","url":"https://x.org/mcp","headers":{"A":"${TOKEN}"}}"#);
    let expected = TransportSettings::Http {
        url: "https://x.org/mcp".into(),
        headers: vec![("A".into(), "t0".into())],
    };
    assert_eq!(http.unwrap().transport, expected);
}

#[test]
fn keys_of_other_programs_are_understood_or_refused_by_name() {
    for (json, seconds) in [
        (r#"{"command":"x","timeout":90}"#, 90),
        (r#"{"command":"x","timeout":90000}"#, 90),
        (r#"{"command":"x","timeout":90000,"timeout_s":7}"#, 7),
        (r#"{"command":"x","tool_timeout_sec":8}"#, 8),
    ] {
        assert_eq!(read(json).unwrap().timeout.as_secs(), seconds, "{json}");
    }
    let unclear = read(r#"{"command":"x","timeout":1800}"#);
    assert_eq!(unclear.map(|_| ()), Err(SettingsError::Timeout(1800)));
    let only = read(r#"{"serverUrl":"http://x","includeTools":["a"]}"#).unwrap();
    assert!(only.uses("a") && !only.uses("b"));
    for (key, said) in [
        (
            r#""excludeTools":["a"]"#,
            "says 'excludeTools', which would limit it",
        ),
        (
            r#""disabled_tools":["a"]"#,
            "list in `tools` those that are used",
        ),
        (r#""allowedTools":["a"]"#, "list in `tools`"),
        (r#""readOnly":true"#, "says 'readOnly'"),
        (r#""sandbox":{"network":{}, "x":1}"#, "says 'sandbox'"),
        (r#""commnad":"y""#, "did you mean 'command'?"),
        (r#""tool":["a"]"#, "did you mean 'tools'?"),
        (r#""timeout_ms":3"#, "did you mean 'timeout_s'?"),
        (r#""disable":true"#, "did you mean 'disabled'?"),
        (r#""maxOutputTokens":9"#, "write `max_output_kb`"),
    ] {
        let why = read(&format!(r#"{{"command":"x",{key}}}"#)).unwrap_err();
        assert!(why.to_string().contains(said), "{key}: {why}");
    }
    for (key, remarks) in [
        (r#""alwaysAllow":["a"]"#, 1),
        (r#""autoApprove":["a"],"trust":true"#, 2),
        (r#""startup_timeout_sec":3"#, 0),
        (r#""description":"y","$schema":"z""#, 0),
        (r#""excludeTools":[],"readOnly":false"#, 0),
    ] {
        let json = format!(r#"{{"command":"x",{key}}}"#);
        let table: ServerTable = serde_json::from_str(&json).unwrap();
        assert_eq!(table.remarks().unwrap().len(), remarks, "{key}");
    }
    for (key, is_used) in [
        ("\"enabled\":false", false),
        ("\"disabled\":true", false),
        ("\"enabled\":true", true),
    ] {
        let table: ServerTable =
            serde_json::from_str(&format!(r#"{{"command":"x",{key}}}"#)).unwrap();
        assert_eq!(table.is_used(), is_used, "{key}");
    }
}

#[test]
fn who_is_registered_says_as_what() {
    let of = |json: &str| {
        let table = ServerTable::of_json(serde_json::from_str(json).unwrap());
        let variables = Variables::new([("SECRET".to_owned(), "s3".to_owned())]);
        table.settings("x", EntryOrigin::User, &variables)
    };
    let expected = LoginSettings {
        client_id: Some("app".to_owned()),
        client_secret: Some("s3".to_owned()),
        callback_port: Some(8123),
    };
    for json in [
        r#"{"url":"https://x.org","client_id":"app","client_secret":"${SECRET}","callback_port":8123}"#,
        r#"{"url":"https://x.org","oauth":{"clientId":"app","clientSecret":"${SECRET}","callbackPort":8123}}"#,
    ] {
        assert_eq!(of(json).unwrap().login, expected, "{json}");
    }
    for (json, why) in [
        (
            r#"{"url":"https://x.org","client_secret":"${SECRET}"}"#,
            "without the `client_id`",
        ),
        (r#"{"command":"x","client_id":"app"}"#, "with a url"),
        (
            r#"{"url":"https://x.org","client_id":"app","client_secret":"${GONE}"}"#,
            "names the variable GONE",
        ),
    ] {
        let error = of(json).unwrap_err().to_string();
        assert!(error.contains(why), "{json}: {error}");
    }
}

#[test]
fn values_of_other_programs_are_understood() {
    let of = |json: &str| {
        let table = ServerTable::of_json(serde_json::from_str(json).unwrap());
        table.settings("x", EntryOrigin::User, &Variables::new([]))
    };
    let settings = of(
        r#"{"command":["npx",7],"args":[1,true],"env":{"PORT":80,"ON":true},"cwd":null,"startup_timeout_s":90}"#,
    )
    .unwrap();
    assert_eq!(settings.describe(), "npx 7 1 true");
    assert_eq!(settings.start_limit, Some(Duration::from_secs(90)));
    let TransportSettings::Program { environment, .. } = settings.transport else {
        panic!("{}", settings.describe());
    };
    let [on, port] = [("ON", "true"), ("PORT", "80")].map(|(n, v)| (n.into(), v.into()));
    assert_eq!(environment, [on, port]);
    for damaged in [r#"{"command":{}}"#, "3", r#"{"command":"x","args":[{}]}"#] {
        let why = of(damaged).unwrap_err();
        assert!(matches!(why, SettingsError::Shape(_)), "{damaged}: {why}");
    }
}

#[test]
fn what_cannot_be_used_says_why() {
    for (json, why) in [
        ("{}", SettingsError::Nothing),
        (r#"{"command":"x","url":"http://x"}"#, SettingsError::Both),
        (r#"{"url":"ftp://x"}"#, SettingsError::Url("ftp://x".into())),
        (
            r#"{"type":"sse","url":"http://x"}"#,
            SettingsError::Kind("sse".into()),
        ),
        (
            r#"{"command":"x","args":["${KEY}"]}"#,
            SettingsError::Variable("KEY".into()),
        ),
    ] {
        assert_eq!(read(json).map(|_| ()), Err(why), "{json}");
    }
    let bad_host = read(r#"{"command":"x","network":["https://x"]}"#);
    assert!(
        matches!(bad_host, Err(SettingsError::Host(_))),
        "{bad_host:?}"
    );
}

#[test]
fn the_fingerprint_holds_names_of_secrets_and_not_their_values() {
    let print = |json: &str| read(json).unwrap().fingerprint();
    let one = print(r#"{"command":"x","env":{"KEY":"1"}}"#);
    assert_eq!(
        one,
        print(r#"{"command":"x","env":{"KEY":"2"},"timeout_s":5}"#)
    );
    for other in [
        r#"{"command":"y","env":{"KEY":"1"}}"#,
        r#"{"command":"x","args":["1"],"env":{"KEY":"1"}}"#,
        r#"{"command":"x","env":{"KEYS":"1"}}"#,
        r#"{"command":"x","env":{"KEY":"1"},"cwd":"/"}"#,
    ] {
        assert_ne!(one, print(other), "{other}");
    }
}
