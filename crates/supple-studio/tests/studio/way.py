"""Run by gdb on the tests of the window: writes which stretches of the sources a run takes between two marks, and what led there.

WAY_STRETCHES is a file of lines `FILE FIRST LAST`, the lines of a function each. Every time one of them is entered between
the functions `the_hand_moves` and `the_hand_rests`, WAY_PASSED gets a line: the places on the stack, `FILE:LINE`, innermost
first, as far as the stretch that leads there; functions that the compiler has put into others are among them.
"""

import itertools
import os
import re

import gdb

# So often is a line written down; loops would fill the file with themselves.
ENOUGH = 12
# So many lines of a function are watched: some of its copies may lack the first.
LINES = 3
OURS = re.compile(r"crates/(supple[^/]*/src/.*)$")


def place(sal):
    found = OURS.search(sal.symtab.filename) if sal.symtab else None
    return f"{found.group(1)}:{sal.line}" if found else None


class Passed(gdb.Breakpoint):
    """Notes the stack and goes on."""

    seen = 0

    def stop(self):
        self.seen += 1
        frame, stack = gdb.newest_frame(), []
        while frame is not None and not is_caller(stack):
            stack.extend(filter(None, [place(frame.find_sal())]))
            frame = frame.older()
        passed.write(" ".join(stack) + "\n")
        if self.seen == ENOUGH:
            self.enabled = False
        return False


def is_caller(stack):
    """Whether the outermost place so far is in a stretch of another file than the innermost: no more has to be known."""
    if not stack:
        return False
    file, line = stack[-1].split(":")
    return not stack[0].startswith(file + ":") and any(low <= int(line) <= high for low, high in stretches.get(file, ()))


def watch(file, first, last):
    """The first lines of a stretch that have instructions, wherever they were put."""
    lines = (line for line in range(first, last + 1) if has_code(file, line))
    for line in itertools.islice(lines, LINES):
        Passed(f"{file}:{line}")


def has_code(file, line):
    try:
        found = gdb.decode_line(f"{file}:{line}")[1]
    except gdb.error:
        return False
    return any(sal.line == line for sal in found or ())


stretches = {}
with open(os.environ["WAY_STRETCHES"]) as lines:
    for stretch in lines:
        file, first, last = stretch.split()
        stretches.setdefault(file, []).append((int(first), int(last)))

for setting in ("pagination off", "breakpoint pending off", "debuginfod enabled off", "print thread-events off"):
    gdb.execute(f"set {setting}")
gdb.Breakpoint("the_hand_moves")
gdb.Breakpoint("the_hand_rests")
gdb.execute("run")
with open(os.environ["WAY_PASSED"], "w") as passed:
    for file, parts in stretches.items():
        for first, last in parts:
            watch(file, first, last)
    gdb.execute("continue")
gdb.execute("kill")
