//! What keeps a motion from being made of keys, each naming the culprit and the way out.

/// What keeps a motion from being made of keys.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SparseError {
    /// The centre of mass never comes down to the height at which it lands.
    #[error(
        "segment {segment}: the flight never comes down to `land` = {height:.4}: it starts with {speed:.4} per \
         second upwards and gets no higher than {apex:.4}; lower `land`, or ask for a faster take-off"
    )]
    NeverLands {
        /// Which, the first 1.
        segment: usize,
        /// The height.
        height: f64,
        /// The highest it gets.
        apex: f64,
        /// How fast it rises at first, per second of the playback.
        speed: f64,
    },
    /// A flight that would take longer than any motion.
    #[error("segment {segment}: the flight would take {frames:.0} frames; raise `gravity` or `land`")]
    TooLong {
        /// Which, the first 1.
        segment: usize,
        /// How many.
        frames: f64,
    },
    /// A part that is longer than any motion.
    #[error("{}", too_many_frames(*segment, *frames, *most))]
    TooManyFrames {
        /// Which segment, the first 1; none if it is all of the motion.
        segment: Option<usize>,
        /// How many.
        frames: f64,
        /// The most it can have.
        most: usize,
    },
    /// A load that changes in time.
    #[error("load {load}: the method \"sparse\" takes constant forces; remove its `{key}`")]
    ChangingLoad {
        /// Which `[[load]]`, the first 1.
        load: usize,
        /// What says that it changes.
        key: &'static str,
    },
    /// A part of the body beside segments.
    #[error("`part` cannot be combined with segments, which have their own anchors; remove it")]
    PartOfSegments,
    /// Nothing can move.
    #[error("segment {segment}: its anchors hold the whole body; leave some of it free")]
    AllAnchored {
        /// Which, the first 1.
        segment: usize,
    },
}

fn too_many_frames(segment: Option<usize>, frames: f64, most: usize) -> String {
    match segment {
        Some(segment) => {
            format!(
                "segment {segment} is {frames} frames long, but at most {most} are possible; lower `frames`"
            )
        }
        None => format!(
            "the motion is {} frames long, but the method \"sparse\" makes at most {}; lower `frames` in [motion]",
            frames + 1.0,
            most + 1
        ),
    }
}
