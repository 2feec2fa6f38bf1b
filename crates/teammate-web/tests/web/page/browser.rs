//! A browser, as far as these tests need one: it asks, and reads a stream.

use std::collections::BTreeMap;

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpStream,
};

use crate::page::team::TEAM;

pub(crate) struct Browser {
    port: u16,
    key: String,
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Answer {
    /// The number of the change that the answer is as of.
    pub(crate) fn number(&self) -> u64 {
        let mut lines = self.head.lines();
        let number = lines.find_map(|line| line.strip_prefix("x-number: "));
        number.unwrap().parse().unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        serde_json::from_str(&self.body).unwrap()
    }
}

impl Browser {
    pub(crate) fn new(port: u16, key: &str) -> Self {
        let key = key.to_owned();
        Self { port, key }
    }

    async fn ask(&self, path: &str) -> BufReader<TcpStream> {
        self.ask_with(path, "").await
    }

    async fn ask_with(&self, path: &str, more: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n{more}\r\n",
            self.port, self.key
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        BufReader::new(stream)
    }

    /// What is at an address.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        let mut text = String::new();
        let mut stream = self.ask(path).await;
        stream.read_to_string(&mut text).await.unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer {
            status,
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    /// What is at an address, compressed.
    pub(crate) async fn compressed(&self, path: &str) -> Vec<u8> {
        let mut stream = self
            .ask_with(path, "Accept-Encoding: br, gzip, deflate\r\n")
            .await;
        let mut all = Vec::new();
        stream.read_to_end(&mut all).await.unwrap();
        let end = all.windows(4).position(|four| four == b"\r\n\r\n");
        let body = all.split_off(end.unwrap() + 4);
        let head = String::from_utf8(all).unwrap();
        assert!(head.contains("content-encoding: gzip"), "{head}");
        body
    }

    /// A screen as HTML.
    pub(crate) async fn screen(&self, name: &str, more: &str) -> String {
        let answer = self.get(&format!("/h/{name}?team={TEAM}{more}")).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }

    /// A screen as data.
    pub(crate) async fn data(&self, name: &str, more: &str) -> Value {
        self.get(&format!("/j/{name}?team={TEAM}{more}"))
            .await
            .json()
    }

    /// The stream of these screens.
    pub(crate) async fn live(&self, see: &str) -> Live {
        let mut stream = self.ask(&format!("/live?team={TEAM}&see={see}")).await;
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            stream.read_line(&mut line).await.unwrap();
        }
        Live {
            stream,
            read: Vec::new(),
            screens: BTreeMap::new(),
        }
    }
}

/// Something that came by a stream.
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) data: Value,
}

/// A stream, and what the browser has of it on its screens: parts by their ids.
pub(crate) struct Live {
    stream: BufReader<TcpStream>,
    read: Vec<u8>,
    pub(crate) screens: BTreeMap<String, String>,
}

impl Live {
    /// The next event; nothing if the stream has ended.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        loop {
            let end = self.read.windows(2).position(|two| two == b"\n\n");
            if let Some(end) = end {
                let block: Vec<u8> = self.read.drain(..end + 2).collect();
                if let Some(event) = event(&String::from_utf8(block).unwrap()) {
                    self.take(&event);
                    return Some(event);
                }
                continue;
            }
            let chunk = self.chunk().await?;
            self.read.extend(chunk);
        }
    }

    async fn chunk(&mut self) -> Option<Vec<u8>> {
        let mut size = String::new();
        self.stream.read_line(&mut size).await.ok()?;
        let size = usize::from_str_radix(size.trim(), 16)
            .ok()
            .filter(|size| *size > 0)?;
        let mut chunk = vec![0; size + 2];
        self.stream.read_exact(&mut chunk).await.ok()?;
        chunk.truncate(size);
        Some(chunk)
    }

    /// As the page does it.
    fn take(&mut self, event: &Event) {
        match event.name.as_str() {
            "patch" => {
                for (id, html) in event.data["parts"].as_object().unwrap() {
                    let html = html.as_str().unwrap().to_owned();
                    self.screens.insert(id.clone(), html);
                }
                if let Some(order) = event.data["order"].as_array() {
                    self.screens
                        .retain(|id, _| order.iter().any(|known| known == id));
                }
            }
            "piece" => {
                let id = format!("writing-{}", event.data["m"].as_str().unwrap());
                let text = event.data["text"].as_str().unwrap();
                self.screens.entry(id).or_default().push_str(text);
            }
            _ => {}
        }
    }
}

fn event(block: &str) -> Option<Event> {
    let line = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
    Some(Event {
        name: line("event: ")?.to_owned(),
        data: serde_json::from_str(line("data: ")?).unwrap(),
    })
}
