#!/usr/bin/env bash
# Runs the oracles: run.sh [ENVIRONMENT]
# Makes the virtual environment when it is not there (needs the network), then the tests that are ignored
# otherwise. Fails when anything is missing; nothing is skipped.
set -euo pipefail
environment=${1:-${SUPPLE_ORACLES:-$PWD/target/oracles}}
packages=('usd-core>=25' 'trimesh>=4' 'meshio>=5' 'numpy' 'bpy==4.5.*')
if ! "$environment/bin/python" -c 'import pxr, trimesh, meshio, numpy' 2>/dev/null ||
    ! ls "$environment"/lib/python3*/site-packages/bpy >/dev/null 2>&1; then
    python3 -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' ||
        { echo "run.sh: the module bpy 4.5 needs python3 3.11" >&2; exit 1; }
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet "${packages[@]}"
fi
environment=$(cd "$environment" && pwd)
cd "$(dirname "$0")/../.."
# A `blender` that runs the module, for the conversion of Alembic.
mkdir -p "$environment/programs"
ln -sf "$PWD/tests/oracles/blender.sh" "$environment/programs/blender"
export PATH="$environment/programs:$PATH" SUPPLE_ORACLES="$environment"
cargo test --locked -p supple-formats --test oracles -- --ignored
