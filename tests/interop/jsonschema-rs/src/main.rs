// What the crate jsonschema says of many schemas and values: a filter for the lines of ajv.mjs. A line with a schema is
// followed by its values; each comes out with a letter in front: v(alid), i(nvalid), r(efused),
// u(nknown: it panicked), ? (not asked: serde_json cannot read it).
use jsonschema::{Draft, Validator};
use serde_json::Value;
use std::io::{self, BufRead, BufWriter, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};

fn compile(schema: &Value) -> Option<Validator> {
    catch_unwind(|| {
        jsonschema::options()
            .with_draft(draft_of(schema))
            .should_validate_formats(false)
            .without_content_encoding_support("base64")
            .without_content_media_type_support("application/json")
            .offline()
            .build(schema)
            .ok()
    })
    .unwrap_or(None)
}

fn draft_of(schema: &Value) -> Draft {
    match schema.get("$schema").and_then(Value::as_str) {
        Some(uri) if uri.contains("draft-04") => Draft::Draft4,
        Some(uri) if uri.contains("draft-06") => Draft::Draft6,
        Some(uri) if uri.contains("draft-07") => Draft::Draft7,
        Some(uri) if uri.contains("2019-09") => Draft::Draft201909,
        _ => Draft::Draft202012,
    }
}

fn check(validator: &Validator, value: &Value) -> char {
    match catch_unwind(AssertUnwindSafe(|| validator.is_valid(value))) {
        Ok(true) => 'v',
        Ok(false) => 'i',
        Err(_) => 'u',
    }
}

fn run() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut validator = None;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let parsed: Option<Value> = serde_json::from_str(&line).ok();
        let letter = match parsed.as_ref() {
            None => '?',
            Some(case) => match (case.get("schema"), &validator) {
                (Some(schema), _) => {
                    validator = compile(schema);
                    if validator.is_some() { 'v' } else { 'r' }
                }
                (None, Some(validator)) => check(validator, &case["value"]),
                (None, None) => 'r',
            },
        };
        writeln!(out, "{letter}{line}")?;
    }
    out.flush()
}

fn main() -> io::Result<()> {
    std::panic::set_hook(Box::new(|_| {}));
    // Recursive schemas take much stack.
    std::thread::Builder::new().stack_size(1 << 28).spawn(run)?.join().unwrap()
}
