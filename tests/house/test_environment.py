"""The conda way, checked by parsing only: environment.yml and postBuild against pyproject.toml and requirements.lock."""

import os
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).parents[2]


@pytest.fixture
def environment():
    return yaml.safe_load((PROJECT / "environment.yml").read_text(encoding="utf-8"))


@pytest.fixture
def project():
    return tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def conda_lines(environment) -> list[str]:
    return [line for line in environment["dependencies"] if isinstance(line, str)]


def pip_lines(environment) -> list[str]:
    (section,) = (line["pip"] for line in environment["dependencies"] if isinstance(line, dict))
    return section


def test_packages_come_from_conda_forge_only(environment):
    """There is one channel, so that two machines solve the same."""
    assert environment["channels"] == ["conda-forge", "nodefaults"]


def test_conda_brings_python_and_pip_only(environment):
    """Everything but Python and pip comes from the lock, in the versions that the tests ran with."""
    assert [re.split(r"[=<>]", line)[0] for line in conda_lines(environment)] == ["python", "pip"]


def test_python_is_the_lowest_the_project_takes(environment, project):
    """The environment has the oldest Python that pyproject.toml allows."""
    (version,) = (line.removeprefix("python=") for line in conda_lines(environment) if line.startswith("python="))

    assert SpecifierSet(project["requires-python"]) == SpecifierSet(f">={version}")


def test_pip_reads_the_lock_alone(environment):
    """The lock stands alone, because pip refuses an editable package beside entries with hashes."""
    assert pip_lines(environment) == ["-r requirements.lock"]


def test_lock_covers_every_dependency(environment, project):
    """Each runtime dependency of pyproject.toml stands in the lock in a version that pyproject.toml allows."""
    (line,) = pip_lines(environment)
    text = (PROJECT / line.removeprefix("-r ")).read_text(encoding="utf-8")
    python = {"python_full_version": "3.11.9", "python_version": "3.11", "sys_platform": sys.platform}
    locked = [Requirement(entry) for entry in re.findall(r"^[A-Za-z0-9].*?==[^\\\n]*", text, re.MULTILINE)]
    versions = {
        canonicalize_name(entry.name): str(entry.specifier).removeprefix("==")
        for entry in locked
        if entry.marker is None or entry.marker.evaluate(python)
    }
    wanted = [Requirement(line) for line in project["dependencies"]]

    assert [str(want) for want in wanted if not want.specifier.contains(versions.get(canonicalize_name(want.name), "0"))] == []


def test_post_build_installs_the_package_itself():
    """repo2docker runs postBuild after the lock is installed; it adds the package without looking anything up."""
    lines = (PROJECT / "postBuild").read_text(encoding="utf-8").splitlines()

    assert lines[-1] == "python -m pip install --no-deps --no-build-isolation --editable ."


def test_post_build_can_be_run():
    """repo2docker refuses a postBuild that is not executable."""
    assert os.access(PROJECT / "postBuild", os.X_OK)
