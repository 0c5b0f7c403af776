#!/usr/bin/env bash
# Other programs read what is written here, and what they write is read: run.sh [--ready|--offline] [ENVIRONMENT]
#   ENVIRONMENT  the virtual environment with those programs, target/oracles without; made when it is not there or has
#                others than those named below, which needs the network
#   --ready      only says, by its exit code, whether the environment is there
#   --offline    makes nothing, and lets cargo fetch nothing
# Fails when anything is missing; nothing is skipped.
set -euo pipefail
cd "$(dirname "$0")/../../../.."

ready_only=false
offline=()
while [ $# -gt 0 ]; do
    case "$1" in
        --ready) ready_only=true ;;
        --offline) offline=(--offline) ;;
        -*) echo "run.sh: unknown option $1 (there are --ready and --offline)" >&2; exit 2 ;;
        *) break ;;
    esac
    shift
done
environment=${1:-${SUPPLE_ORACLES:-${CARGO_TARGET_DIR:-target}/oracles}}
packages=('usd-core>=25' 'meshio>=5' 'trimesh>=4' 'bpy==4.5.*')

# Written last, so that an environment that was left half made is made anew.
stamp=$environment/supple-oracles
is_ready() {
    [ "$(cat "$stamp" 2>/dev/null)" = "${packages[*]}" ] &&
        "$environment/bin/python" -c 'import pxr, trimesh, meshio, numpy' 2>/dev/null
}
if $ready_only; then
    is_ready
    exit
fi

if ! is_ready; then
    [ ${#offline[@]} = 0 ] || { echo "run.sh: there is no environment in $environment, and --offline makes none" >&2; exit 1; }
    python=
    for candidate in python3.11 python3 /usr/bin/python3.11 /usr/bin/python3; do
        if "$candidate" -c 'import sys, venv; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null; then
            python=$candidate
            break
        fi
    done
    [ -n "$python" ] || { echo "run.sh: the module bpy 4.5 needs Python 3.11 with venv, and there is none" >&2; exit 1; }
    rm -rf "$environment"
    "$python" -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check --no-cache-dir "${packages[@]}"
    echo "${packages[*]}" >"$stamp"
    is_ready || { echo "run.sh: what was installed in $environment cannot be imported" >&2; exit 1; }
fi

environment=$(cd "$environment" && pwd)
# A `blender` that runs the module, for the conversion of Alembic.
mkdir -p "$environment/programs"
ln -sf "$PWD/crates/supple-formats/tests/oracles/blender.sh" "$environment/programs/blender"
export PATH="$environment/programs:$PATH" SUPPLE_ORACLES="$environment"
# Of the whole workspace, as everything else is built: some crates alone would be built with other features.
cargo test --locked "${offline[@]}" --workspace --test tests -- --ignored oracles::
