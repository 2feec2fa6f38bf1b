//! How an "always" stands in journals: the flag `always`, and `breadth` where it is more than exactly what was asked. A program
//! that does not know `breadth` so reads the narrowest.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::breadth::Breadth;

#[derive(Serialize, Deserialize)]
struct AlwaysFields {
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    always: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    breadth: Option<Breadth>,
}

pub(super) fn serialize<S: Serializer>(always: &Option<Breadth>, to: S) -> Result<S::Ok, S::Error> {
    let fields = AlwaysFields {
        always: always.is_some(),
        breadth: always.filter(|breadth| *breadth != Breadth::Exact),
    };
    fields.serialize(to)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Breadth>, D::Error> {
    let fields = AlwaysFields::deserialize(from)?;
    let breadth = fields.breadth.unwrap_or(Breadth::Exact);
    Ok(fields.always.then_some(breadth))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{Principal, RequestEvent};

    fn approved(always: Option<Breadth>) -> RequestEvent {
        RequestEvent::Approved {
            by: Principal::User,
            note: String::new(),
            mode: None,
            always,
            awaits_hearing: false,
            covered_by: None,
            device: None,
        }
    }

    #[test]
    fn old_lines_mean_the_exact_rule_and_new_ones_are_read_by_old_programs() {
        for (fields, always) in [
            ("", None),
            (r#","always":false"#, None),
            (r#","always":true"#, Some(Breadth::Exact)),
            (r#","always":true,"breadth":"exact""#, Some(Breadth::Exact)),
            (
                r#","always":true,"breadth":"prefix""#,
                Some(Breadth::Prefix),
            ),
            (r#","always":true,"breadth":"tool""#, Some(Breadth::Tool)),
            (r#","breadth":"tool""#, None),
        ] {
            let line = format!(r#"{{"change":"approved","by":"user"{fields}}}"#);
            let read: RequestEvent = serde_json::from_str(&line).unwrap();
            assert_eq!(read, approved(always), "{line}");
        }
        let written = |always| serde_json::to_string(&approved(always)).unwrap();
        assert_eq!(written(None), r#"{"change":"approved","by":"user"}"#);
        assert_eq!(
            written(Some(Breadth::Exact)),
            r#"{"change":"approved","by":"user","always":true}"#
        );
        assert_eq!(
            written(Some(Breadth::Tool)),
            r#"{"change":"approved","by":"user","always":true,"breadth":"tool"}"#
        );
    }
}
