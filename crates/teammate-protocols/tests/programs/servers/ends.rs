//! Nothing of a server is left.

use crate::servers::bench::{Bench, impatient, is_running, mark, server, until};

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_forked_ends_with_it() {
    for (number, mode) in [(1, "forks"), (2, "stays")] {
        let mark = mark(number);
        let bench = Bench::with_timeouts(vec![server("x", mode, &mark)], impatient());
        bench.offer().await;
        until(|| is_running(&mark)).await;
        bench.servers.close().await;
        assert!(!is_running(&mark), "{mode}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_are_dropped_end() {
    let mark = mark(3);
    let bench = Bench::of(vec![server("x", "forks", &mark)]);
    bench.offer().await;
    until(|| is_running(&mark)).await;
    drop(bench);
    until(|| !is_running(&mark)).await;
}
