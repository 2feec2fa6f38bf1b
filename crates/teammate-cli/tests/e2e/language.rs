//! The program in Chinese, by the locale: help, errors with their hints, and a question at the plain prompt. What programs read
//! stays English.

use crate::{
    play::{Scene as _, bash, play, say},
    terminal::Terminal,
    world::World,
};

const CHINESE: &str = "zh_CN.UTF-8";

// fast: the interface in Chinese
#[test]
fn help_errors_and_hints_are_in_the_language_of_the_locale() {
    let world = World::with_model("").env("LANG", CHINESE);
    let help = world.teammate(&["--help"]).ends(0);
    help.says("运行一个编程代理团队").says("用法：");
    let none = world.teammate(&["team"]).ends(1);
    none.complains("错误： ")
        .complains("里没有团队")
        .complains("提示： ");
    let english = world.teammate(&["--lang", "en", "team"]).ends(1);
    english
        .complains("error: there is no team in")
        .complains("hint: ");
    world
        .teammate(&["team", "--json"])
        .ends(1)
        .complains("error: ");
    world
        .teammate(&["--lang", "xx", "team"])
        .ends(2)
        .complains("en");
}

#[test]
fn a_question_is_asked_and_answered_in_chinese_at_the_plain_prompt() {
    let world = World::playing(&play([(
        "lead",
        vec![bash("touch works"), say("Done.").otherwise()],
    )]));
    let world = world.env("LANG", CHINESE);
    let terminal = Terminal::open(&world, 80, &[]);
    terminal.types("Go");
    terminal.until("[y] 允许  [n] 拒绝");
    terminal.types("y");
    terminal.until("[lead] Done.");
    terminal.quits();
    assert!(world.path("works").exists());
}
