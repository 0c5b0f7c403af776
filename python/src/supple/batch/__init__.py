"""Many shots, here or on a farm: ``python -m supple.batch jobs.toml``.

- `read_jobs`: the jobs a file asks for, sweeps spread out;
- `do`: one job, from a shot to its results;
- `Row`: what became of it.
"""

from ._jobs import Job, Plan, read_jobs
from ._task import Row, do

__all__ = ["Job", "Plan", "Row", "do", "read_jobs"]
