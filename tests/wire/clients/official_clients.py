#!/usr/bin/env python3
"""The clients that OpenAI and Anthropic publish, driven against the tiny servers.

    official_clients.py --build build/release [--faults NAME...]

Both variants of the server must satisfy both clients, and each client must see the faults planted for
it. --faults tells instead what each client makes of these faults (all of --list_mutants: "all").
Exit status 0: all holds; 1: something does not; 77: a package is not there.
"""
import argparse
import contextlib
import json
import os
import pathlib
import subprocess
import sys

from checking import Wrong

SOURCE = pathlib.Path(__file__).resolve().parents[3]
MODEL = SOURCE / "manifests/tiny/model"
BLOCKED = 77

# variant: the engine behind it, its name and its plugin.
VARIANTS = {
    "reference": ("paged", "libparity_tiny.so"),
    "ported": ("ported", "libparity_tiny_ported.so"),
}

# What each client must see, by the check that sees it: a client that sees nothing checks nothing.
PLANTED = [
    ("finish_missing", "openai.chat"),
    ("role_missing", "openai.chat"),
    ("usage_unasked", "openai.chat_usage"),
    ("call_index_missing", "openai.chat_tools"),
    ("chat_in_completions", "openai.completions"),
    ("created_missing", "openai.responses"),
    ("done_text_differs", "openai.responses"),
    ("output_index_stuck", "openai.responses_reasoning"),
    ("error_200", "openai.errors"),
    ("no_event_line", "anthropic.messages"),
    ("output_not_cumulative", "anthropic.messages"),
    ("block_index_stuck", "anthropic.messages_thinking"),
    ("stop_sequence_null", "anthropic.messages_stop"),
    ("whole_text_differs", "anthropic.messages"),
    ("wrong_envelope", "anthropic.errors"),
]


def load_clients():
    """The modules of checks by client, or the exit status 77 where a package is not there."""
    try:
        import anthropic_checks
        import openai_checks
    except ImportError as error:
        print(f"BLOCKED: {error}; pip install openai anthropic, and name that Python with "
              "-DPARITY_CLIENTS_PYTHON=...")
        sys.exit(BLOCKED)
    clients = {"openai": openai_checks, "anthropic": anthropic_checks}
    versions = ", ".join(f"{name} {sys.modules[name].__version__}" for name in clients)
    print(f"{versions}, Python {sys.version.split()[0]}", flush=True)
    return clients


@contextlib.contextmanager
def serving(build, variant, mutant=None):
    """A server's address and the name of its model; it is stopped behind the block."""
    engine, library = VARIANTS[variant]
    command = [build / "bin/parity_tiny_server", "--plugin", build / "lib" / library,
               "--engine", engine, "--variant", variant,
               "--config", json.dumps({"model": str(MODEL)})]
    if mutant:
        command += ["--mutant", mutant]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        if not line.startswith("listening on "):
            raise RuntimeError(f"the server said {line!r}, expected 'listening on ...'")
        yield "http://" + line.split()[-1], engine
    finally:
        process.terminate()
        status = process.wait(timeout=30)
        process.stdout.close()
    if status != 0:
        raise RuntimeError(f"the server ended with {status} when it was stopped, expected 0")


def complaint_of(check, client, model):
    """None where the check holds, else why it does not: of the client itself or of the check."""
    try:
        check(client, model)
    except Wrong as error:
        return str(error)
    except Exception as error:  # Whatever a client raises is its complaint.
        return f"the client raises {type(error).__name__}: {error}"
    return None


def complaints(clients, build, variant, mutant=None):
    """(client.check, complaint or None) of every check."""
    # Faults are planted in plain bodies: what the server has compressed they leave as it is.
    headers = {"Accept-Encoding": "identity"} if mutant else {}
    with serving(build, variant, mutant) as (address, model):
        for name, checks in clients.items():
            with checks.connect(address, headers) as client:
                for check in checks.CHECKS:
                    yield f"{name}.{check.__name__}", complaint_of(check, client, model)


def right_servers(clients, build):
    failures = 0
    for variant in VARIANTS:
        for name, complaint in complaints(clients, build, variant):
            print(f"{'FAIL' if complaint else 'ok'}  {variant}: {name}"
                  f"{': ' + complaint if complaint else ''}", flush=True)
            failures += complaint is not None
    return failures


def planted_faults(clients, build):
    failures = 0
    for mutant, expected in PLANTED:
        found = dict(complaints(clients, build, "reference", mutant))[expected]
        print(f"{'ok' if found else 'FAIL'}  planted {mutant}: {expected}: "
              f"{found or 'saw nothing, expected a complaint'}", flush=True)
        failures += not found
    return failures


def tell_faults(clients, build, mutants):
    """What each client makes of faults; what is silent here only the suite finds."""
    if mutants == ["all"]:
        listed = subprocess.run([build / "bin/parity_tiny_server", "--list_mutants"], check=True,
                                capture_output=True, text=True).stdout
        mutants = [line.split()[0] for line in listed.splitlines()]
    for mutant in mutants:
        found = [(n, c) for n, c in complaints(clients, build, "reference", mutant) if c]
        print(f"{mutant}: " + ("silent" if not found else ""))
        for name, complaint in found:
            print(f"    {name}: {complaint[:200]}", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--build", type=pathlib.Path, required=True)
    arguments.add_argument("--faults", nargs="+", metavar="NAME")
    options = arguments.parse_args()
    os.environ["NO_PROXY"] = "127.0.0.1"
    clients = load_clients()
    build = options.build.resolve()
    if options.faults:
        return tell_faults(clients, build, options.faults)
    failures = right_servers(clients, build) + planted_faults(clients, build)
    print(f"{failures} failures" if failures else "all hold")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
