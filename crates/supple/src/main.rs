//! The `supple` command line.
//!
//! Every command answers on stdout, as text or with `--json` as one JSON object; progress, warnings and
//! errors go to stderr. Exit code 0 is done, 1 failed, 2 wrong usage.

mod cli;
mod commands;
mod dispatch;
mod session;
mod text;

use clap::Parser;
use cli::Cli;
use session::Session;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return session::report_usage(&error),
    };
    let session = Session::start(cli.json);
    let result = cli
        .use_threads()
        .and_then(|()| cli.keep_inside())
        .and_then(|()| dispatch::run(cli.command.as_ref(), &session));
    session.finish(result)
}
