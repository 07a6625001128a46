// The crate jsonschema on corpora: the folders that are its arguments, each with a schema-noformat.json and an
// instances.jsonl. Prints lines "CASE rust_ns VALUE", the fastest of many runs over all documents, per document.
use serde_json::Value;
use std::fs::read_to_string;
use std::path::Path;
use std::time::{Duration, Instant};

const MEASURED: Duration = Duration::from_millis(300);

fn measure(folder: &Path) -> Option<f64> {
    let schema = serde_json::from_str(&read_to_string(folder.join("schema-noformat.json")).ok()?).ok()?;
    let text = read_to_string(folder.join("instances.jsonl")).ok()?;
    let documents: Vec<Value> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let validator = jsonschema::options().should_validate_formats(false).build(&schema).ok()?;
    let start = Instant::now();
    let mut best = f64::MAX;
    while start.elapsed() < MEASURED {
        let run = Instant::now();
        for document in &documents {
            std::hint::black_box(validator.is_valid(document));
        }
        best = best.min(run.elapsed().as_nanos() as f64 / documents.len() as f64);
    }
    Some(best)
}

fn main() {
    for folder in std::env::args().skip(1) {
        let path = Path::new(&folder);
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        match measure(path) {
            Some(ns) => println!("{name} rust_ns {ns:.1}"),
            None => println!("{name} refused jsonschema"),
        }
    }
}
