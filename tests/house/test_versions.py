"""One version, told in three places."""

import tomllib
from pathlib import Path

import yaml

import travel_lab

PROJECT = Path(__file__).parents[2]


def test_package_and_project_tell_one_version():
    """`travel_lab.__version__` is the version in pyproject.toml."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert travel_lab.__version__ == project["version"]


def test_package_and_citation_tell_one_version():
    """`travel_lab.__version__` is the version in CITATION.cff."""
    citation = yaml.safe_load((PROJECT / "CITATION.cff").read_text(encoding="utf-8"))

    assert travel_lab.__version__ == citation["version"]


def test_changelog_has_an_entry_for_the_version():
    """CHANGELOG.md tells what is in this version."""
    assert f"\n## [{travel_lab.__version__}]" in (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
