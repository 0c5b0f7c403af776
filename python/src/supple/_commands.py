"""The commands of the command line, as functions of files. Each answers what its ``--json`` prints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from . import _core
from ._record import Record, record
from ._shot import Path, Progress


def threads(count: int | None = None) -> int:
    """How many threads work has, and from now on shall have; 0 is one for each core, or what RAYON_NUM_THREADS says.

    >>> before = threads(2)
    >>> threads(before)
    2
    """
    return _core.threads(count)


def samples() -> Record:
    """The built-in shots.

    >>> [sample.name for sample in samples().samples][:2]
    ['bar', 'beam']
    """
    return record(_core.samples())


def sample(name: str, folder: Path | None = None, *, full: bool = False, progress: Progress = None) -> Record:
    """Writes the built-in shot of this name with its files; ``full`` is as large as in the paper."""
    return record(_core.sample(name, folder, full, progress))


def info(file: Path, *, progress: Progress = None) -> Record:
    """What is in a file: a shot, a mesh, a motion, a scene, a skeleton, a table."""
    return record(_core.info(file, progress))


def convert(
    input: Path,
    output: Path,
    *,
    topology: Path | None = None,
    object: str | None = None,
    unit: str | float | None = None,
    up: str | None = None,
    start: int | None = None,
    fps: float | None = None,
    progress: Progress = None,
) -> Record:
    """Writes a motion in another format, which the ending says."""
    options = {
        "topology": topology,
        "object": object,
        "unit": None if unit is None else str(unit),
        "up": up,
        "start": start,
        "fps": fps,
    }
    return record(_core.convert(input, output, options, progress))


def prepare(shot: Path, *, modes: int | None = None, progress: Progress = None) -> Record:
    """Computes the modes of a shot's body, and its input where that is simulated, and keeps them in its cache."""
    return record(_core.prepare(shot, modes, progress))


def simulate(
    shot: Path,
    output: Path,
    *,
    frames: int | None = None,
    skin: bool = False,
    forces: Path | None = None,
    track: bool = False,
    progress: Progress = None,
) -> Record:
    """Simulates the body of a shot and writes its motion, and its contacts beside it."""
    return record(_core.simulate(shot, output, frames, skin, forces, track, progress))


def pose(
    shot: Path, output: Path, *, weight: bool = False, skin: bool = False, progress: Progress = None
) -> Record:
    """Finds the equilibrium of a body under the loads and pins of its shot, and writes it, a mesh."""
    return record(_core.pose(shot, output, weight, skin, progress))


def recover(
    shot: Path,
    output: Path | None = None,
    *,
    frames: tuple[int, int] | None = None,
    progress: Progress = None,
) -> Record:
    """Recovers the material of the motion of a shot; ``output`` is a shot with what was found."""
    return record(_core.recover(shot, output, frames, progress))


def plants(shot: Path, *, progress: Progress = None) -> Record:
    """Adds a handle to a shot wherever a foot of its character stands."""
    return record(_core.plants(shot, progress))


def clean(
    input: Path,
    output: Path,
    *,
    unit: str | float | None = None,
    up: str | None = None,
    progress: Progress = None,
) -> Record:
    """Takes the sliding of feet out of a captured motion, a ``.bvh``."""
    return record(_core.clean(input, output, None if unit is None else str(unit), up, progress))


def render(
    file: Path,
    output: Path,
    *,
    size: tuple[int, int] | None = None,
    view: str = "three-quarter",
    up: str | None = None,
    eye: Sequence[float] | None = None,
    target: Sequence[float] | None = None,
    angle: float = 28.0,
    turntable: bool = False,
    frame: int | None = None,
    frames: tuple[int, int] | None = None,
    every: int | None = None,
    fps: float | None = None,
    sheet: int | None = None,
    strobe: int | None = None,
    input: bool = False,
    ghost: bool = False,
    spline: bool = False,
    streamers: Iterable[int | str] = (),
    handles: bool = False,
    contacts: bool = False,
    keys: bool = False,
    topology: Path | None = None,
    object: str | None = None,
    mode: int | None = None,
    amplitude: float = 0.1,
    colour: str | None = None,
    drawn: str | None = None,
    anchors: bool = False,
    wireframe: bool = False,
    floor: bool | float | None = None,
    caption: bool = True,
    progress: Progress = None,
) -> Record:
    """Draws a shot, a motion or a mesh: a ``.png``, or a ``.gif`` or ``.mp4`` that moves. No window is needed.

    ``floor`` is that of the shot's simulation, a height, ``True`` for the lowest point or ``False`` for none; ``drawn`` is
    ``"skin"``, ``"body"`` or ``"bones"``, ``colour`` ``"displacement"``, ``"strain"`` or ``"edit"``.
    """
    options = dict(locals())
    for name in ("file", "output", "progress"):
        del options[name]
    options["streamers"] = [str(point) for point in streamers]
    match floor:
        case None:
            options["floor"] = "shot"
        case True:
            options["floor"] = "lowest"
        case False:
            options["floor"] = "none"
        case height:
            options["floor"] = repr(float(height))
    return record(_core.render(file, output, options, progress))
