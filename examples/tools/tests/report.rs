//! The programs as a user runs them.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn logreport(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_logreport"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("logreport starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    stdin.write_all(input.as_bytes()).expect("logreport reads");
    drop(stdin);
    child.wait_with_output().expect("logreport ends")
}

#[test]
fn a_log_from_standard_input_is_counted() {
    let log = "10.0.0.1 1 GET /cart/page1 200 10 5\n10.0.0.2 2 GET /help 404 1 9\nno record\n";
    let output = logreport(&["-"], log);
    let text = String::from_utf8(output.stdout).expect("the report is UTF-8");

    assert!(output.status.success());
    assert!(text.contains("lines about the cart: 1\n"), "{text}");
    assert!(text.contains("lines left out: 1\n"), "{text}");
}

#[test]
fn a_file_that_is_not_there_is_a_failure_with_a_message() {
    let output = logreport(&["/nowhere/access.log"], "");

    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("logreport: error: "));
}

#[test]
fn crunch_names_its_threads() {
    let output = Command::new(env!("CARGO_BIN_EXE_crunch"))
        .arg("1")
        .output()
        .expect("crunch runs");
    let text = String::from_utf8_lossy(&output.stdout);

    assert!(output.status.success());
    if std::path::Path::new("/proc/thread-self/schedstat").exists() {
        for thread in ["parser", "indexer", "ranker"] {
            assert!(text.contains(thread), "{text}");
        }
    }
}
