//! Members whose names are of another script than Latin: mail, worktree, files, prompt and the next run.

use serde_json::json;

use crate::{
    play::{Scene as _, bash, calls, play, say, send},
    terminal::Terminal,
    worktrees::repository,
    world::World,
};

/// A lead that has the front end built in a worktree, and tested by somebody else.
fn asks() -> serde_json::Value {
    let spawn = |name: &str, prompt: &str, worktree: bool| {
        let ask = json!({ "name": name, "role": "开发", "prompt": prompt, "worktree": worktree });
        ("spawn_teammate", ask)
    };
    let finish = json!({ "name": "前端", "action": "merge" });
    play([
        (
            "lead",
            vec![
                calls([
                    spawn("前端", "写页面", true),
                    spawn("测试员2", "等前端的消息", false),
                ])
                .after("开始"),
                calls([("wait_for_team", json!({}))]),
                calls([("finish_worktree", finish)]),
                say("完成了。"),
                say("知道了。").otherwise(),
            ],
        ),
        (
            "前端",
            vec![
                bash("echo 你好 > hello.txt && git commit -qam 页面 && git branch --show-current"),
                send("测试员2", "页面写好了"),
                say("写完了。"),
                say("好的。").otherwise(),
            ],
        ),
        (
            "测试员2",
            vec![
                say("通过。").after_mail("页面写好了"),
                say("我等着。").otherwise(),
            ],
        ),
    ])
}

// fast: names of any script
#[test]
fn members_of_any_script_work_in_worktrees_and_write_to_each_other() {
    let world = World::playing(&asks());
    repository(&world);
    world.run("开始").ends(0).says("完成了。");
    assert_eq!(world.members(), ["lead", "前端", "测试员2"]);
    assert_eq!(
        world.outcomes("前端")[0],
        "teammate/前端\nexit status 0",
        "the branch of its worktree"
    );
    let heard = world.heard("测试员2");
    assert!(
        heard.iter().any(|mail| mail.contains("页面写好了")),
        "{heard:?}"
    );
    assert_eq!(world.file("hello.txt"), "你好\n", "merged");
    world.assert_at_rest();

    // A name that is none is said as it was typed.
    world
        .teammate(&["send", "前 端", "在吗"])
        .ends(1)
        .complains("there is no member '前 端'");
    world.teammate(&["team"]).ends(0).says("前端");
    world.teammate(&["send", "测试员2", "再测一次"]).ends(0);
    let resume = ["resume", "--permission-mode", "bypass"];
    world.teammate(&resume).ends(0);
    let heard = world.heard("测试员2");
    assert!(
        heard.iter().any(|mail| mail.contains("再测一次")),
        "{heard:?}"
    );
}

#[test]
fn a_name_of_any_script_is_typed_at_the_prompt() {
    let world = World::playing(&asks()).env("TEAMMATE_SCREEN", "full");
    repository(&world);
    let terminal = Terminal::sized(&world, (24, 80), &["--permission-mode", "bypass"]);
    terminal.until("to lead >");
    terminal.keys("开始\r");
    terminal.until("says: 完成了。");
    terminal.keys("@前端 你在吗\r");
    terminal.until("says: 好的。");
    terminal.keys("@前端\r");
    terminal.until("to 前端 >");
    terminal.keys("/quit\r");
    terminal.ends(0);
}
