use super::*;

fn price(input: &str, output: &str) -> Price {
    Price {
        input: input.parse().unwrap(),
        output: output.parse().unwrap(),
        cache_read: None,
        cache_write: None,
        cache_write_long: None,
    }
}

fn usage(input: u64, output: u64, cache_read: u64, cache_write: u64) -> Usage {
    Usage {
        input,
        output,
        cache_read,
        cache_write,
        ..Usage::default()
    }
}

#[test]
fn odd_prices_add_up_to_the_last_digit() {
    let odd = Price {
        cache_read: Some("0.1".parse().unwrap()),
        cache_write: Some("0.000001".parse().unwrap()),
        ..price("3.3", "15.01")
    };
    // 7·3.3 + 11·15.01 + 13·0.1 + 1·0.000001 millionths
    let money = odd.of(&usage(7, 11, 13, 1));
    assert_eq!(money.exact(), "0.000189510001");
    assert_eq!(
        money.to_string(),
        "0.0002",
        "something never looks like nothing"
    );

    // Ten thousand requests at a price that no float holds are exactly ten thousand times one.
    let mut sum = Money::default();
    for _ in 0..10_000 {
        sum += price("0.1", "0").of(&usage(1, 0, 0, 0));
    }
    assert_eq!(sum.exact(), "0.001");
    assert_eq!(sum, price("0.1", "0").of(&usage(10_000, 0, 0, 0)));

    let dear = price("1000000", "1000000").of(&usage(u64::MAX, u64::MAX, 0, 0));
    assert_eq!(dear.exact(), "36893488147419103230.00");
}

#[test]
fn cached_input_without_a_price_of_its_own_costs_what_input_costs() {
    let money = price("2", "9").of(&usage(1, 0, 10, 100));
    assert_eq!(money.exact(), "0.000222");
}

#[test]
fn a_cache_that_lasts_an_hour_has_a_price_of_its_own() {
    let price = Price {
        cache_write: Some("5".parse().unwrap()),
        cache_write_long: Some("8".parse().unwrap()),
        ..price("4", "0")
    };
    let written = Usage {
        cache_write_long: 10,
        ..usage(0, 0, 0, 100)
    };
    // 90·5 + 10·8 millionths
    assert_eq!(price.of(&written).exact(), "0.00053");
    // Tokens that are counted twice cost nothing.
    let told = Usage {
        reasoning: 50,
        cache_lost: 50,
        ..usage(1, 0, 0, 0)
    };
    assert_eq!(price.of(&told), price.of(&usage(1, 0, 0, 0)));
}

#[test]
fn a_price_is_shown_as_it_is_written() {
    for text in ["0", "3", "0.25", "12.5", "0.000001"] {
        assert_eq!(text.parse::<Decimal>().unwrap().to_string(), text);
    }
}

#[test]
fn amounts_are_read_by_their_digits() {
    let read = |text: &str| {
        text.parse::<Decimal>()
            .map(|amount| Money::from(amount).exact())
    };
    for (text, exact) in [
        ("5", "5.00"),
        ("0.25", "0.25"),
        ("3.750000000", "3.75"),
        ("007", "7.00"),
        ("0.000001", "0.000001"),
    ] {
        assert_eq!(read(text).as_deref(), Ok(exact), "{text}");
    }
    for text in [
        "",
        ".5",
        "-1",
        "+1",
        "1e3",
        "1,5",
        "1.5.0",
        "0.0000001",
        "99999999999999999999",
        "five",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
    let json = |text: &str| serde_json::from_str::<Decimal>(text).map_err(|e| e.to_string());
    assert_eq!(json("3.75"), Ok("3.75".parse().unwrap()));
    assert_eq!(json("0.1"), Ok("0.1".parse().unwrap()));
    assert_eq!(json("3"), Ok("3".parse().unwrap()));
    assert_eq!(json("\"1.10\""), Ok("1.1".parse().unwrap()));
    assert!(json("-3").unwrap_err().contains("is not an amount"));
}

#[test]
fn the_longest_pattern_that_fits_has_the_price() {
    let table = [("a:*", "1"), ("a:big*", "2"), ("a:big-1", "3")];
    let prices = Prices {
        table: table
            .map(|(name, input)| (name.to_owned(), price(input, "0")))
            .into(),
        ..Prices::default()
    };
    let input = |model: &str| {
        prices
            .of(model)
            .map(|price| Money::from(price.input).exact())
    };
    assert_eq!(input("a:big-1").as_deref(), Some("3.00"));
    assert_eq!(input("a:big-12").as_deref(), Some("2.00"));
    assert_eq!(input("a:small").as_deref(), Some("1.00"));
    assert_eq!(input("b:big-1"), None);
}

#[test]
fn what_has_no_price_is_unknown_and_not_nothing() {
    let prices = Prices {
        table: [("a:*".to_owned(), price("1", "1"))].into(),
        ..Prices::default()
    };
    let sum = |tokens| UsageTotal::one(usage(tokens, 0, 0, 0));
    let bill = |models: &[(&str, u64)]| {
        let models: BTreeMap<String, UsageTotal> = models
            .iter()
            .map(|(model, tokens)| ((*model).to_owned(), sum(*tokens)))
            .collect();
        prices.cost_of(&models)
    };
    assert_eq!(bill(&[]).known(), Some(Money::default()));
    assert_eq!(bill(&[("b:one", 5)]).known(), None);
    let both = bill(&[("a:one", 5), ("b:one", 7)]);
    assert_eq!(both.known().map(Money::exact).as_deref(), Some("0.000005"));
    assert_eq!(both.unpriced, 7);
    // So is what nobody counted, at any price; and with a part that is known, that part.
    let uncounted = bill(&[("a:one", 0)]);
    assert_eq!((uncounted.known(), uncounted.uncounted), (None, 1));
    let part = bill(&[("a:one", 0), ("a:two", 5)]);
    assert_eq!(part.known().map(Money::exact).as_deref(), Some("0.000005"));
    assert!(part.has_unknown() && !part.is_estimated);
}

#[test]
fn the_price_of_an_estimate_is_one_and_the_word_of_an_agent_is_not() {
    let prices = Prices {
        table: [("a:*".to_owned(), price("1", "1"))].into(),
        ..Prices::default()
    };
    let guessed = Usage {
        estimated: 3,
        reported_micros: 7,
        ..usage(5, 0, 0, 0)
    };
    let paid = |model, usage: &Usage| {
        let charge = prices.paid(model, usage)?;
        Some((charge.money.exact(), charge.is_estimated))
    };
    assert_eq!(paid("a:one", &guessed), Some(("0.000005".into(), true)));
    assert_eq!(
        paid("a:one", &usage(5, 0, 0, 0)),
        Some(("0.000005".into(), false))
    );
    assert_eq!(paid("agent:b", &guessed), Some(("0.000007".into(), false)));
}

#[test]
fn the_user_s_prices_come_before_those_of_the_catalogue() {
    let known = KnownPrices {
        as_of: "2026-11-24".to_owned(),
        list: vec![
            ("a:m-chat*".to_owned(), None),
            ("a:m*".to_owned(), Some(price("3", "4"))),
        ],
    };
    let prices = Prices {
        table: [("a:m-mini".to_owned(), price("1", "2"))].into(),
        known,
        ..Prices::default()
    };
    let input = |model| prices.of(model).map(|price| price.input);
    assert_eq!(input("a:m-mini"), Some("1".parse().unwrap()));
    assert_eq!(input("a:m-large"), Some("3".parse().unwrap()));
    // Known, but at no price that anybody looked up: the next pattern does not count.
    assert_eq!(input("a:m-chat-1"), None);
    assert_eq!(input("b:m"), None);
    let as_of = |models: &[&str]| {
        let models: Vec<String> = models.iter().map(|model| (*model).to_owned()).collect();
        prices.as_of(&models).map(str::to_owned)
    };
    assert_eq!(as_of(&["a:m-mini", "b:m"]), None);
    assert_eq!(as_of(&["a:m-mini", "a:m"]).as_deref(), Some("2026-11-24"));
}

#[test]
fn money_is_read_as_it_was_written() {
    for picos in [
        0,
        1,
        2_075_100_000,
        3 * MICRO * MICRO,
        12_345_678_901_234_567_890,
    ] {
        let money = Money { picos };
        let text = serde_json::to_string(&money).unwrap();
        assert_eq!(
            serde_json::from_str::<Money>(&text).unwrap(),
            money,
            "{text}"
        );
    }
    for wrong in [
        "\"\"",
        "\"1.\u{0661}\"",
        "\"-1\"",
        "1",
        "\"1e3\"",
        "\"0.1234567890123\"",
    ] {
        assert!(serde_json::from_str::<Money>(wrong).is_err(), "{wrong}");
    }
}
