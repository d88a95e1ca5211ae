"""House rules about the package's files that a machine can check."""

import ast
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
SOURCES = sorted((PROJECT / "travel_lab").rglob("*.py"))
DOORS = [path for path in SOURCES if path.name == "__init__.py" and path.parent.name != "travel_lab"]
MAX_LINES = 400
NAMELESS = {"utils", "util", "helpers", "helper", "common", "misc"}


def name_of(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), name_of(path))


def is_all(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["__all__"]


def reading_order(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions, each by name: the order ruff sorts `__all__` in."""
    kind = 0 if name.isupper() else 1 if name[0].isupper() else 2
    return kind, name


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_file_is_short_enough_to_read(path):
    """No file of the package has more than 400 lines."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_file_is_named_by_its_concept(path):
    """No file or folder is named after having no name."""
    assert NAMELESS.isdisjoint(part.removesuffix(".py").strip("_") for part in path.relative_to(PROJECT).parts)


@pytest.mark.parametrize("path", DOORS, ids=name_of)
def test_door_tells_what_the_room_is(path):
    """The `__init__` of a room has a docstring."""
    assert ast.get_docstring(parsed(path))


@pytest.mark.parametrize("path", DOORS, ids=name_of)
def test_door_lists_what_it_offers_in_order(path):
    """The `__init__` of a room has an `__all__`: constants, classes, functions, each by name."""
    lists = [ast.literal_eval(node.value) for node in parsed(path).body if is_all(node)]

    assert lists == [sorted(names, key=reading_order) for names in lists]
    assert len(lists) == 1


@pytest.mark.parametrize("path", DOORS, ids=name_of)
def test_door_holds_no_code(path):
    """The `__init__` of a room is a docstring, imports and `__all__`."""
    body = parsed(path).body
    after_docstring = body[1:] if ast.get_docstring(parsed(path)) else body
    others = [node for node in after_docstring if not isinstance(node, (ast.Import, ast.ImportFrom)) and not is_all(node)]

    assert [ast.unparse(node) for node in others] == []
