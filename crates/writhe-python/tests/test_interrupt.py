"""Ctrl-C, by real signals to real processes."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import writhe

PROGRAM = """
import signal
import sys
# What was started in the background ignores Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {here!r})
from conftest import hanging
import writhe
scene = hanging(nodes=201, time=writhe.Time(duration=1e5, step="1 ms"), output=writhe.Output(every="1 h"))
sim = scene.simulation()
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(sim.time > 0, sim.rods[0].positions.shape, flush=True)
before = sim.time
sim.run(until=before + 0.01)
print(sim.time == before + 0.01, flush=True)
"""


def interrupted(work: str) -> tuple[list[str], float]:
    """What a program says that is interrupted in its work, and how long it took to hear."""
    program = PROGRAM.format(here=str(Path(__file__).parent), work=work)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    # A process that does not hear ends all the same.
    timer = threading.Timer(120.0, process.kill)
    timer.daemon = True
    timer.start()
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.0)
    sent = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    first = process.stdout.readline()
    heard = time.monotonic() - sent
    rest = process.stdout.read()
    assert process.wait(60) == 0
    return [first.strip(), *rest.splitlines()], heard


def test_a_run_stops_and_can_go_on() -> None:
    said, heard = interrupted("sim.run()")
    assert said == ["interrupted", "True (201, 3)", "True"]
    assert heard < 5.0


def test_a_loop_of_steps_stops() -> None:
    said, heard = interrupted("[sim.step() for _ in range(10**9)]")
    assert said == ["interrupted", "True (201, 3)", "True"]
    assert heard < 5.0


def test_a_recorded_run_is_saved(tmp_path: Path) -> None:
    place = tmp_path / "run"
    said, _ = interrupted(f"sim.run(to={str(place)!r})")
    assert said == ["interrupted", "True (201, 3)", "True"]
    run = writhe.open_run(place)
    assert run.outcome == "interrupted" and run.frames >= 1
