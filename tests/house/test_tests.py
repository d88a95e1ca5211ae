"""House rules about the tests themselves."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
FILES = sorted(TESTS.rglob("test_*.py"))
# A full stop, then a new sentence in English or in Chinese.
SECOND_SENTENCE = re.compile(r"[.!?]\s+[A-Z]|[。！？].")


def name_of(path: Path) -> str:
    return path.relative_to(TESTS).as_posix()


def claims_in(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")]


def is_one_sentence(text: str | None) -> bool:
    return bool(text) and text.endswith((".", "!", "?", "。", "！", "？")) and not SECOND_SENTENCE.search(text)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_test_says_its_claim(path):
    """Every test has a docstring of one sentence."""
    assert [test.name for test in claims_in(path) if not is_one_sentence(ast.get_docstring(test))] == []


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_browser_tests_run_one_at_a_time(path):
    """A file that uses the mark `browser` uses the group `browser` too, because two browsers at once starve each other."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    marks = {text for node in nodes if isinstance(node, ast.expr) and (text := ast.unparse(node)).startswith("pytest.mark.")}

    assert "pytest.mark.browser" not in marks or "pytest.mark.xdist_group('browser')" in marks
