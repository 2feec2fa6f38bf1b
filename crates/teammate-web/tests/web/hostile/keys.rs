//! Requests with the wrong key, with one that is not good for what is asked, and without one.

use teammate_core::Timestamp;
use teammate_web::KeyScope;

use crate::hostile::target::{JSON, Target, good};

/// A request, and what is wrong with its key.
pub(crate) type Named = (&'static str, Vec<u8>);

/// Verbs that only the prompt has.
const STEERING: [&str; 8] = [
    "say",
    "interrupt",
    "recall",
    "stop",
    "mode",
    "undo",
    "shutdown",
    "rules",
];

fn with(target: &Target, header: &str) -> Vec<u8> {
    format!("GET /teams HTTP/1.1\r\n{}{header}\r\n", target.host()).into()
}

fn bearing(target: &Target, key: &str) -> Vec<u8> {
    with(target, &format!("Authorization: Bearer {key}\r\n"))
}

/// A key that somebody tries.
pub(crate) fn guess(target: &Target, number: usize) -> Vec<u8> {
    bearing(target, &format!("{number:064x}"))
}

/// Those that are looked at, with what is wrong with them, and more.
pub(crate) fn requests(target: &Target) -> (Vec<Named>, Vec<Vec<u8>>) {
    let (keys, own) = (&target.keys, target.own.as_str());
    let make = |scope, until| {
        let key = keys.make((scope, None), Timestamp(0), until).unwrap();
        key.reveal().to_owned()
    };
    let expired = make(KeyScope::Steer, Some(Timestamp(999)));
    let revoked = make(KeyScope::Steer, None);
    let id = keys.list(Timestamp(0)).unwrap().last().unwrap().id.clone();
    keys.revoke(Some(&id)).unwrap();
    let flipped = |at: usize| {
        let mut digits: Vec<char> = own.chars().collect();
        let digit = digits[at].to_digit(16).unwrap() ^ 1;
        digits[at] = char::from_digit(digit, 16).unwrap();
        digits.into_iter().collect::<String>()
    };
    let known = vec![
        ("of the page before", bearing(target, &target.earlier)),
        ("expired", bearing(target, &expired)),
        ("revoked", bearing(target, &revoked)),
        ("one bit off at the beginning", bearing(target, &flipped(0))),
        ("one bit off at the end", bearing(target, &flipped(63))),
        ("a digit less", bearing(target, &own[..63])),
        ("a digit more", bearing(target, &format!("{own}0"))),
        (
            "in capitals",
            bearing(
                target,
                &own.to_uppercase()
                    .replace(|c: char| c.is_ascii_digit(), "A"),
            ),
        ),
        (
            "its digest's beginning",
            bearing(target, &keys.list(Timestamp(0)).unwrap()[0].id),
        ),
        ("nothing", bearing(target, "")),
    ];
    let mut more: Vec<Vec<u8>> = (0..11).map(|number| guess(target, number)).collect();
    more.extend(elsewhere(target));
    let (see, answer) = (make(KeyScope::See, None), make(KeyScope::Answer, None));
    let head = |key: &str| format!("Authorization: Bearer {key}\r\n{JSON}");
    for verb in STEERING.into_iter().chain(["answer", "approve", "deny"]) {
        more.push(target.post(verb, &head(&see), body(verb).as_bytes()));
    }
    for verb in STEERING {
        more.push(target.post(verb, &head(&answer), body(verb).as_bytes()));
    }
    // An answer for once is all that this key is good for.
    for how in ["always", "prefix", "tool"] {
        let body = format!(r#"{{"team":"a","key":"k","request":"req_000001","answer":"{how}"}}"#);
        more.push(target.post("answer", &head(&answer), body.as_bytes()));
        let body = format!(r#"{{"team":"a","key":"k","words":"1 always {how}"}}"#);
        more.push(target.post("approve", &head(&answer), body.as_bytes()));
    }
    (known, more)
}

/// A good key where none belongs, and none.
fn elsewhere(target: &Target) -> Vec<Vec<u8>> {
    let own = &target.own;
    let mut all = Vec::new();
    for path in [
        "/teams",
        "/j/schema",
        "/h/team?team=a",
        "/live?team=a&see=team",
    ] {
        all.push(target.open(path));
        let separator = if path.contains('?') { '&' } else { '?' };
        all.push(target.open(&format!("{path}{separator}key={own}")));
        for header in [
            format!("Cookie: key={own}"),
            format!("Authorization: Basic {own}"),
            format!("Authorization: {own}"),
            format!("Proxy-Authorization: Bearer {own}"),
            format!("X-Api-Key: {own}"),
            format!("Authorization: Bearer {own}\r\nAuthorization: Bearer {own}"),
        ] {
            let host = target.host();
            all.push(format!("GET {path} HTTP/1.1\r\n{host}{header}\r\n\r\n").into());
        }
    }
    all.push(target.open(&format!("/teams#key={own}")));
    all.push(target.post("say", JSON, good("hostile").as_bytes()));
    let inside = format!(r#"{{"team":"a","key":"{own}","text":"hello"}}"#);
    all.push(target.post("say", JSON, inside.as_bytes()));
    all
}

fn body(verb: &str) -> String {
    let what = match verb {
        "answer" => r#""request":"req_000001","answer":"once""#,
        "approve" | "deny" => r#""words":"1""#,
        "say" => r#""text":"hello""#,
        "interrupt" => r#""member":"lead""#,
        "recall" => r#""mail":"01a20e2c-8fe1-74bb-922a-4ec3958d012e""#,
        _ => r#""words":"""#,
    };
    format!(r#"{{"team":"a","key":"k-{verb}",{what}}}"#)
}
