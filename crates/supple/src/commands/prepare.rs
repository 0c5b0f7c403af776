//! `supple prepare`: the modes of a shot's body, and its input motion where that is simulated.

use crate::session::Session;
use crate::text::Rows;
use std::path::PathBuf;
use supple_model::text::{count, counted, number};
use supple_project::method::material::Prepared;
use supple_project::prepare::{PrepareAnswer, PrepareOptions, prepare};

/// How many frequencies are shown.
const SHOWN: usize = 8;

/// Options of `supple prepare`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  supple prepare bridge/bridge.toml --modes 200\n\nJSON: shot, vertices, elements, \
                  element_kind, anchors, degrees_of_freedom, modes, rigid_modes, frequencies [Hz], worst_residual, \
                  orthonormality, count_below [1/s²], counted, found, from_cache, seconds, input [frames, contacts, \
                  from_cache, seconds], control [poses, segments, basis, seconds_per_frame], material [modes, basis, \
                  elements, cubature_error, held_out, is_close, curve [places, training, held_out], from_cache, seconds], warnings; \
                  input is null unless it is simulated, control and material unless that is the method"
)]
pub struct PrepareArgs {
    /// The shot file
    shot: PathBuf,
    /// Number of modes [default: from the shot]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    modes: Option<u32>,
}

pub fn run(args: &PrepareArgs, session: &Session) -> anyhow::Result<()> {
    let options = PrepareOptions { modes: args.modes.map(|modes| modes as usize) };
    session.answer(&prepare(&args.shot, &options, session.progress())?, text)
}

fn text(answer: &PrepareAnswer) -> String {
    let mut rows = Rows::default();
    let source = if answer.from_cache { "from the cache" } else { "computed and cached" };
    rows.add("shot", answer.shot.display())
        .add(
            "body",
            format!(
                "{} vertices, {} {}, {} anchored, {} degrees of freedom",
                count(answer.vertices),
                count(answer.elements),
                answer.element_kind,
                count(answer.anchors),
                count(answer.degrees_of_freedom)
            ),
        )
        .add("modes", format!("{}, {source}, {:.1} s in total", count(answer.modes), answer.seconds))
        .add("frequencies", frequencies(answer));
    if answer.rigid_modes > 0 {
        let rigid = counted(answer.rigid_modes, "rigid mode", "rigid modes");
        rows.add("rigid", format!("{rigid}: the body is free to move; add anchors to hold it"));
    }
    if let Some(input) = &answer.input {
        let source = if input.from_cache { "from the cache" } else { "simulated and cached" };
        rows.add(
            "input motion",
            format!(
                "{} frames, {}, {source}, {:.1} s",
                count(input.frames),
                counted(input.contacts, "contact", "contacts"),
                input.seconds
            ),
        );
    }
    if let Some(control) = &answer.control {
        rows.add(
            "control",
            format!(
                "{}, {} in the first basis, {} s of physical time per frame",
                counted(control.poses, "pose", "poses"),
                counted(control.basis, "shape", "shapes"),
                number(control.seconds_per_frame)
            ),
        );
    }
    if let Some(material) = &answer.material {
        rows.add("reduced warp", reduced(material));
    }
    rows.add(
        "checked",
        format!(
            "{} eigenvalues below {}, {} found\nlargest residual {:.1e}, orthonormal to {:.1e}",
            count(answer.counted),
            number(answer.count_below),
            count(answer.found),
            answer.worst_residual,
            answer.orthonormality
        ),
    );
    rows.to_string()
}

fn reduced(material: &Prepared) -> String {
    let source = if material.from_cache { "from the cache" } else { "computed and cached" };
    let whole = if material.is_close { "" } else { "; too much: all elements are looked at" };
    format!(
        "{} for edits of {}, {} looked at, {source}, {:.1} s\nmisses {} % of the edits it was made for, {} % of others{whole}",
        counted(material.basis, "shape", "shapes"),
        counted(material.modes, "mode", "modes"),
        counted(material.elements, "element", "elements"),
        material.seconds,
        number(100.0 * material.cubature_error),
        number(100.0 * material.held_out)
    )
}

fn frequencies(answer: &PrepareAnswer) -> String {
    let shown = answer.frequencies.iter().take(SHOWN).enumerate();
    let mut texts: Vec<String> =
        shown.map(|(k, f)| if k < answer.rigid_modes { "rigid".into() } else { number(*f) }).collect();
    if let Some(last) = answer.frequencies.last().filter(|_| answer.frequencies.len() > SHOWN) {
        texts.push(format!("… {}", number(*last)));
    }
    format!("{} Hz", texts.join(" "))
}
