"""Answers: what a command's ``--json`` prints, with its keys as attributes."""

from __future__ import annotations

import json
from typing import Any


class Record(dict[str, Any]):
    """An answer. Its keys are those of the command's ``--json``; they are attributes, too.

    >>> answer = Record(status="settled", handles=[Record(error=0.0)])
    >>> answer.status, answer["handles"][0].error
    ('settled', 0.0)

    A key that is also a method of ``dict``, as ``keys``, is reached as ``answer["keys"]``.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no {name!r} here; there are {', '.join(self)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]


def record(text: str) -> Record:
    """The answer in a text of JSON."""
    answer = json.loads(text, object_hook=Record)
    assert isinstance(answer, Record)
    return answer
