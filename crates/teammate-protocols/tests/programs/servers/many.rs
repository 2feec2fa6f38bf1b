//! Members that share a server, or do not.

use teammate_core::MemberName;
use teammate_protocols::mcp::client::Scope;
use teammate_testkit::sleep_mark;

use crate::servers::bench::{Bench, server};

#[tokio::test(flavor = "multi_thread")]
async fn members_share_a_server_unless_it_keeps_state_for_each() {
    for (scope, number, processes) in [(Scope::Team, 11, 1), (Scope::Member, 12, 2)] {
        let mark = sleep_mark(number);
        let mut settings = server("x", "works", &mark);
        settings.scope = scope;
        let mut bench = Bench::of(vec![settings]);
        let offered = bench.offer().await;
        // The one that was listed is nobody's.
        bench.servers.close().await;
        for name in ["lead", "anna", "lead"] {
            bench.context.caller.name = MemberName::parse(name).unwrap();
            bench.call(&offered.tools, "mcp__x__act", "{}").await;
        }
        assert_eq!(count(&mark), processes, "{scope:?}");
    }
}

fn count(mark: &str) -> usize {
    let lines = std::fs::read_dir("/proc").unwrap();
    let lines = lines.filter_map(|entry| std::fs::read(entry.ok()?.path().join("cmdline")).ok());
    let is_it = |line: &Vec<u8>| {
        let line = String::from_utf8_lossy(line);
        line.contains("hostile_server") && line.contains(mark)
    };
    lines.filter(is_it).count()
}
