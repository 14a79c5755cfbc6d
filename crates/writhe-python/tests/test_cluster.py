"""The book's lines for Slurm and Kubernetes: the first run with an ``sbatch`` that runs jobs on this
machine, the second make a cluster that its own schema takes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import ROOT, hanging

import writhe

PAGE = ROOT / "docs/book/src/sweeps.md"

#: Runs a job script at once, as a group of processes of its own.
SBATCH = """#!/bin/sh
cp "$1" "$JOBS/$$.sh"
setsid sh "$JOBS/$$.sh" > "$JOBS/$$.out" 2>&1 &
echo $! > "$JOBS/$$.pid"
echo "Submitted batch job $$"
"""
SCANCEL = """#!/bin/sh
for job in "$@"; do kill -- -$(cat "$JOBS/$job.pid"); done
"""


def lines(word: str) -> str:
    """What stands in the fence of the page that names ``word``."""
    parts = PAGE.read_text(encoding="utf-8").split("```python no-run\n")[1:]
    (block,) = [block for part in parts if word in (block := part.split("```")[0])]
    return block


def kill(pid_file: Path) -> None:
    """Ends a job as a scheduler does at its wall time, with what it has begun."""
    os.killpg(int(pid_file.read_text()), signal.SIGKILL)


@pytest.mark.skipif(sys.platform != "linux", reason="jobs are groups of processes")
def test_the_lines_for_slurm_run_a_sweep_whose_jobs_all_end_in_its_middle(tmp_path: Path) -> None:
    pytest.importorskip("dask_jobqueue", reason="dask-jobqueue is not installed")
    pytest.importorskip("xarray")
    jobs, programs = tmp_path / "jobs", tmp_path / "bin"
    jobs.mkdir()
    programs.mkdir()
    for name, text in [("sbatch", SBATCH), ("scancel", SCANCEL)]:
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    output = writhe.Output(every=0.05, checkpoint_every=0.1)
    scene = hanging(41, time=writhe.Time(duration=0.4, step="1 ms"), output=output)
    (tmp_path / "knot.toml").write_text(scene.to_toml())
    script = lines("SLURMCluster").replace("/shared", str(tmp_path))
    assert script.count("=50") == 2
    script = script.replace("=50", "=2")
    indented = "".join(f"    {line}\n" for line in script.splitlines())
    (tmp_path / "client.py").write_text(
        f"if __name__ == '__main__':\n{indented}"
        "    print(cluster.job_script())\n"
        "    assert (data.outcome == 'finished').all() and data.outcome.size == 8\n"
        "    cluster.close()\n"
    )
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "JOBS": str(jobs)}
    with open(tmp_path / "told.txt", "w") as told:
        client = subprocess.Popen(
            [sys.executable, "client.py"], cwd=tmp_path, env=environment, stdout=told, stderr=told
        )
    try:
        folder, start = tmp_path / "sweeps/mu", time.monotonic()
        while len(list(folder.glob("*/summary.json"))) < 2:
            assert client.poll() is None, (tmp_path / "told.txt").read_text()
            assert time.monotonic() < start + 120, "no run came to its end"
            time.sleep(0.02)
        first = sorted(jobs.glob("*.pid"))
        assert len(first) == 2
        for job in first:
            kill(job)
        code = client.wait(timeout=240)
        assert code == 0, (tmp_path / "told.txt").read_text()
        assert len(list(jobs.glob("*.pid"))) >= 4
    finally:
        client.kill()
        for job in jobs.glob("*.pid"):
            try:
                kill(job)
            except ProcessLookupError:
                pass
    asked = {line.removeprefix("#SBATCH ") for line in (tmp_path / "told.txt").read_text().splitlines()}
    assert {"-p normal", "-n 1", "--cpus-per-task=1", "--mem=2G", "-t 04:00:00"} <= asked


def test_the_lines_for_kubernetes_make_a_cluster_of_the_schema() -> None:
    kubernetes = pytest.importorskip("dask_kubernetes", reason="dask-kubernetes is not installed")
    jsonschema = pytest.importorskip("jsonschema")
    yaml = pytest.importorskip("yaml")
    head, last = lines("KubeCluster").rstrip().rsplit("\n", 1)
    assert last == "client = Client(KubeCluster(custom_cluster_spec=spec))"
    names: dict[str, object] = {}
    exec(compile(head, str(PAGE), "exec"), names)  # noqa: S102
    # Keys without a value are left out on the way to Kubernetes.
    spec = json.loads(json.dumps(names["spec"]), object_hook=given)
    folder = Path(kubernetes.__file__).parent / "operator/deployment/helm"
    (file,) = folder.glob("*/crds/daskcluster.yaml")
    schema = yaml.safe_load(file.read_text())["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    jsonschema.validate(spec, schema)
    worker = spec["spec"]["worker"]
    (container,) = worker["spec"]["containers"]
    assert worker["replicas"] == 50
    assert container["args"][:4] == ["dask", "worker", "--nthreads", "1"]
    (mount,), (volume,) = container["volumeMounts"], worker["spec"]["volumes"]
    assert mount["mountPath"] == "/shared" and mount["name"] == volume["name"]
    del volume["name"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(spec, schema)


def given(table: dict[str, object]) -> dict[str, object]:
    """The keys that have a value."""
    return {key: value for key, value in table.items() if value is not None}
