//! Which texts may name a member: letters and digits of any script, one after the other, so that a name is a harmless path
//! component, one word behind `@`, and one token of a subject; and so that two names that look alike are the same.

/// The most characters of a name.
const CHARS_MAX: usize = 32;

/// Whether a text may be a member's name.
pub(super) fn has_member_shape(text: &str) -> bool {
    let mut chars = text.chars();
    let begins = chars
        .next()
        .is_some_and(|first| first.is_alphanumeric() && is_of_a_word(first));
    let is_inner = |c: char| is_of_a_word(c) || matches!(c, '-' | '_');
    begins && chars.all(is_inner) && text.chars().count() <= CHARS_MAX && is_of_one_kind(text)
}

/// Whether a character is of a word, has no capital form of itself here, and can be written in one way only.
fn is_of_a_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    let is_capital = c.is_uppercase() || c.to_lowercase().ne([c]);
    unicode_ident::is_xid_continue(c) && !is_capital && !has_another_form(c)
}

/// Blocks of characters that are a part or a form of others, or that cannot be seen: combining accents, single jamo, radicals,
/// compatibility ideographs, presentation and wide forms, variation selectors.
fn has_another_form(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}'
        | '\u{1100}'..='\u{11ff}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{2000}'..='\u{2fff}'
        | '\u{3130}'..='\u{318f}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{d7b0}'..='\u{d7ff}'
        | '\u{f900}'..='\u{ffff}'
        | '\u{1d400}'..='\u{1d7ff}'
        | '\u{2f800}'..='\u{2fa1f}'
        | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Letters that look like Latin ones do not stand beside them: `а` of Cyrillic in `alice` would be another name that nobody can
/// tell from it (Unicode TS 39, 5.2, "highly restrictive"). East Asian scripts are written with Latin words in them.
fn is_of_one_kind(text: &str) -> bool {
    let is_latin = |c: char| {
        c.is_ascii_lowercase() || matches!(c, '\u{df}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
    };
    let is_east_asian = |c: char| {
        matches!(c,
            '\u{3005}'..='\u{3007}'
            | '\u{3041}'..='\u{312f}'
            | '\u{31a0}'..='\u{31bf}'
            | '\u{31f0}'..='\u{31ff}'
            | '\u{3400}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
            | '\u{20000}'..='\u{3ffff}'
        )
    };
    let is_beside_latin = |c: char| c.is_ascii() || is_latin(c) || is_east_asian(c);
    !text.chars().any(is_latin) || text.chars().all(is_beside_latin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_any_script() {
        for good in [
            "alice",
            "7",
            "a-b_c",
            "前端",
            "前端-api",
            "测试员2",
            "テスター",
            "테스터",
            "müller",
            "zoë",
            "тестер",
            "δοκιμή",
            "בודק",
            "مختبر",
            "विद्या",
            "ผู้ทดสอบ",
            "𠀀",
        ] {
            assert!(has_member_shape(good), "{good:?}");
        }
        assert!(has_member_shape(&"前".repeat(32)));
    }

    #[test]
    fn what_looks_like_another_name_or_like_nothing_is_none() {
        for bad in [
            "",
            "-a",
            "_a",
            "A",
            "Ä",
            "Тест",
            "a b",
            "a.b",
            "a/b",
            "..",
            "前 端",
            "前。端",
            "前/端",
            "a\u{301}",
            "\u{301}a",
            "аlice",
            "alicе",
            "ａlice",
            "ﬁ",
            "가\u{1100}",
            "a\u{200b}b",
            "前\u{fe0f}",
            "前\u{202e}端",
            "𝐚",
            "🎉",
        ] {
            assert!(!has_member_shape(bad), "{bad:?}");
        }
        assert!(!has_member_shape(&"前".repeat(33)));
    }
}
