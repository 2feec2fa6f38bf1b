use std::time::UNIX_EPOCH;

use super::*;

const NEVER: Remedy = Remedy::Never;
const RETRY: Remedy = Remedy::Retry { after: None };
const SLOW_DOWN: Remedy = Remedy::SlowDown { after: None };
const SHORTEN: Remedy = Remedy::Shorten;

/// Status, body, remedy. Bodies are as the servers send them.
const GOLDEN: &[(u16, &str, Remedy)] = &[
    // Anthropic
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"messages: at least one message is required"}}"#,
        NEVER,
    ),
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 215000 tokens > 200000 maximum"}}"#,
        SHORTEN,
    ),
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000"}}"#,
        SHORTEN,
    ),
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}"#,
        NEVER,
    ),
    (
        401,
        r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#,
        NEVER,
    ),
    (
        402,
        r#"{"type":"error","error":{"type":"billing_error","message":"payment required"}}"#,
        NEVER,
    ),
    (
        403,
        r#"{"type":"error","error":{"type":"permission_error","message":"no"}}"#,
        NEVER,
    ),
    (
        404,
        r#"{"type":"error","error":{"type":"not_found_error","message":"model: claude-x"}}"#,
        NEVER,
    ),
    (
        409,
        r#"{"type":"error","error":{"type":"conflict_error","message":"again"}}"#,
        RETRY,
    ),
    (
        413,
        r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#,
        SHORTEN,
    ),
    (
        429,
        r#"{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit"}}"#,
        SLOW_DOWN,
    ),
    (
        429,
        r#"{"type":"error","error":{"type":"rate_limit_error","message":"You have reached your monthly spend limit"}}"#,
        NEVER,
    ),
    (
        500,
        r#"{"type":"error","error":{"type":"api_error","message":"Internal server error"}}"#,
        RETRY,
    ),
    (
        504,
        r#"{"type":"error","error":{"type":"timeout_error","message":"timed out"}}"#,
        RETRY,
    ),
    (
        529,
        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        RETRY,
    ),
    (
        429,
        r#"{"type":"error","error":{"type":"rate_limit_error","message":"limit","details":{"error_code":"enforced_spend_limit_reached"}}}"#,
        NEVER,
    ),
    (
        429,
        r#"{"type":"error","error":{"type":"rate_limit_error","message":"limit","details":{"error_code":"ramp_limit_exceeded"}}}"#,
        SLOW_DOWN,
    ),
    // OpenAI
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 128000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
        SHORTEN,
    ),
    (
        400,
        r#"{"error":{"message":"Unsupported parameter","type":"invalid_request_error","code":"unsupported_parameter"}}"#,
        NEVER,
    ),
    (
        401,
        r#"{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}"#,
        NEVER,
    ),
    (
        429,
        r#"{"error":{"message":"Rate limit reached for gpt-5","type":"tokens","code":"rate_limit_exceeded"}}"#,
        SLOW_DOWN,
    ),
    (
        429,
        r#"{"error":{"message":"Slow down","type":"slow_down","code":"slow_down"}}"#,
        SLOW_DOWN,
    ),
    (
        429,
        r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
        NEVER,
    ),
    (
        429,
        r#"{"error":{"message":"x","type":"insufficient_quota","code":"project_spend_limit_exceeded"}}"#,
        NEVER,
    ),
    (
        429,
        r#"{"error":{"message":"x","type":"","code":"organization_spend_limit_exceeded"}}"#,
        NEVER,
    ),
    (
        429,
        r#"{"error":{"message":"x","type":"","code":"organization_usage_limit_exceeded"}}"#,
        NEVER,
    ),
    (
        429,
        r#"{"error":{"message":"x","type":"","code":"credit_balance_exhausted"}}"#,
        NEVER,
    ),
    (
        503,
        r#"{"error":{"message":"busy","type":"server_is_overloaded","code":null}}"#,
        RETRY,
    ),
    // llama.cpp, Ollama, vLLM, others
    (
        400,
        r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}"#,
        SHORTEN,
    ),
    (
        503,
        r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#,
        RETRY,
    ),
    (
        404,
        r#"{"error":{"message":"model 'x' not found","type":"not_found_error","param":null,"code":null}}"#,
        NEVER,
    ),
    (404, r#"{"error":"model 'x' not found"}"#, NEVER),
    (
        400,
        r#"{"object":"error","message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","code":400}"#,
        SHORTEN,
    ),
    (
        400,
        r#"[{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}]"#,
        NEVER,
    ),
    // Nothing that can be read
    (408, "", RETRY),
    (418, "I'm a teapot", NEVER),
    (501, "", NEVER),
    (502, "<html>Bad Gateway</html>", RETRY),
    (301, "", NEVER),
];

#[test]
fn the_table_holds() {
    for (status, body, wanted) in GOLDEN {
        let report = ServerError::parse(*status, body).unwrap_or(ServerError {
            status: *status,
            ..ServerError::default()
        });
        assert_eq!(remedy(&report), *wanted, "{status} {body}");
    }
}

#[test]
fn a_server_that_says_whether_to_retry_is_obeyed() {
    let report = |status, should_retry| ServerError {
        status,
        should_retry: Some(should_retry),
        ..ServerError::default()
    };
    assert_eq!(remedy(&report(529, false)), NEVER);
    assert_eq!(remedy(&report(400, true)), RETRY);
    let spent = ServerError {
        code: "insufficient_quota".into(),
        ..report(429, true)
    };
    assert_eq!(remedy(&spent), NEVER);
}

#[test]
fn a_rate_limit_that_says_when_is_waited_for() {
    let report = ServerError {
        status: 429,
        message: "spend slower".into(),
        retry_after: Some(Duration::from_secs(7)),
        ..ServerError::default()
    };
    let after = Some(Duration::from_secs(7));
    assert_eq!(remedy(&report), Remedy::SlowDown { after });
}

#[test]
fn errors_inside_a_stream_have_a_status() {
    for (body, status) in [
        (
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            529,
        ),
        (
            r#"{"type":"error","error":{"type":"rate_limit_error","message":"x"}}"#,
            429,
        ),
        (
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"x"}}"#,
            400,
        ),
        (
            r#"{"type":"error","error":{"type":"api_error","message":"x"}}"#,
            500,
        ),
        (r#"{"error":{"code":502,"message":"upstream"}}"#, 502),
        (r#"{"error":{"code":"401","message":"no"}}"#, 401),
        (r#"{"error":{"code":7,"message":"?"}}"#, 500),
        (r#"{"error":{"type":"server_error","message":"x"}}"#, 500),
        ("not json", 500),
    ] {
        assert_eq!(
            ServerError::from_stream_event(body).status,
            status,
            "{body}"
        );
    }
}

#[test]
fn waits_are_read_and_bounded() {
    let now = UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let date = |secs: u64| httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(secs));
    let (soon, past) = (date(1_700_000_030), date(1_600_000_000));
    let far = date(1_800_000_000);
    let secs = |text: &str| retry_after(None, Some(text), now).map(|after| after.as_secs());
    for (text, wanted) in [
        ("0", Some(0)),
        ("5", Some(5)),
        (" 60 ", Some(60)),
        ("1.5", Some(1)),
        ("601", Some(600)),
        ("1e300", Some(600)),
        ("-10", None),
        ("inf", None),
        ("NaN", None),
        ("", None),
        ("soon", None),
        ("Fri, 31 Dec 100000 00:00:00 GMT", None),
        (soon.as_str(), Some(30)),
        (past.as_str(), Some(0)),
        (far.as_str(), Some(600)),
    ] {
        assert_eq!(secs(text), wanted, "{text:?}");
    }
    let millis = Some(Duration::from_millis(250));
    assert_eq!(retry_after(Some("250"), Some("9"), now), millis);
    let seconds = Some(Duration::from_secs(9));
    assert_eq!(retry_after(Some("x"), Some("9"), now), seconds);
}
