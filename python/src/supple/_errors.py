"""What goes wrong, by what is to blame.

Wrong arguments are ``ValueError`` and ``TypeError``, as everywhere in Python. What is wrong with a shot, a file, a body, a
motion or a handle is an `Error`. A motion that was not found to the end is no error: reports have a ``status``.
"""

from __future__ import annotations


class Error(Exception):
    """Something that Supple cannot do; the message names the culprit and the way out."""


class ShotError(Error):
    """A shot says something that it cannot say."""

    #: The file, where the shot was read from one.
    file: str | None = None
    #: The line, counted from 1.
    line: int | None = None
    #: The character in that line, counted from 1.
    column: int | None = None


class FormatError(Error):
    """A file cannot be read or written."""


class BodyError(Error):
    """A surface makes no body, or a body cannot do what is asked of it."""


class MotionError(Error):
    """Frames that are not there, or not numbers."""

    #: The scene's number of the frame, where it is one.
    frame: int | None = None


class HandleError(Error, ValueError):
    """A handle that cannot be."""

    #: Which, the first 1, where it is one of a shot.
    handle: int | None = None


class Cancelled(Error):
    """The work was ended. Raise it in ``progress`` to end a call."""
