//! One run of the program: how it answers, shows progress, hears Ctrl-C and ends.

use crate::text::message;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::json;
use std::fmt::{self, Display};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use supple_model::{Progress, ProgressSink};

/// Steps of the progress bar.
const BAR_STEPS: f64 = 1000.0;

/// What was asked for was answered, and the answer is not what it should be.
#[derive(Debug)]
pub struct Failed(pub String);

impl Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failed {}

/// One run of the program.
pub struct Session {
    /// Whether answers are JSON.
    pub json: bool,
    progress: Progress,
    terminal: Arc<Terminal>,
}

impl Session {
    /// Begins a run; from now on Ctrl-C cancels its work.
    pub fn start(json: bool) -> Self {
        let terminal = Arc::new(Terminal { bar: io::stderr().is_terminal().then(bar) });
        let progress = Progress::new(terminal.clone());
        let running = progress.clone();
        // Without a handler Ctrl-C ends the program at once, which is as good as can be had then.
        let _ = ctrlc::set_handler(move || {
            if running.check().is_err() {
                // Asked for a second time: do not wait for the work to hear it.
                std::process::exit(1);
            }
            running.cancel();
        });
        Self { json, progress, terminal }
    }

    /// What long work reports to, and is cancelled through.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Prints the answer of a command: its JSON, or its text.
    pub fn answer<A: Serialize>(&self, answer: &A, text: impl FnOnce(&A) -> String) -> anyhow::Result<()> {
        self.terminal.clear();
        let text = if self.json { serde_json::to_string_pretty(answer)? } else { text(answer) };
        print(&text).context("cannot write the result")
    }

    /// Ends the run: reports its error, if any, and says how the program exits.
    pub fn finish(&self, result: anyhow::Result<()>) -> ExitCode {
        self.terminal.clear();
        let Err(error) = result else { return ExitCode::SUCCESS };
        if let Some(failed) = error.downcast_ref::<Failed>() {
            eprintln!("error: {failed}");
            return ExitCode::FAILURE;
        }
        let message = if self.progress.check().is_err() { "cancelled".into() } else { message(&error) };
        report(&message, self.json);
        ExitCode::FAILURE
    }
}

/// Reports arguments that make no sense, or shows the help asked for; says how the program exits.
pub fn report_usage(error: &clap::Error) -> ExitCode {
    // Nothing is left to be done when even this cannot be printed.
    let _ = error.print();
    if error.use_stderr() && std::env::args_os().any(|argument| argument == "--json") {
        let text = error.render().to_string();
        let text = text.trim_start_matches("error: ").split("\n\nUsage:").next().unwrap_or_default();
        print_json_error(text.trim());
    }
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}

fn report(message: &str, json: bool) {
    eprintln!("error: {message}");
    if json {
        print_json_error(message);
    }
}

fn print_json_error(message: &str) {
    // It has been said on stderr already.
    let _ = print(&json!({ "error": message }).to_string());
}

/// Prints text with a line end. Who reads only the beginning of it, as `head` does, has what he wanted.
fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{}", text.trim_end()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Where work is heard of: warnings on stderr, and a progress bar if that is a terminal.
struct Terminal {
    bar: Option<ProgressBar>,
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::new(BAR_STEPS as u64);
    let style = ProgressStyle::with_template("{msg:<20} {bar:40} {percent:>3} %  {elapsed}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

impl Terminal {
    /// Takes the bar away, to make room for text.
    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl ProgressSink for Terminal {
    fn update(&self, stage: &str, fraction: f64) {
        let Some(bar) = &self.bar else { return };
        // A bar that was cleared for a text comes back with the next stage.
        if bar.is_finished() {
            bar.reset();
        }
        if bar.message() != stage {
            bar.set_message(stage.to_owned());
        }
        bar.set_position((fraction * BAR_STEPS) as u64);
    }

    fn warn(&self, warning: &str) {
        self.clear();
        eprintln!("warning: {warning}");
    }
}
