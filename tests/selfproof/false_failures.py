#!/usr/bin/env python3
"""How often a right engine is called wrong: every suite over many seeds, nothing of it wrong.

    tests/selfproof/false_failures.py build/release --seeds 200

Each manifest of manifests/tiny runs once per seed, `tokens` where it declares tokens. A case that is
neither green nor BLOCKED is a false failure. Prints, per suite and manifest, runs, cases, false
failures and the upper end of the rate's 95 % interval; exits with 1 where there was one.
"""
import argparse
import concurrent.futures
import functools
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
GREEN = {"PASS", "PASS*", "WAIVED", "BLOCKED"}
BLOCKED = 77


def groups():
    for manifest in sorted((ROOT / "manifests/tiny").glob("*.yaml")):
        yield "spans", manifest
        if "\ntokens:" in manifest.read_text():
            yield "tokens", manifest
    yield "spans", ROOT / "tests/selfproof/noisy_self.yaml"


def outcomes(build, suite, manifest, ranks, seed):
    """(case, outcome) of one run; one line ("run", its output) where it came to no result; None
    where it cannot run here."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            [build / "bin" / suite, f"--parity_manifest={manifest}", f"--parity_seed={seed}",
             f"--parity_ranks={ranks}", f"--parity_library_path={build / 'lib'}",
             f"--parity_output={folder}", "--gtest_brief=1"], capture_output=True, text=True)
        record = pathlib.Path(folder) / "cases.jsonl"
        lines = record.read_text().splitlines() if record.exists() else []
        cases = [(case["test"], case["outcome"]) for case in map(json.loads, lines)
                 if case.get("event") == "finished"]
    if run.returncode == BLOCKED:
        return None
    if not cases or (run.returncode != 0 and all(o in GREEN for _, o in cases)):
        cases.append(("run", f"exit {run.returncode}: {run.stderr[-300:]}"))
    return cases


def upper_end(failures, cases):
    """Of the 95 % interval of a rate (Wilson's with 1.96; 3 / n where none failed)."""
    if failures == 0:
        return 3 / cases
    p, z = failures / cases, 1.96
    spread = z * math.sqrt(p * (1 - p) / cases + z * z / (4 * cases * cases))
    return (p + z * z / (2 * cases) + spread) / (1 + z * z / cases)


def false_failures(pool, build, suite, manifest, options):
    """How many, each told and all counted on the last line."""
    run = functools.partial(outcomes, build, suite, manifest, options.ranks)
    cases = failures = 0
    if run(1) is None:
        print(f"{suite:7} {manifest.stem:36} cannot run here", flush=True)
        return 0
    seeds = range(1, options.seeds + 1)
    for seed, came_to in zip(seeds, pool.map(run, seeds)):
        for case, outcome in came_to:
            cases += 1
            if outcome not in GREEN:
                failures += 1
                print(f"  {suite} {manifest.stem} seed {seed}: {case}: {outcome}", flush=True)
    print(f"{suite:7} {manifest.stem:36} {options.seeds:4} runs {cases:7} cases {failures:4} false, "
          f"below {1000 * upper_end(failures, cases):.2f} per 1000", flush=True)
    return failures


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("build", type=pathlib.Path)
    arguments.add_argument("--seeds", type=int, default=200)
    arguments.add_argument("--ranks", type=int, default=1)
    arguments.add_argument("--only", default="", help="part of a manifest's name")
    arguments.add_argument("--jobs", type=int, default=1, help="runs at the same time")
    options = arguments.parse_args()
    build = options.build.resolve()
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for suite, manifest in groups():
            if options.only in manifest.stem:
                wrong += false_failures(pool, build, suite, manifest, options)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
