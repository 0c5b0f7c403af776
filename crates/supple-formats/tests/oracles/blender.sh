#!/usr/bin/env bash
# `blender --background … --python-expr CODE -- ARGUMENTS` by the module bpy: put this on the PATH as `blender`.
set -euo pipefail
code=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    if [ "$1" = --python-expr ]; then
        code=$2
        shift
    fi
    shift
done
exec "${SUPPLE_ORACLES:?names the virtual environment}/bin/python" -c "$code
import os, sys
sys.stdout.flush()
os._exit(0)" "$@"
