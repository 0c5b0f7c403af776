"""Makes a wheel of the package and a module that was compiled: pack.py MODULE FOLDER.

`maturin` compiles what it packs, with the features of one crate alone: a second build of all libraries. What `./check` tests is
packed here instead, out of the one build there is; a release is made by `maturin`.
"""

from __future__ import annotations

import base64
import hashlib
import re
import sys
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TAG = "cp311-abi3-linux_x86_64"


def pack(module: Path, folder: Path) -> Path:
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    version = tomllib.loads((HERE.parent / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    name = f"{project['name']}-{version}"
    about = f"{name}.dist-info"
    files: dict[str, bytes] = {}
    for file in sorted((HERE / "src" / "supple").rglob("*")):
        if file.suffix in {".py", ".pyi", ".typed"}:
            files[file.relative_to(HERE / "src").as_posix()] = file.read_bytes()
    files["supple/_core.abi3.so"] = module.read_bytes()
    metadata = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        f"Requires-Python: {project['requires-python']}",
    ]
    for notice in sorted(file for pattern in project["license-files"] for file in HERE.glob(pattern)):
        name_of = notice.relative_to(HERE).as_posix()
        metadata.append(f"License-File: {name_of}")
        files[f"{about}/licenses/{name_of}"] = notice.read_bytes()
    metadata += [f"Requires-Dist: {needed}" for needed in project["dependencies"]]
    for extra, needs in project["optional-dependencies"].items():
        metadata.append(f"Provides-Extra: {extra}")
        metadata += [f"Requires-Dist: {needed} ; extra == '{extra}'" for needed in needs]
    files[f"{about}/METADATA"] = ("\n".join(metadata) + "\n").encode()
    wheel = f"Wheel-Version: 1.0\nGenerator: supple\nRoot-Is-Purelib: false\nTag: {TAG}\n"
    files[f"{about}/WHEEL"] = wheel.encode()
    rows = [f"{path},sha256={_hash(data)},{len(data)}" for path, data in files.items()]
    files[f"{about}/RECORD"] = "\n".join([*rows, f"{about}/RECORD,,", ""]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{re.sub('[-_.]+', '_', project['name'])}-{version}-{TAG}.whl"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED, 1)
    return target


def _hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    print(pack(Path(sys.argv[1]), Path(sys.argv[2])))
