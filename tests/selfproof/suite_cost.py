#!/usr/bin/env python3
"""What a suite's run costs: each stage as a multiple of the bare workload, and the first verdict.

    tests/selfproof/suite_cost.py build/release manifests/tiny/paged_vs_ported.yaml [--runs 5]

All multiples are of the same run's workload, by the clock; medians of several runs. The first verdict
is that of the first span, from the start of the program.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import time

STAGE = re.compile(r"([a-z ]+?) ([0-9.]+) s \(([0-9.]+)x\)")
WORKLOAD = re.compile(r"1x is the bare workload, ([0-9.]+) s")
FIRST = re.compile(r"\[ +(OK|FAILED) +\] .*SpanParity")


def run(build, manifest, ranks):
    """Multiples by stage, in the order of the text."""
    begin, first, told = time.monotonic(), None, {}
    process = subprocess.Popen(
        [build / "bin/spans", f"--parity_manifest={manifest}", f"--parity_ranks={ranks}",
         f"--parity_library_path={build / 'lib'}"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for line in process.stdout:
        if first is None and FIRST.search(line):
            first = time.monotonic() - begin
        workload = WORKLOAD.search(line)
        if workload:
            told = {stage.strip(): float(times) for stage, _, times in STAGE.findall(line)}
            told["first verdict"] = first / float(workload[1])
            told["all of it"] = (time.monotonic() - begin) / float(workload[1])
    if process.wait() != 0 or not told:
        sys.exit(f"{manifest}: exit {process.returncode}, expected a run that passes and is timed")
    return told


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("build", type=pathlib.Path)
    arguments.add_argument("manifest", type=pathlib.Path, nargs="+")
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument("--ranks", type=int, default=1)
    options = arguments.parse_args()
    for manifest in options.manifest:
        runs = [run(options.build.resolve(), manifest, options.ranks) for _ in range(options.runs)]
        stages = ", ".join(f"{stage} {statistics.median(told[stage] for told in runs):.2g}x"
                           for stage in runs[0])
        print(f"{manifest.stem}, {options.ranks} ranks, {options.runs} runs: {stages}", flush=True)


if __name__ == "__main__":
    main()
