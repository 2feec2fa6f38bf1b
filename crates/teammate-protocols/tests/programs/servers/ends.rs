//! Nothing of a server is left.

use teammate_testkit::{is_running, sleep_mark, until};

use crate::servers::bench::{Bench, impatient, server};

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_forked_ends_with_it() {
    for (number, mode) in [(1, "forks"), (2, "stays")] {
        let mark = sleep_mark(number);
        let forked = format!("sleep {mark}");
        let bench = Bench::with_timeouts(vec![server("x", mode, &mark)], impatient());
        bench.offer().await;
        until(|| is_running(&forked)).await;
        bench.servers.close().await;
        assert!(!is_running(&forked), "{mode}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_are_dropped_end() {
    let mark = sleep_mark(3);
    let forked = format!("sleep {mark}");
    let bench = Bench::of(vec![server("x", "forks", &mark)]);
    bench.offer().await;
    until(|| is_running(&forked)).await;
    drop(bench);
    until(|| !is_running(&forked)).await;
}
