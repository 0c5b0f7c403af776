"""The pages of the documentation and the docstrings do what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import numpy as np
import pytest
from conftest import sheet

import supple
from supple.batch import read_jobs

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "python/README.md", *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))]


def blocks(page: str, language: str) -> list[str]:
    """The blocks of a page in a language."""
    text = (ROOT / page).read_text()
    return re.findall(rf"^```{language}[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")])
def test_pages_do_what_they_tell(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    points, faces = sheet(side=14, frames=72)
    np.save("cape.npy", points)
    np.save("faces.npy", np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]]))
    # What pages take as given, and what a block before has made.
    known: dict[str, object] = {"points": points, "faces": faces}
    for block in blocks(page, "python"):
        exec(compile(block, page, "exec"), known)


def test_the_jobs_of_the_page_are_read(tmp_path):
    (text,) = blocks("docs/python.md", "toml")
    (tmp_path / "jobs.toml").write_text(text)
    jobs = read_jobs(tmp_path / "jobs.toml").jobs
    assert [job.name for job in jobs][:2] == ["cape", "bird-stiffness=0-young=100000"] and len(jobs) == 5


@pytest.mark.parametrize("name", [module.name for module in pkgutil.walk_packages(supple.__path__, "supple.")])
def test_docstrings_do_what_they_tell(name, monkeypatch):
    if name.endswith(("_core", "__main__")):
        return
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, extraglobs={"np": np, **vars(supple)}, optionflags=doctest.ELLIPSIS)
    assert failed == 0
