"""The notebooks in a real JupyterLab in a real browser."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect, sync_playwright

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
]  # fmt: skip
SECONDS = 90
RAN = """() => {
  const cells = [...document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell')];
  const counts = cells.map(cell => cell.querySelector('.jp-InputPrompt').textContent);
  return counts.length > 0 && counts.every(count => /^\\[\\d+\\]:$/.test(count));
}"""
"""Whether every code cell has run to its end."""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine; install the package chromium"),
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def lab_url(tmp_path_factory):
    """A JupyterLab server over a copy of the notebooks, stopped at the end."""
    folder = tmp_path_factory.mktemp("notebooks")
    for path in NOTEBOOKS.glob("*.ipynb"):
        nbformat.write(without_outputs(nbformat.read(path, as_version=4)), folder / path.name)
    port = free_port()
    home = tmp_path_factory.mktemp("home")
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--ServerApp.port={port}"),
        *("--ServerApp.ip=127.0.0.1", "--IdentityProvider.token=", f"--ServerApp.root_dir={folder}"),
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip
    environment = {**os.environ, "HOME": str(home), "JUPYTER_CONFIG_DIR": str(home), "JUPYTER_RUNTIME_DIR": str(home)}
    with (home / "server.log").open("wb") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_for(f"http://127.0.0.1:{port}/api", server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=20)


def without_outputs(notebook):
    """The notebook as nobody has run it, so that every output seen is new."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def wait_for(url: str, server: subprocess.Popen) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and server.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.3)
        else:
            return
    pytest.fail(f"JupyterLab did not answer at {url}")


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser):
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    yield page
    page.close()


def run_all(page, lab_url: str, name: str):
    """Open a notebook in a workspace of its own, without the tabs of other tests, and run it whole."""
    page.goto(f"{lab_url}/lab/workspaces/{name}/tree/{name}.ipynb")
    notebook = page.locator(".jp-Notebook:visible")
    expect(notebook.locator(".jp-CodeCell").first).to_be_visible(timeout=SECONDS * 1000)
    expect(page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]:visible")).to_be_visible(timeout=SECONDS * 1000)
    # Until the kernel is connected, a click on "Run All Cells" is lost.
    expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible(timeout=SECONDS * 1000)
    page.locator(".lm-MenuBar-itemLabel", has_text="Run").click()
    page.locator(".lm-Menu-itemLabel", has_text="Run All Cells").first.click()
    page.wait_for_function(RAN, timeout=2 * SECONDS * 1000)
    return notebook


def assert_clean(page):
    assert page.locator(".jp-RenderedText[data-mime-type='application/vnd.jupyter.stderr']").count() == 0
    assert page.get_by_text("Traceback").count() == 0
    assert page.errors == []


def test_the_first_lesson_runs_to_its_end(lab_url, page, tmp_path):
    """Opened in JupyterLab and run whole, 00_start_here ends without an error and shows its table and its plot."""
    notebook = run_all(page, lab_url, "00_start_here")
    expect(notebook.locator("table.dataframe").first).to_be_attached()
    notebook.locator("img").first.scroll_into_view_if_needed()
    page.screenshot(path=os.environ.get("TRAVEL_LAB_SCREENSHOT", str(tmp_path / "lesson.png")))
    assert_clean(page)


def test_the_explorer_of_lesson_02_shows_a_chosen_step(lab_url, page, tmp_path):
    """In lesson 02 the explorer shows the tree of a session, and the tasks of the step that is chosen in it."""
    notebook = run_all(page, lab_url, "02_checkpoint_chains")
    tree = notebook.locator("select[size='12']")
    tree.scroll_into_view_if_needed(timeout=SECONDS * 1000)
    tree.select_option(index=3)
    expect(notebook.get_by_text("failed, then done").last).to_be_visible(timeout=SECONDS * 1000)
    expect(notebook.get_by_text("branch 0.3")).to_be_visible()
    page.screenshot(path=os.environ.get("TRAVEL_LAB_SCREENSHOT_02", str(tmp_path / "explorer.png")))
    assert_clean(page)


def test_the_viewer_of_lesson_04_loses_and_regains_facts(lab_url, page, tmp_path):
    """In lesson 04 another trimming chosen in the viewer changes its count of visible facts."""
    notebook = run_all(page, lab_url, "04_budgets")
    choice = notebook.get_by_label("trimming")
    choice.scroll_into_view_if_needed(timeout=SECONDS * 1000)
    told = notebook.locator(".widget-html", has_text="facts visible").first
    before = told.inner_text()
    choice.select_option("pinned digest")
    expect(told).not_to_have_text(before, timeout=SECONDS * 1000)
    told.scroll_into_view_if_needed()
    page.screenshot(path=os.environ.get("TRAVEL_LAB_SCREENSHOT_04", str(tmp_path / "viewer.png")))
    assert_clean(page)
