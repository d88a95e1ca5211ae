"""The locks: what is installed is what was resolved, byte for byte."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

PROJECT = Path(__file__).parents[2]
# An entry is a line that starts in the first column, with the indented lines after it.
ENTRIES = re.findall(r"^[^#\s].*(?:\n[ \t]+.*)*", (PROJECT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)


def requirement_of(entry: str) -> Requirement:
    return Requirement(entry.split("\\", 1)[0].strip())


def pins(requirement: Requirement) -> tuple[str, str]:
    return requirement.name, str(requirement.specifier).removeprefix("==")


@pytest.fixture(scope="module")
def resolved():
    return tomllib.loads((PROJECT / "uv.lock").read_text(encoding="utf-8"))["package"]


def test_every_entry_has_a_hash():
    """No package is installed that has other bytes than the ones resolved."""
    assert [requirement_of(entry).name for entry in ENTRIES if "--hash=sha256:" not in entry] == []


def test_both_locks_hold_the_same_versions(resolved):
    """requirements.lock is an export of the uv.lock beside it."""
    from_uv = {(package["name"], package["version"]) for package in resolved if package["source"] != {"editable": "."}}

    assert {pins(requirement_of(entry)) for entry in ENTRIES} == from_uv


def test_uv_lock_knows_every_requirement_of_the_project(resolved):
    """Every dependency and extra in pyproject.toml was there when uv.lock was made."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    declared = {(Requirement(line).name, str(Requirement(line).specifier)) for line in [*project["dependencies"], *extras]}
    own = next(package for package in resolved if package["source"] == {"editable": "."})

    assert {(entry["name"], entry.get("specifier", "")) for entry in own["metadata"]["requires-dist"]} == declared


def test_all_packages_come_from_the_public_index(resolved):
    """No lock entry points at a private index or a local file."""
    sources = {package["source"].get("registry") for package in resolved if package["source"] != {"editable": "."}}

    assert sources == {"https://pypi.org/simple"}
