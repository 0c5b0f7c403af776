"""Ten thousand calls of all kinds, right and wrong: what comes out is a value or an error with words, never a panic."""

from __future__ import annotations

import gc
import random

import numpy as np
from conftest import sheet

import supple

CALLS = 10_000


def resident() -> int:
    """Bytes of this process that are in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def number(dice: random.Random) -> object:
    return dice.choice([0, 1, -1, 12, 143, 144, 2**31, -(2**40), 0.5, 1e300, np.nan, np.inf, "x", None, (), True])


def vector(dice: random.Random) -> object:
    if dice.random() < 0.7:
        return tuple(dice.uniform(-0.2, 0.2) for _ in range(3))
    return dice.choice([(), (1, 2), (np.nan, 0, 0), (1e300, 0, 0), "abc", 3, None, np.zeros(3), np.zeros((3, 3))])


def handle(dice: random.Random) -> dict[str, object]:
    when = {dice.choice(["frame", "frames", "at", "when"]): number(dice)}
    if dice.random() < 0.7:
        when = {"frame": dice.randint(0, 31)}
    where = {dice.choice(["vertex", "vertices", "group", "near", "joint", "offset"]): number(dice)}
    if dice.random() < 0.7:
        where = {"vertex": dice.randint(0, 144)}
    what = {dice.choice(["by", "to", "velocity", "stay", "plane", "turn", "inside"]): vector(dice)}
    if dice.random() < 0.7:
        what = {"by": vector(dice)}
    more = dice.choice([{}, {}, {"hold": number(dice)}, {"axes": "xz"}, {"muted": True}, {"points": "each"}])
    return {**when, **where, **what, **more}


def keys(dice: random.Random) -> str:
    names = ["edit", "modes", "reach", "handle", "0", "by", "body", "kind", "motion", "fps", "method", "damping", "x", ""]
    return ".".join(dice.choice(names) for _ in range(dice.randint(1, 4)))


def test_nothing_panics_and_nothing_leaks():
    dice = random.Random(7)
    points, faces = sheet(side=12, frames=30)
    shot = supple.Shot.of(points, faces)
    shot["edit.modes"] = 12
    live = supple.Session(shot)
    rooms = [np.empty((144, 3), np.float32), np.empty((144, 3)), np.empty((3, 3)), np.empty((144, 3), int), None, "x"]
    held: list[int] = []

    def drag() -> None:
        with live.grab(dice.choice(held or [0]), frame=dice.randint(-1, 33)) as hand:
            for _ in range(dice.randint(1, 4)):
                hand.move(vector(dice), out=dice.choice(rooms))

    def keep_few() -> None:
        held.append(live.add(handle(dice)))
        while len(held) > 4:
            live.remove(held.pop(0))

    calls = [
        keep_few,
        keep_few,
        drag,
        lambda: live.remove(dice.choice([*held, 99, -1, 2**40])),
        lambda: live.read(dice.choice([1, 12, 30, 0, 31, 2**40, "x"]), out=dice.choice(rooms)),
        lambda: live.read_input(dice.choice([1, 12, 30, 0, 31]), out=dice.choice(rooms)),
        lambda: live.handles,
        lambda: shot[keys(dice)],
        lambda: shot.__setitem__(keys(dice), number(dice)),
        lambda: supple.Shot.of(points, faces).handles.append(handle(dice)) if dice.random() < 0.02 else None,
        lambda: supple.Handle(**handle(dice)),
        lambda: supple.Shot.parse(dice.choice(["", "x", "[body]", "[body]\nkind='solid'\nmesh='a'", "\x00", "[" * 99])),
    ]
    outcomes: dict[str, int] = {}
    begin = 0
    for count in range(CALLS):
        if count == CALLS // 4:
            gc.collect()
            begin = resident()
        try:
            dice.choice(calls)()
            name = "done"
        except (supple.Error, ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
            assert str(error)
            name = type(error).__name__
        outcomes[name] = outcomes.get(name, 0) + 1
        held[:] = [key for key in held if key in live.handles] if count % 50 == 0 else held
    gc.collect()
    assert outcomes["done"] > CALLS // 4 and outcomes["HandleError"] > 100, outcomes
    assert resident() - begin < 64 << 20
    live.close()
