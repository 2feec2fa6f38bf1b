//! Spans and counts as messages of OTLP, in protobuf.

use opentelemetry_proto::tonic::{
    collector::{
        metrics::v1::ExportMetricsServiceRequest,
        trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse},
    },
    common::v1::{AnyValue, ArrayValue, InstrumentationScope, KeyValue, any_value},
    metrics::v1::{
        AggregationTemporality, Histogram, HistogramDataPoint, Metric, NumberDataPoint,
        ResourceMetrics, ScopeMetrics, Sum, metric, number_data_point,
    },
    resource::v1::Resource,
    trace::v1::{
        ResourceSpans, ScopeSpans, Span as WireSpan, Status,
        span::{Link as WireLink, SpanKind},
        status::StatusCode,
    },
};
use prost::Message as _;
use teammate_core::Timestamp;

use crate::{
    metrics::{Instrument, Labels, Metrics, Series},
    names::attribute,
    span::{Kind, Link, Span, TraceId, Value},
};

/// Who sends: the same in each message.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    pub(crate) trace: TraceId,
    pub(crate) service: String,
    pub(crate) run: String,
}

impl Origin {
    fn resource(&self) -> Option<Resource> {
        let version = env!("CARGO_PKG_VERSION");
        Some(Resource {
            attributes: vec![
                pair(attribute::SERVICE_NAME, text(&self.service)),
                pair(attribute::SERVICE_VERSION, text(version)),
                pair(attribute::SERVICE_INSTANCE, text(&self.run)),
            ],
            ..Resource::default()
        })
    }

    /// A request with these spans.
    pub(crate) fn spans(&self, spans: &[Span]) -> Vec<u8> {
        let scope_spans = ScopeSpans {
            scope: scope(),
            spans: spans.iter().map(|span| self.span(span)).collect(),
            ..ScopeSpans::default()
        };
        let resource_spans = ResourceSpans {
            resource: self.resource(),
            scope_spans: vec![scope_spans],
            ..ResourceSpans::default()
        };
        ExportTraceServiceRequest {
            resource_spans: vec![resource_spans],
        }
        .encode_to_vec()
    }

    fn span(&self, span: &Span) -> WireSpan {
        let Span {
            id,
            parent,
            name,
            kind,
            start,
            end,
            attributes,
            links,
            links_dropped,
            error,
        } = span;
        let attributes = attributes.iter();
        WireSpan {
            trace_id: self.trace.0.to_vec(),
            span_id: id.0.to_vec(),
            parent_span_id: parent.map_or_else(Vec::new, |parent| parent.0.to_vec()),
            name: name.clone(),
            kind: match kind {
                Kind::Internal => SpanKind::Internal,
                Kind::Client => SpanKind::Client,
                Kind::Producer => SpanKind::Producer,
            }
            .into(),
            start_time_unix_nano: nanos(*start),
            end_time_unix_nano: nanos(*end),
            attributes: attributes
                .map(|(name, value)| pair(name, any(value)))
                .collect(),
            links: links.iter().map(|link| self.link(link)).collect(),
            dropped_links_count: *links_dropped,
            status: error.map(|_| Status {
                code: StatusCode::Error.into(),
                ..Status::default()
            }),
            ..WireSpan::default()
        }
    }

    fn link(&self, link: &Link) -> WireLink {
        WireLink {
            trace_id: self.trace.0.to_vec(),
            span_id: link.to.0.to_vec(),
            attributes: vec![pair(attribute::MAIL_ID, text(&link.mail))],
            ..WireLink::default()
        }
    }

    /// A request with what was counted from `start` to `now`.
    pub(crate) fn metrics(&self, metrics: &Metrics, start: Timestamp, now: Timestamp) -> Vec<u8> {
        let mut all: Vec<Metric> = Vec::new();
        let times = (nanos(start), nanos(now));
        for (instrument, labels, series) in metrics.series() {
            if all.last().is_none_or(|last| last.name != instrument.name()) {
                all.push(empty(instrument));
            }
            match all.last_mut().and_then(|metric| metric.data.as_mut()) {
                Some(metric::Data::Sum(sum)) => sum.data_points.push(number(labels, series, times)),
                Some(metric::Data::Histogram(histogram)) => histogram
                    .data_points
                    .push(distribution(instrument, labels, series, times)),
                // No others are made.
                Some(
                    metric::Data::Gauge(_)
                    | metric::Data::ExponentialHistogram(_)
                    | metric::Data::Summary(_),
                )
                | None => {}
            }
        }
        let scope_metrics = ScopeMetrics {
            scope: scope(),
            metrics: all,
            ..ScopeMetrics::default()
        };
        let resource_metrics = ResourceMetrics {
            resource: self.resource(),
            scope_metrics: vec![scope_metrics],
            ..ResourceMetrics::default()
        };
        ExportMetricsServiceRequest {
            resource_metrics: vec![resource_metrics],
        }
        .encode_to_vec()
    }
}

/// How many spans a collector says it did not take; 0 if its answer cannot be read.
pub(crate) fn rejected(answer: &[u8]) -> u64 {
    let answer = ExportTraceServiceResponse::decode(answer).ok();
    let partial = answer.and_then(|answer| answer.partial_success);
    partial.map_or(0, |partial| {
        u64::try_from(partial.rejected_spans).unwrap_or(0)
    })
}

fn empty(instrument: Instrument) -> Metric {
    let temporality = AggregationTemporality::Cumulative.into();
    let data = match instrument.bounds() {
        Some(_) => metric::Data::Histogram(Histogram {
            aggregation_temporality: temporality,
            ..Histogram::default()
        }),
        None => metric::Data::Sum(Sum {
            aggregation_temporality: temporality,
            is_monotonic: true,
            ..Sum::default()
        }),
    };
    Metric {
        name: instrument.name().to_owned(),
        unit: instrument.unit().to_owned(),
        data: Some(data),
        ..Metric::default()
    }
}

fn number(labels: &Labels, series: &Series, (start, now): (u64, u64)) -> NumberDataPoint {
    NumberDataPoint {
        attributes: pairs(labels),
        start_time_unix_nano: start,
        time_unix_nano: now,
        value: Some(number_data_point::Value::AsDouble(series.sum)),
        ..NumberDataPoint::default()
    }
}

fn distribution(
    instrument: Instrument,
    labels: &Labels,
    series: &Series,
    (start, now): (u64, u64),
) -> HistogramDataPoint {
    HistogramDataPoint {
        attributes: pairs(labels),
        start_time_unix_nano: start,
        time_unix_nano: now,
        count: series.count,
        sum: Some(series.sum),
        bucket_counts: series.buckets.clone(),
        explicit_bounds: instrument.bounds().unwrap_or_default().to_vec(),
        ..HistogramDataPoint::default()
    }
}

fn scope() -> Option<InstrumentationScope> {
    Some(InstrumentationScope {
        name: "teammate".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..InstrumentationScope::default()
    })
}

fn pairs(labels: &Labels) -> Vec<KeyValue> {
    let labels = labels.iter();
    labels
        .map(|(name, value)| pair(name, text(value)))
        .collect()
}

fn pair(name: &str, value: AnyValue) -> KeyValue {
    KeyValue {
        key: name.to_owned(),
        value: Some(value),
        ..KeyValue::default()
    }
}

fn text(text: &str) -> AnyValue {
    AnyValue {
        value: Some(any_value::Value::StringValue(text.to_owned())),
    }
}

fn any(value: &Value) -> AnyValue {
    let value = match value {
        Value::Text(text) => any_value::Value::StringValue(text.clone()),
        Value::Number(number) => {
            any_value::Value::IntValue(i64::try_from(*number).unwrap_or(i64::MAX))
        }
        Value::Real(number) => any_value::Value::DoubleValue(*number),
        Value::Texts(texts) => any_value::Value::ArrayValue(ArrayValue {
            values: texts.iter().map(|each| text(each)).collect(),
        }),
    };
    AnyValue { value: Some(value) }
}

/// As OTLP writes moments.
fn nanos(at: Timestamp) -> u64 {
    at.0.saturating_mul(1_000_000)
}
