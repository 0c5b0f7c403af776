"""Motions as Blender makes them, for `supple bench feel`: make.py DIR [--small] [--only NAME ...]

Writes the files and motions.json: name, file, fps and the options `supple new` needs. Nothing is random that has no seed.
Needs the module bpy 4.5, which crates/supple-formats/tests/oracles/run.sh installs:

    target/oracles/bin/python bench/motions/make.py motions

--small  at most 1,500 vertices and 60 frames each
--only   these alone; the manifest keeps the others it has
"""
import argparse
import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import bodies
import cloths

MOTIONS = {
    "curtain": cloths.curtain,
    "flag": cloths.flag,
    "cape": cloths.cape,
    "jelly": bodies.jelly,
    "walker": bodies.walker,
    "figure": bodies.figure,
    "face": bodies.face,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--only", nargs="+", choices=MOTIONS, default=list(MOTIONS))
    asked = parser.parse_args()
    os.makedirs(asked.folder, exist_ok=True)
    manifest = os.path.join(asked.folder, "motions.json")
    made = {}
    if os.path.exists(manifest):
        with open(manifest) as file:
            made = {entry["name"]: entry for entry in json.load(file)}
    for name in asked.only:
        start = time.time()
        made[name] = MOTIONS[name](asked.folder, asked.small)
        print(f"{name}: {made[name]['file']}, {time.time() - start:.1f} s", flush=True)
    with open(manifest, "w") as file:
        json.dump([made[name] for name in MOTIONS if name in made], file, indent=1)


main()
sys.stdout.flush()
sys.stderr.flush()
# The interpreter may hang at its end.
os._exit(0)
