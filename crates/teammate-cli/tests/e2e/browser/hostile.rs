//! 500 strings that would run a script if a page took them for HTML, in every field that a member or a model can write: none runs,
//! and the page's policy has nothing to stop.

use serde_json::{Value, json};

use super::{chromium::Chromium, served::Served};
use crate::{
    play::{Scene as _, play, say},
    world::World,
};

/// How many strings there are.
pub(super) const STRINGS: usize = 500;

/// Ways for markup to run a script; `F` is the script.
const VECTORS: [&str; 40] = [
    "<script>F</script>",
    "<img src=x onerror=F>",
    "<svg onload=F>",
    "<svg><script>F</script></svg>",
    "<svg><animate onbegin=F attributeName=x dur=1s>",
    "<body onload=F>",
    "<iframe src=\"javascript:F\"></iframe>",
    "<iframe srcdoc=\"<script>parent.F</script>\"></iframe>",
    "<a href=\"javascript:F\">click</a>",
    "<a href=\"java&#9;script:F\">click</a>",
    "<form action=\"javascript:F\"><button>b</button></form>",
    "<button formaction=\"javascript:F\" autofocus>b</button>",
    "<input autofocus onfocus=F>",
    "<select autofocus onfocus=F></select>",
    "<details open ontoggle=F>",
    "<video><source onerror=F></video>",
    "<audio src=x onerror=F>",
    "<object data=\"javascript:F\"></object>",
    "<embed src=\"javascript:F\">",
    "<math><mi xlink:href=\"javascript:F\">x</mi></math>",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=F&gt;\">",
    "<noscript><p title=\"</noscript><img src=x onerror=F>\">",
    "<style>@import 'javascript:F';</style>",
    "<style>*{background:url(\"javascript:F\")}</style>",
    "<link rel=stylesheet href=\"javascript:F\">",
    "<base href=\"javascript:F//\">",
    "<meta http-equiv=refresh content=\"0;url=javascript:F\">",
    "<template><img src=x onerror=F></template>",
    "<div style=\"background:url(javascript:F)\">x</div>",
    "<div id=main data-inside=/h/team onclick=F>x</div>",
    "<form id=run><input name=textContent></form><img src=x onerror=F>",
    "<a id=stopped name=__fired href=\"javascript:F\">x</a>",
    "<marquee onstart=F>",
    "<img src=x:x onerror=\"F\" alt='\"><img src=x onerror=F>'>",
    "\"><script>F</script>",
    "' onmouseover='F' x='",
    "` onload=`F` x=`",
    "</script><script>F</script>",
    "--><script>F</script><!--",
    "]]><script>F</script>",
];

/// What stands around a string: attributes, comments, code and texts that it may break out of. `V` is the string.
const AROUND: [&str; 13] = [
    "V",
    "\"V",
    "'>V",
    "</textarea></title></style></pre>V",
    "[V](javascript:F)",
    "![x](x\"onerror=F) V",
    "<javascript:F> V",
    "```html\nV\n```",
    "| a | b |\n|---|---|\n| V | `V` |",
    "> - **V**\n>   1. _V_",
    "&lt;V&gt; &#60;script&#62;F&#60;/script&#62;",
    "\u{202e}V\u{2066}\u{200b}",
    "\u{ff1c}script\u{ff1e} V\u{1b}]8;;javascript:F\u{7}",
];

/// The strings, each another one.
pub(super) fn strings() -> Vec<String> {
    let all = AROUND
        .iter()
        .flat_map(|around| VECTORS.iter().map(|vector| around.replace('V', vector)));
    let numbered = all.take(STRINGS).enumerate();
    let strings: Vec<String> = numbered
        .map(|(number, text)| text.replace('F', &format!("__fired.push({number})")))
        .collect();
    assert_eq!(strings.len(), STRINGS);
    strings
}

fn call(tool: &str, input: &Value) -> Value {
    json!({ "tool": tool, "input": input })
}

/// A shell's word for the text.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A run in which each string is a letter, a command, its output, a file's content, and a task's subject, description or check.
pub(super) fn told() -> World {
    let strings = strings();
    let third = STRINGS * 2 / 5;
    let tasks = (0..third).map(|at| {
        let mut task = json!({ "subject": strings[at], "description": strings[at + third] });
        if let Some(check) = strings.get(at + 2 * third) {
            task["check"] = check.as_str().into();
        }
        call("create_task", &task)
    });
    let members = strings.iter().step_by(STRINGS / 4).enumerate();
    let members = members.map(|(at, text)| {
        call(
            "spawn_teammate",
            &json!({ "name": format!("m{at}"), "role": text, "prompt": text }),
        )
    });
    let said = strings.iter().map(|text| {
        let letter = json!({ "to": "m0", "content": text });
        let file = json!({ "path": format!("f{}", text.replace('/', "_").chars().take(60).collect::<String>()), "content": text });
        let shell = json!({ "command": format!("printf %s {}", quoted(text)) });
        [call("send_message", &letter), call("write_file", &file), call("bash", &shell)]
    });
    let all: Vec<Value> = tasks.chain(members).chain(said.flatten()).collect();
    let mut lead: Vec<Value> = all
        .chunks(30)
        .enumerate()
        .map(|(round, calls)| json!({ "say": strings[round], "calls": calls }))
        .collect();
    lead.push(say(&strings.join("\n\n")).otherwise());
    let quiet = vec![say("Heard.").otherwise()];
    let world = World::playing(&play([
        ("lead", lead),
        ("m0", quiet.clone()),
        ("m1", quiet.clone()),
        ("m2", quiet.clone()),
        ("m3", quiet),
    ]));
    let words = [
        "run",
        "--permission-mode",
        "bypass",
        "--max-rounds",
        "500",
        "--context-tokens",
        "10000000",
        "Begin",
    ];
    let run = world.teammate(&words);
    assert!([0, 7].contains(&run.code), "{} {}", run.out, run.err);
    world
}

/// Begins each document: counts what its policy stops, and what fired.
pub(super) const WATCH: &str = "self.stopped = []; self.__fired = [];
    addEventListener('securitypolicyviolation', e => stopped.push(e.violatedDirective + ' ' + e.blockedURI))";

/// Asks for all that is older, and opens everything that can be opened; returns when all of it is there. What the stream puts in
/// another's place meanwhile is opened again.
const OPEN_ALL: &str = "const done = arguments[arguments.length - 1], main = document.getElementById('main');
    (async () => {
        const wait = () => new Promise(r => setTimeout(r, 20));
        for (let more; more = main.querySelector('[data-before]');) {
            more.click();
            while (more.isConnected) await wait();
        }
        const isShut = box => !box.open || box.dataset.inside && !box.querySelector('.inside');
        for (let shut; (shut = [...main.querySelectorAll('details')].filter(isShut)).length;) {
            for (const box of shut) box.open = true;
            await wait();
        }
        const missing = [...main.querySelectorAll('.inside')].find(inside => inside.innerText.includes('could not be fetched'));
        done(missing ? missing.innerText : main.querySelectorAll('*').length);
    })()";

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn no_string_fires_on_any_screen() {
    let world = told();
    let served = Served::of_rested(world);
    let browser = Chromium::start();
    browser.begin_with(WATCH);
    for screen in [
        "/", "/m/lead", "/m/m0", "/m/m1", "/board", "/mail", "/needs", "/cost", "/graph",
    ] {
        served.open(&browser, screen);
        let count = assert_quiet(&browser, screen);
        if ["/m/lead", "/mail", "/board"].contains(&screen) {
            assert!(count > 500, "{screen}: {count} elements");
        }
    }
}

/// Opens all of the screen that is there, and does what a mouse would do: nothing fires, and no element is there that the page does
/// not make. Returns how many are.
pub(super) fn assert_quiet(browser: &Chromium, screen: &str) -> u64 {
    let elements = browser.run_until_done(OPEN_ALL);
    let count = elements.as_u64().unwrap_or_else(|| panic!("{elements}"));
    browser.run(
        "for (const e of document.querySelectorAll('#main *, #needs *, #side *')) {
            for (const kind of ['mouseover', 'focus', 'toggle', 'load', 'error']) e.dispatchEvent(new Event(kind));
        }",
    );
    assert_eq!(browser.run("return __fired"), json!([]), "{screen}");
    assert_eq!(browser.run("return stopped"), json!([]), "{screen}");
    let strange = browser.run(
        "return [...document.querySelectorAll('body *')].filter(e => [...e.attributes].some(a => a.name.startsWith('on') || a.name === 'style'
            || /^\\s*javascript:/i.test(a.value) && a.name !== 'title')
            || /^(script|img|iframe|object|embed|form|base|template|math|video|audio|marquee)$/i.test(e.tagName) && e.id !== 'say')
            .map(e => e.outerHTML.slice(0, 100))",
    );
    assert_eq!(strange, json!([]), "{screen}");
    count
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn in_a_page_that_takes_them_for_html_many_fire() {
    let browser = Chromium::start();
    browser.begin_with(WATCH);
    browser.go("data:text/html,<p>");
    let strings = json!(strings());
    browser.run(&format!("for (const s of {strings}) {{ const p = document.createElement('p'); p.innerHTML = s; document.body.append(p); }}"));
    browser.until("__fired.length > 50");
}
