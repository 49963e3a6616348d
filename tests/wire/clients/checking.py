"""What every check says and asks."""

PROMPT = "In the beginning God"
QUESTION = "What is three and four?"
PARAMETERS = {
    "type": "object",
    "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
}


class Wrong(Exception):
    """What a check, and not the client that it drives, complains of."""


def equal(what, got, expected):
    if got != expected:
        raise Wrong(f"{what}: got {got!r}, expected {expected!r}")


def holds(what, condition, got):
    if not condition:
        raise Wrong(f"{what}: got {got!r}")


def raises(what, kind, ask):
    """What `ask` raises, which is of the kind."""
    try:
        answer = ask()
    except kind as error:
        return error
    raise Wrong(f"{what}: got {answer!r}, expected {kind.__name__}")
