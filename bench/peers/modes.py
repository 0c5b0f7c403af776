"""Modes by SciPy's eigsh with CHOLMOD: the peer of `supple bench modes --peers`.

usage: modes.py FOLDER COUNT

Reads the matrices `supple` wrote to FOLDER (stiffness in compressed columns, lower triangle: columns.u64,
rows.u64, values.f64; masses.f64, one per unknown), finds the COUNT lowest eigenpairs of K x = lambda M x
in shift-invert mode around a shift just below zero, and prints one line of JSON:
seconds (factorization and iteration; reading and set-up excluded) and the largest residual.

The first run makes a virtual environment beside this file (.venv) with SciPy and scikit-sparse.
scikit-sparse is compiled against CHOLMOD and a BLAS: libsuitesparse-dev libopenblas-dev gcc
python3-dev python3-venv on Debian.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

PACKAGES = ["numpy", "scipy", "scikit-sparse==0.4.16"]
DEBIAN = "libsuitesparse-dev libopenblas-dev gcc python3-dev python3-venv"


def in_environment():
    """Runs this script again inside its virtual environment, made on first use."""
    folder = Path(__file__).resolve().parent / ".venv"
    python = folder / "bin" / "python"
    if Path(sys.prefix) == folder:
        return
    if not (folder / "ready").exists():
        try:
            subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True, stdout=sys.stderr)
            subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES], check=True, stdout=sys.stderr)
        except subprocess.CalledProcessError as error:
            sys.exit(f"{error}\nthe peer needs these Debian packages: apt-get install {DEBIAN}")
        (folder / "ready").touch()
    os.execv(python, [python, __file__, *sys.argv[1:]])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    in_environment()

    import numpy as np
    from scipy.sparse import csc_matrix, diags
    from scipy.sparse.linalg import LinearOperator, eigsh
    from sksparse.cholmod import cholesky

    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    columns = np.fromfile(folder / "columns.u64", dtype="<u8").astype(np.int32)
    rows = np.fromfile(folder / "rows.u64", dtype="<u8").astype(np.int32)
    values = np.fromfile(folder / "values.f64", dtype="<f8")
    masses = np.fromfile(folder / "masses.f64", dtype="<f8")
    n = len(masses)
    lower = csc_matrix((values, rows, columns), shape=(n, n))
    stiffness = (lower + lower.T - diags(lower.diagonal())).tocsc()
    mass = diags(masses).tocsc()
    # As for Supple: positive definite even when the body floats.
    shift = -1e-6 * float((abs(stiffness) @ np.ones(n) / masses).max())

    start = time.perf_counter()
    factor = cholesky((stiffness - shift * mass).tocsc())
    inverse = LinearOperator((n, n), matvec=factor, dtype=np.float64)
    eigenvalues, vectors = eigsh(
        stiffness, k=count, M=mass, sigma=shift, OPinv=inverse, which="LM", tol=1e-10
    )
    seconds = time.perf_counter() - start

    forces = stiffness @ vectors
    errors = np.linalg.norm(forces - (mass @ vectors) * eigenvalues, axis=0)
    elastic = eigenvalues > 1e-12 * (-1e6 * shift)
    residual = float((errors / np.linalg.norm(forces, axis=0))[elastic].max())
    print(json.dumps({"seconds": seconds, "residual": residual, "lowest": float(eigenvalues.min()),
                      "highest": float(eigenvalues.max())}))


main()
