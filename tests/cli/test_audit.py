"""`travel-lab audit`: a gate for builds, and a report to read."""

import json

import pytest

from travel_lab.lab import Lab


@pytest.fixture
def path(tmp_path):
    """A closed file of a planner whose agents hand nothing over."""
    with Lab.open(tmp_path / "app.db", strategy="silent") as lab:
        lab.session("one").send("帮我规划成都3天旅行，预算5000")
        lab.session("one").send("把第二天的酒店换成便宜点的")
    return str(tmp_path / "app.db")


def test_the_report_names_the_fields_no_message_holds(travel_lab, path):
    """With what handing them over would cost."""
    done = travel_lab("audit", path)

    assert done.code == 0
    assert "hotel_result" in done.out
    assert "never" in done.out


def test_a_file_fails_no_build_unless_told_to(travel_lab, path):
    """It shows no views, and stderr says what to add."""
    done = travel_lab("audit", path, "--fail-under", "0.9")

    assert done.code == 0
    assert "--as-stored" in done.err


def test_as_stored_the_gate_fails(travel_lab, path):
    """With the share and the threshold."""
    done = travel_lab("audit", path, "--fail-under", "0.9", "--as-stored")

    assert done.code == 1
    assert "under 0.9" in done.err


def test_a_gate_that_is_met_passes(travel_lab, path):
    """Nothing is under zero."""
    assert travel_lab("audit", path, "--fail-under", "0", "--as-stored").code == 0


@pytest.mark.parametrize("share", ["1.5", "-0.1", "half"])
def test_an_absurd_threshold_is_refused(travel_lab, path, share):
    """Exit code 2, as for any wrong argument."""
    done = travel_lab("audit", path, f"--fail-under={share}")

    assert done.code == 2
    assert "--fail-under" in done.err


def test_the_page_and_the_data_are_written(travel_lab, path, tmp_path):
    """The page needs nothing from outside."""
    done = travel_lab("audit", path, "--json", "--html", "out/audit.html")
    page = (tmp_path / "out" / "audit.html").read_text(encoding="utf-8")

    assert "requirements" in json.loads(done.out)["never"]
    assert "hotel_result" in page
    assert "src=" not in page


def test_redacted_nothing_of_the_plan_is_left(travel_lab, path, tmp_path):
    """Neither in the terminal nor in the page."""
    done = travel_lab("audit", path, "--redact", "--html", "audit.html")
    said = done.out + (tmp_path / "audit.html").read_text(encoding="utf-8")

    assert "hotel_result" in said
    assert [word for word in ("成都", "宽窄巷子", "app.db") if word in said] == []


def test_a_file_that_is_not_there_is_named(travel_lab):
    """In one line, without a trace."""
    done = travel_lab("audit", "missing.db")

    assert done.code != 0
    assert "missing.db" in done.err
    assert "Traceback" not in done.err
