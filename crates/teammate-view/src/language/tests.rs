use std::fmt;

use super::*;

fn chinese<T>(doing: impl FnOnce() -> T) -> T {
    in_language(Language::Chinese, doing)
}

#[test]
fn english_is_what_the_code_says_and_chinese_what_the_catalogue_says() {
    let count = 3;
    let said = || (t("needs you").to_owned(), t!("{count} more", count));
    assert_eq!(said(), ("needs you".to_owned(), "3 more".to_owned()));
    let (word, more) = chinese(said);
    assert_eq!((word.as_str(), more.as_str()), ("待你处理", "还有 3 个"));
    assert_eq!(chinese(|| t("never heard").to_owned()), "never heard");
}

#[test]
fn holes_may_change_their_order_and_what_fills_one_is_not_looked_at() {
    let values: [(&str, &dyn fmt::Display); 2] = [("a", &"{b}"), ("b", &2)];
    assert_eq!(filled("{b}: {a}, {{a}} {c}", &values), "2: {b}, {a} {c}");
}

#[test]
fn a_locale_chooses_the_language_that_it_is_of() {
    for (locale, language) in [
        ("zh_CN.UTF-8", Some(Language::Chinese)),
        ("zh-CN", Some(Language::Chinese)),
        ("zh", Some(Language::Chinese)),
        ("zh_Hans_CN", Some(Language::Chinese)),
        ("en_GB.UTF-8@euro", Some(Language::English)),
        ("C.UTF-8", Some(Language::English)),
        ("de_DE", None),
        ("zh_TW.UTF-8", None),
        ("", None),
    ] {
        assert_eq!(Language::of_locale(locale), language, "{locale}");
    }
    let unknown = "klingon".parse::<Language>().unwrap_err();
    assert!(unknown.ends_with("write en or zh-CN"), "{unknown}");
}

#[test]
fn a_finished_sentence_is_found_by_its_template_and_the_sentences_in_it() {
    let said = |english: &str| chinese(|| translated_sentence(english).into_owned());
    assert_eq!(
        said("'x' is no screen: write full or plain"),
        "没有名为“x”的界面：请写 full 或 plain"
    );
    assert_eq!(
        said("TEAMMATE_SCREEN: 'a b' is no screen: write full or plain"),
        "TEAMMATE_SCREEN：没有名为“a b”的界面：请写 full 或 plain"
    );
    assert_eq!(said("what a model says stays"), "what a model says stays");
    assert_eq!(
        translated_sentence("'x' is no screen: write full or plain"),
        "'x' is no screen: write full or plain"
    );
}
