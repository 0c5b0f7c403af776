//! What a session says: the words are made in one place, and were texts that the window compared to know what they meant.

use supple_session::{JobError, JobKind, Notice, SessionError};

#[test]
fn every_notice_has_its_words() {
    let export = || JobKind::Export("film.glb".to_owned());
    let failed = |job, error| Notice::JobFailed { job, error };
    let said = [
        (Notice::Saved("film.toml".to_owned()), false, "Saved film.toml"),
        (Notice::NotSaved(SessionError::Untitled), true, "the shot is untitled; save it to a file first"),
        (
            Notice::NotAutosaved(SessionError::Untitled),
            true,
            "Autosave failed: the shot is untitled; save it to a file first",
        ),
        (failed(export(), JobError::Cancelled), true, "Export film.glb: cancelled"),
        (
            failed(export(), JobError::Panicked(export())),
            true,
            "Export film.glb: Export film.glb stopped because of a bug in Supple; save the shot and try again",
        ),
        (
            Notice::NotOpened(JobKind::OpenSample("bird")),
            true,
            "Open bird: not opened, because you changed the shot in the meantime; open it again",
        ),
        (Notice::Baked, false, "Baked: the edited motion is the new original. Undo restores the handles."),
        (Notice::BakeOutdated, true, "Not baked, because you changed the shot in the meantime; bake again"),
        (
            Notice::RecoveryOutdated,
            true,
            "Material not taken over, because you changed the shot in the meantime; recover it again",
        ),
    ];
    for (notice, is_error, words) in said {
        assert_eq!((notice.is_error(), notice.to_string().as_str()), (is_error, words));
    }
}

#[test]
fn jobs_are_called_by_what_they_do() {
    let file = || "film.toml".to_owned();
    let names =
        [JobKind::Import(file()), JobKind::Save(file()), JobKind::Bake, JobKind::Recover, JobKind::Autosave];
    assert_eq!(
        names.map(|kind| kind.to_string()),
        ["Import film.toml", "Save film.toml", "Bake", "Recover material", "Autosave"]
    );
}
