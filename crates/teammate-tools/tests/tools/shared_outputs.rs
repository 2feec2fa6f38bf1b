//! Long outputs that members on another machine read.

use std::sync::Arc;

use serde_json::json;
use teammate_core::port::ObjectStore;
use teammate_testkit::memory::MemoryObjects;

use crate::support::Bench;

fn bench(objects: &Arc<dyn ObjectStore>) -> Bench {
    let mut bench = Bench::new();
    bench.catalogue = bench.catalogue.sharing_outputs(objects);
    // Opening a team makes it.
    std::fs::create_dir(bench.root.join(".team/outputs")).unwrap();
    bench
}

#[tokio::test]
async fn a_long_output_is_read_on_another_machine() {
    let objects: Arc<dyn ObjectStore> = Arc::new(MemoryObjects::default());
    let (here, there) = (bench(&objects), bench(&objects));
    let long = "for i in $(seq 20000); do echo line $i; done";
    let shown = here.ok("bash", json!({"command": long})).await;
    let path = ".team/outputs/lead-turn-1_call_1.txt";
    assert!(shown.contains(path), "{shown}");
    assert!(!there.root.join(path).exists());
    let read = there
        .ok("read_file", json!({"path": path, "offset": 19999}))
        .await;
    assert!(read.contains("line 20000"), "{read}");
    assert_eq!(here.read(path), there.read(path));
}

#[tokio::test]
async fn what_nobody_kept_is_not_there_and_short_outputs_are_not_shared() {
    let objects: Arc<dyn ObjectStore> = Arc::new(MemoryObjects::default());
    let here = bench(&objects);
    here.ok("bash", json!({"command": "echo short"})).await;
    assert_eq!(objects.names("").await.unwrap(), [""; 0]);
    let refused = here
        .error("read_file", json!({"path": ".team/outputs/lead-none.txt"}))
        .await;
    assert!(refused.contains("does not exist"), "{refused}");
}

#[tokio::test]
async fn the_newest_outputs_are_kept() {
    let objects: Arc<dyn ObjectStore> = Arc::new(MemoryObjects::default());
    for number in 0..80 {
        let name = format!("output/{number:012x}/lead-{number}.txt");
        objects.put(&name, b"old".to_vec()).await.unwrap();
    }
    let here = bench(&objects);
    let long = "for i in $(seq 20000); do echo line $i; done";
    here.ok("bash", json!({"command": long})).await;
    let names = objects.names("output/").await.unwrap();
    assert_eq!(names.len(), 64);
    assert_eq!(names[0], format!("output/{:012x}/lead-17.txt", 17));
    assert!(names[63].ends_with("/lead-turn-1_call_1.txt"));
}
