//! What a policy says, and what it refuses.

use teammate_core::permission::RuleOrigin;

use super::*;

const PATH: &str = "/etc/teammate/policy.toml";

fn policy(text: &str) -> MachinePolicy {
    MachinePolicy::parse(Path::new(PATH), text).unwrap()
}

fn flaw(text: &str) -> String {
    MachinePolicy::parse(Path::new(PATH), text).unwrap_err()
}

fn model(text: &str) -> ModelRef {
    text.parse().unwrap()
}

const WHOLE: &str = r#"audit = true
[sandbox]
required = "landlock"
off = false
network = ["crates.io", "*.crates.io"]

[forbidden]
modes = ["bypass"]
flags = ["--adopt", "network"]

[allowed]
models = ["claude-*", "local:*"]
endpoints = ["https://api.anthropic.com", "http://localhost:11434/v1"]

[rules]
deny = ["bash(curl:*)"]
ask = ["bash(git push:*)"]
"#;

#[test]
fn all_of_it_is_read_and_described_with_its_lines() {
    assert_eq!(
        policy(WHOLE).describe(),
        [
            "commands are held at the level 'landlock' or better (line 3)",
            "the sandbox is not switched off (line 4)",
            "commands connect to no hosts but net(crates.io), net(*.crates.io); the full sandbox is required for it (line 5)",
            "the highest permission mode is 'accept-edits' (line 8)",
            "the flag --adopt is forbidden (line 9)",
            "the flag --network is forbidden (line 9)",
            "models: claude-*, local:* (line 12)",
            "servers of models: https://api.anthropic.com, http://localhost:11434 (line 13)",
            "what is not in the audit log does not run (line 1)",
        ]
    );
    let rules = policy(WHOLE).rules();
    let texts = |rules: &[Rule]| rules.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(texts(&rules.deny), ["bash(curl:*)"]);
    assert_eq!(texts(&rules.ask), ["bash(git push:*)"]);
    assert_eq!(rules.host_lists.len(), 1);
    assert!(
        rules
            .deny
            .iter()
            .all(|rule| rule.origin() == RuleOrigin::Policy)
    );
    assert_eq!(policy("").describe(), Vec::<String>::new());
}

#[test]
fn what_is_not_understood_is_named_with_its_line() {
    for (text, found) in [
        ("mode = 1", "line 1: unknown field `mode`"),
        (
            "[sandbox]\nleast = \"full\"",
            "line 2: unknown field `least`",
        ),
        (
            "\n[sandbox]\nrequired = \"off\"",
            "line 3: unknown variant `off`",
        ),
        (
            "[sandbox]\nnetwork = \"all\"",
            "line 2: expected \"none\", \"ask\" or a list of hosts",
        ),
        ("[sandbox]\nnetwork = [\"a b\"]", "line 2: "),
        (
            "[forbidden]\nmodes = [\"root\"]",
            "line 2: unknown variant `root`",
        ),
        (
            "[forbidden]\nmodes = [\"ask\"]",
            "line 2: 'ask' is the lowest mode",
        ),
        ("[allowed]\nmodels = [\"\"]", "line 2: '' is no pattern"),
        (
            "[allowed]\nendpoints = [\"api.openai.com\"]",
            "line 2: 'api.openai.com' is not the address",
        ),
        ("[rules]\ndeny = [\"bash(\"]", "line 2: "),
        (
            "[rules]\nallow = [\"bash\"]",
            "line 2: unknown field `allow`",
        ),
        ("[sandbox", "line 1: "),
    ] {
        let why = flaw(text);
        assert!(why.starts_with(found), "{text}: {why}");
    }
}

#[test]
fn a_forbidden_mode_forbids_those_above_it() {
    let policy = policy("[forbidden]\nmodes = [\"accept-edits\"]");
    assert_eq!(policy.check_mode(Mode::Ask), Ok(()));
    for mode in [Mode::AcceptEdits, Mode::Bypass] {
        let why = policy.check_mode(mode).unwrap_err().to_string();
        assert_eq!(
            why,
            format!("{PATH}:2 forbids the mode '{mode}'; the highest is 'ask'")
        );
    }
}

#[test]
fn models_and_servers_are_held_to_the_lists() {
    let policy = policy(WHOLE);
    for allowed in [
        "anthropic:claude-sonnet-4",
        "local:anything",
        "other:claude-1",
    ] {
        assert_eq!(policy.check_model(&model(allowed)), Ok(()), "{allowed}");
    }
    let why = policy.check_model(&model("openai:gpt-5")).unwrap_err();
    assert_eq!(
        why.to_string(),
        format!("{PATH}:12 does not allow the model 'openai:gpt-5'")
    );
    let check = |url: &str| policy.check_endpoint(&Endpoint::at("some", url));
    for url in [
        "https://api.anthropic.com",
        "https://API.anthropic.com:443/v1/",
        "http://localhost:11434/v1",
    ] {
        assert_eq!(check(url), Ok(()), "{url}");
    }
    for url in [
        "http://api.anthropic.com",
        "https://api.anthropic.com:8443",
        "https://api.anthropic.com.evil.example",
        "https://api.anthropic.com@evil.example/",
        "http://localhost",
        "not a url",
    ] {
        let why = check(url).unwrap_err().to_string();
        assert!(
            why.starts_with(&format!("{PATH}:13 does not allow the ")),
            "{url}: {why}"
        );
    }
}

#[test]
fn a_way_to_an_allowed_server_on_which_another_could_answer_is_refused() {
    let policy = policy(WHOLE);
    let check = |proxy: ProxySetting, ca_file: Option<&str>| {
        let mut endpoint = Endpoint::at("some", "https://api.anthropic.com");
        endpoint.transport.proxy = proxy;
        endpoint.transport.ca_file = ca_file.map(Into::into);
        policy
            .check_endpoint(&endpoint)
            .map_err(|why| why.to_string())
    };
    let through = |url: &str| ProxySetting::Url(url.to_owned());
    for (proxy, ca_file) in [
        (ProxySetting::Environment, None),
        (ProxySetting::Direct, None),
        (ProxySetting::Direct, Some("/ca.pem")),
        (through("http://localhost:11434"), None),
        (through("http://me:pass@localhost:11434/"), Some("/ca.pem")),
    ] {
        assert_eq!(check(proxy, ca_file), Ok(()));
    }
    for (proxy, ca_file, why) in [
        (
            through("http://localhost:8080"),
            None,
            "does not allow the proxy of the provider 'some'",
        ),
        (
            through("no url"),
            None,
            "does not allow the proxy of the provider 'some'",
        ),
        (
            ProxySetting::Environment,
            Some("/ca.pem"),
            "does not allow ca_file for the provider 'some' unless its proxy is \"none\" or an allowed server",
        ),
    ] {
        assert_eq!(check(proxy, ca_file), Err(format!("{PATH}:13 {why}")));
    }
}

#[test]
fn flags_are_known_with_and_without_hyphens() {
    let policy = policy(WHOLE);
    assert_eq!(policy.flags().collect::<Vec<_>>(), ["adopt", "network"]);
    assert_eq!(policy.check_flag("model"), Ok(()));
    let why = policy.check_flag("adopt").unwrap_err().to_string();
    assert_eq!(why, format!("{PATH}:9 forbids the flag --adopt"));
}

#[test]
fn the_sandbox_is_at_least_what_the_policy_says() {
    let asks = |at_most: Level, network: NetworkRule| SandboxRules {
        at_most,
        network,
        ..SandboxRules::default()
    };
    let off = policy("[sandbox]\noff = false");
    let why = off.sandbox(SandboxRules::off()).unwrap_err().to_string();
    assert_eq!(
        why,
        format!("{PATH}:2 forbids that the sandbox is switched off")
    );
    assert!(
        policy("[sandbox]\noff = true")
            .sandbox(SandboxRules::off())
            .is_ok()
    );

    let least = policy("[sandbox]\nrequired = \"landlock\"");
    assert!(
        least
            .sandbox(asks(Level::Landlock, NetworkRule::Machine))
            .is_ok()
    );
    for level in [Level::None, Level::Off] {
        let why = least
            .sandbox(asks(level, NetworkRule::Ask))
            .unwrap_err()
            .to_string();
        assert!(
            why.contains("requires that commands are held at the level 'landlock'"),
            "{why}"
        );
    }

    // Only the full sandbox tells hosts apart.
    for network in ["\"ask\"", "\"none\"", "[\"crates.io\"]"] {
        let limited = policy(&format!("[sandbox]\nnetwork = {network}"));
        assert!(
            limited
                .sandbox(asks(Level::Landlock, NetworkRule::Ask))
                .is_err()
        );
    }
    for (limit, asked, held, is_said) in [
        ("\"none\"", NetworkRule::Ask, NetworkRule::Nowhere, true),
        (
            "\"none\"",
            NetworkRule::Nowhere,
            NetworkRule::Nowhere,
            false,
        ),
        ("\"ask\"", NetworkRule::Machine, NetworkRule::Ask, true),
        ("\"ask\"", NetworkRule::Listed, NetworkRule::Listed, false),
        (
            "[\"crates.io\"]",
            NetworkRule::Machine,
            NetworkRule::Ask,
            true,
        ),
        (
            "[\"crates.io\"]",
            NetworkRule::Nowhere,
            NetworkRule::Nowhere,
            false,
        ),
    ] {
        let limited = policy(&format!("[sandbox]\nnetwork = {limit}"));
        let (rules, notice) = limited.sandbox(asks(Level::Full, asked)).unwrap();
        assert_eq!(
            (rules.network, notice.is_some()),
            (held, is_said),
            "{limit} {asked:?}"
        );
    }
}
