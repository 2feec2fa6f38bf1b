//! Spans and counts as messages of OTLP, in protobuf.

use prost::Message as _;
use teammate_core::Timestamp;

use crate::{
    messages::{
        AggregationTemporality, AnyValue, ArrayValue, ExportMetricsServiceRequest,
        ExportTraceServiceRequest, ExportTraceServiceResponse, Histogram, HistogramDataPoint,
        InstrumentationScope, KeyValue, Metric, MetricData, NumberDataPoint, Resource,
        ResourceMetrics, ResourceSpans, ScopeMetrics, ScopeSpans, SpanStatus, StatusCode, Sum,
        ValueOf, WireLink, WireSpan, WireSpanKind,
    },
    metrics::{Instrument, Labels, Metrics, Series},
    names::attribute,
    span::{AttributeValue, Link, SpanSide, TraceId, TraceSpan},
};

/// The sender: the same in each message.
#[derive(Debug, Clone)]
pub(crate) struct WireOrigin {
    pub(crate) trace: TraceId,
    pub(crate) service: String,
    pub(crate) run: String,
}

impl WireOrigin {
    fn resource(&self) -> Option<Resource> {
        let version = env!("CARGO_PKG_VERSION");
        Some(Resource {
            attributes: vec![
                pair(attribute::SERVICE_NAME, text(&self.service)),
                pair(attribute::SERVICE_VERSION, text(version)),
                pair(attribute::SERVICE_INSTANCE, text(&self.run)),
            ],
        })
    }

    /// A request with these spans.
    pub(crate) fn spans(&self, spans: &[TraceSpan]) -> Vec<u8> {
        let scope_spans = ScopeSpans {
            scope: scope(),
            spans: spans.iter().map(|span| self.span(span)).collect(),
        };
        let resource_spans = ResourceSpans {
            resource: self.resource(),
            scope_spans: vec![scope_spans],
        };
        ExportTraceServiceRequest {
            resource_spans: vec![resource_spans],
        }
        .encode_to_vec()
    }

    fn span(&self, span: &TraceSpan) -> WireSpan {
        let TraceSpan {
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
                SpanSide::Internal => WireSpanKind::Internal,
                SpanSide::Client => WireSpanKind::Client,
                SpanSide::Producer => WireSpanKind::Producer,
            }
            .into(),
            start_time_unix_nano: nanos(*start),
            end_time_unix_nano: nanos(*end),
            attributes: attributes
                .map(|(name, value)| pair(name, any(value)))
                .collect(),
            links: links.iter().map(|link| self.link(link)).collect(),
            dropped_links_count: *links_dropped,
            status: error.map(|_| SpanStatus {
                code: StatusCode::Error.into(),
            }),
        }
    }

    fn link(&self, link: &Link) -> WireLink {
        WireLink {
            trace_id: self.trace.0.to_vec(),
            span_id: link.to.0.to_vec(),
            attributes: vec![pair(attribute::MAIL_ID, text(&link.mail))],
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
                Some(MetricData::Sum(sum)) => sum.data_points.push(number(labels, series, times)),
                Some(MetricData::Histogram(histogram)) => histogram
                    .data_points
                    .push(distribution(instrument, labels, series, times)),
                None => {}
            }
        }
        let scope_metrics = ScopeMetrics {
            scope: scope(),
            metrics: all,
        };
        let resource_metrics = ResourceMetrics {
            resource: self.resource(),
            scope_metrics: vec![scope_metrics],
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
        Some(_) => MetricData::Histogram(Histogram {
            data_points: Vec::new(),
            aggregation_temporality: temporality,
        }),
        None => MetricData::Sum(Sum {
            data_points: Vec::new(),
            aggregation_temporality: temporality,
            is_monotonic: true,
        }),
    };
    Metric {
        name: instrument.name().to_owned(),
        unit: instrument.unit().to_owned(),
        data: Some(data),
    }
}

fn number(labels: &Labels, series: &Series, (start, now): (u64, u64)) -> NumberDataPoint {
    NumberDataPoint {
        attributes: pairs(labels),
        start_time_unix_nano: start,
        time_unix_nano: now,
        as_double: Some(series.sum),
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
    }
}

fn scope() -> Option<InstrumentationScope> {
    Some(InstrumentationScope {
        name: "teammate".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
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
    }
}

fn text(text: &str) -> AnyValue {
    AnyValue {
        value: Some(ValueOf::Text(text.to_owned())),
    }
}

fn any(value: &AttributeValue) -> AnyValue {
    let value = match value {
        AttributeValue::Text(text) => ValueOf::Text(text.clone()),
        AttributeValue::Number(number) => ValueOf::Int(i64::try_from(*number).unwrap_or(i64::MAX)),
        AttributeValue::Real(number) => ValueOf::Double(*number),
        AttributeValue::Texts(texts) => ValueOf::Array(ArrayValue {
            values: texts.iter().map(|each| text(each)).collect(),
        }),
    };
    AnyValue { value: Some(value) }
}

/// As OTLP writes moments.
fn nanos(at: Timestamp) -> u64 {
    at.0.saturating_mul(1_000_000)
}
