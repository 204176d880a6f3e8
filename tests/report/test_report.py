"""The page of tensorc explain --html and tc.report, in a headless browser."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy
import pytest

import tensorc as tc

CHROME, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
webdriver = pytest.importorskip("selenium.webdriver")
if not CHROME or not DRIVER:
    pytest.skip("no Chromium and its driver", allow_module_level=True)

from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support import expected_conditions  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIGITS = ROOT / "examples/digits/digits.mlir"


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROME
    flags = ["--headless=new", "--disable-gpu", "--window-size=1300,900", "--disable-dev-shm-usage"]
    if os.geteuid() == 0:
        flags.append("--no-sandbox")  # Chromium refuses to run as root with it
    for flag in flags:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.implicitly_wait(60)
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    page = tmp_path_factory.mktemp("report") / "digits.html"
    explain(DIGITS, page)
    return page


def explain(program, page, *options):
    subprocess.run([os.environ["TENSORC"], "explain", program, f"--html={page}", "--target=cpu:x86-64-v3", *options], check=True)


def open_page(browser, page):
    browser.get(pathlib.Path(page).as_uri())
    browser.find_element(By.CSS_SELECTOR, "#views button")  # the data are decoded
    assert browser.get_log("browser") == []


def find(browser, selector):
    return browser.find_element(By.CSS_SELECTOR, selector)


def texts(browser, selector):
    # In one step, as the page may draw itself again between two.
    return browser.execute_script("return [...document.querySelectorAll(arguments[0])].map(each => (each.innerText ?? each.textContent).trim())", selector)


def press(browser, selector):
    browser.execute_script("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", find(browser, selector))


def view(browser, name):
    next(tab for tab in browser.find_elements(By.CSS_SELECTOR, "#views button") if tab.text == name).click()


def details(browser):
    return texts(browser, "#details")[0]


def test_graph(browser, digits):
    """A click on a kernel shows its facts, marks its lines, and opens its texts."""
    open_page(browser, digits)
    assert browser.title == f"{DIGITS}: tensorc report"
    assert "4 kernels" in find(browser, "#summary").text
    assert len(browser.find_elements(By.CSS_SELECTOR, "svg .node.kernel")) == 4
    press(browser, "svg .node.kernel[aria-label^='kernel dot_general:']")
    assert "dot_general\nkind\ncontraction" in details(browser)
    assert "max stays outside: it is the epilogue of another contraction" in details(browser)
    assert "f32[n, 10]: 40.0 KiB (n * 40)" in details(browser)
    marked = texts(browser, ".source li.selected code")
    assert len(marked) == 1 and "tx.dot_general %hidden, %w2" in marked[0]
    for summary in browser.find_elements(By.CSS_SELECTOR, "#details summary"):
        summary.click()
    # An element tells that it was opened in an event of its own.
    WebDriverWait(browser, 60).until(lambda _: len(texts(browser, "#details pre")) == 4)
    ops, loops, lowered, assembly = texts(browser, "#details pre")
    assert 'tx.fusion "contraction" "dot_general"' in ops
    assert "func.func @dot_general(" in loops and "llvm.func @dot_general(" in lowered
    assert assembly.startswith("dot_general:") and "vfmadd" in assembly and ".cfi" not in assembly
    # The line stands before its instructions.
    assert assembly.splitlines()[1].startswith("33: ") and "tx.dot_general %hidden, %w2" in assembly.splitlines()[1]
    assert ".loc" not in assembly


def test_line(browser, digits):
    """A line selects its kernels."""
    open_page(browser, digits)
    press(browser, "button[aria-label='Line 33: select its kernels']")
    assert details(browser).startswith("dot_general\n")


def test_sizes(browser, digits):
    """Bytes and operations follow the sizes that the reader gives."""
    open_page(browser, digits)
    size = find(browser, "#sizes input")
    size.send_keys(Keys.CONTROL, "a")
    size.send_keys("256")
    press(browser, "svg .node.kernel[aria-label^='kernel dot_general:']")
    assert "f32[n, 10]: 10.0 KiB (n * 40)" in details(browser)
    assert "327680" not in details(browser) and "328 k (n * 1280)" in details(browser)
    size.send_keys(Keys.CONTROL, "a")
    size.send_keys(Keys.DELETE)
    assert "? (n * 40)" in details(browser)
    for wrong in ("-1", "1.5"):
        size.send_keys(Keys.CONTROL, "a")
        size.send_keys(wrong)
        assert "? (n * 40)" in details(browser)
        assert find(browser, "#wrong-size").text == "n is not an integer from 0 on"
    size.send_keys(Keys.CONTROL, "a")
    size.send_keys("2")
    assert find(browser, "#wrong-size").text == "" and "(n * 40)" in details(browser)


def test_search_and_keys(browser, digits):
    open_page(browser, digits)
    view(browser, "Kernels")
    assert len(browser.find_elements(By.CSS_SELECTOR, "tbody tr")) == 4
    find(browser, "th:nth-child(2) button").click()
    assert browser.switch_to.active_element.text.startswith("kind")
    body = find(browser, "body")
    body.send_keys("/")
    browser.switch_to.active_element.send_keys("argmax")
    WebDriverWait(browser, 60).until(lambda _: texts(browser, "tbody td:first-child") == ["add_argmax"])
    browser.switch_to.active_element.send_keys(Keys.CONTROL, "a")
    browser.switch_to.active_element.send_keys(Keys.DELETE, Keys.ESCAPE)
    WebDriverWait(browser, 60).until(lambda _: len(texts(browser, "tbody tr")) == 4)
    second = texts(browser, "tbody td:first-child")[1]
    find(browser, "body").send_keys("jj")
    assert details(browser).startswith(second + "\n")
    find(browser, "body").send_keys("3")
    assert texts(browser, "#view h2") == ["Memory"]
    find(browser, "body").send_keys(Keys.ESCAPE)
    assert details(browser).startswith("Select a kernel")


def test_memory(browser, tmp_path):
    """A rectangle for each temporary and result, at its steps."""
    page = tmp_path / "page.html"
    explain(DIGITS, page, "--shape=images:256,64")
    open_page(browser, page)
    view(browser, "Memory")
    labels = [slot.get_attribute("aria-label") for slot in browser.find_elements(By.CSS_SELECTOR, "svg .slot")]
    assert "temporary of dot_general_add_max, 64.0 KiB, steps 0 to 1" in labels
    assert any(label.startswith("result of add_argmax, 1.00 KiB, steps 2 to") for label in labels)
    # The timeline is as wide as the view.
    left = browser.execute_script("const c = document.querySelector('.canvas'); return c.clientWidth - c.firstChild.getBoundingClientRect().width")
    assert 0 <= left < 30
    press(browser, "svg .slot[aria-label^='temporary of dot_general_add_max']")
    assert details(browser).startswith("dot_general_add_max\n")


def test_loops(browser, tmp_path):
    """A loop that is one function has its time and its code, which its kernels show."""
    page = tmp_path / "page.html"
    subprocess.run([os.environ["TENSORC"], "explain", ROOT / "tests/ops/scan.mlir", f"--html={page}", "--measure", "--entry=sizes"], check=True)
    open_page(browser, page)
    press(browser, "svg .node.kernel[aria-label^='kernel cumsum:']")
    assert re.search(r"Its loop\s+loop_of_cumsum_and_1_more is one function. [0-9.]+ µs a launch, 1 in a run", details(browser))
    assert "prints no assembly" not in details(browser) and "Assembly (asm)" in details(browser)
    assert float(re.search(r"([0-9.]+) µs in kernels", find(browser, "#summary").text)[1]) > 0
    view(browser, "Kernels")
    assert re.search(r"loop_of_cumsum_and_1_more\s+of cumsum sort_add_tanh: [0-9.]+ µs a launch", find(browser, "#view").text)


def test_no_kernels(browser, tmp_path):
    """Every view of a program that computes nothing, and of one without elements, can be opened."""
    program, page = tmp_path / "program.mlir", tmp_path / "page.html"
    for body in "return %x : tensor<0xf32>", "%y = tx.exp %x : tensor<0xf32>\n  return %y : tensor<0xf32>":
        program.write_text(f"func.func @main(%x: tensor<0xf32>) -> tensor<0xf32> {{\n  {body}\n}}\n")
        explain(program, page)
        open_page(browser, page)
        for name in texts(browser, "#views button"):
            view(browser, name)
            assert "NaN" not in find(browser, "#view").text
        assert browser.get_log("browser") == []
    view(browser, "Kernels")
    press(browser, "tbody tr")
    assert "flops per byte\n?" in details(browser)


def test_other_files(browser, tmp_path):
    """Only the program's own file is in the page, whatever its locations name; sizes may have any name."""
    secret = tmp_path / "secret.txt"
    secret.write_text("nobody's business")
    program = tmp_path / "program.mlir"
    program.write_text(f"""func.func @main(%x: tensor<?xf32, #tx.dims<[max]>>) -> tensor<?xf32, #tx.dims<[max]>> {{
  %0 = tx.exp %x : tensor<?xf32, #tx.dims<[max]>> loc("{secret}":1:1)
  return %0 : tensor<?xf32, #tx.dims<[max]>>
}}
""")  # fmt: skip
    page = tmp_path / "page.html"
    explain(program, page)
    open_page(browser, page)
    assert [element.get_attribute("aria-label") for element in browser.find_elements(By.CSS_SELECTOR, ".source")] == [str(program)]
    assert texts(browser, "#sizes label") == ["max ="]
    press(browser, "svg .node.kernel")
    assert "4.00 KiB (max * 4)" in details(browser)


def test_compare(browser, digits, tmp_path):
    other = tmp_path / "other.html"
    explain(DIGITS, other, "--shape=images:256,64")
    open_page(browser, digits)
    find(browser, "#other").send_keys(str(other))
    WebDriverWait(browser, 60).until(lambda _: texts(browser, "#view h2") == ["Comparison"])
    assert texts(browser, "#totals tbody tr:first-child td") == ["4", "4", "same"]
    assert texts(browser, "#changes tr:nth-child(2) td") == ["76.5 KiB", "299 KiB", "3.90 \u00d7"]
    junk = tmp_path / "junk.html"
    junk.write_text("<p>nothing</p>")
    find(browser, "#other").send_keys(str(junk))
    WebDriverWait(browser, 60).until(expected_conditions.alert_is_present())
    assert "junk.html cannot be compared: it is no report" in browser.switch_to.alert.text
    browser.switch_to.alert.accept()


def test_escapes(browser, tmp_path):
    """What a program says is text, and never markup."""
    evil = "</script><img src=x onerror=document.title='evil'>"
    program = tmp_path / "evil.mlir"
    program.write_text(f"""// {evil}
func.func @main(%x: tensor<8xf32> {{tx.name = "{evil}"}}) -> tensor<8xf32> {{
  %0 = tx.exp %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}}
""")  # fmt: skip
    page = tmp_path / "page.html"
    explain(program, page)
    open_page(browser, page)
    assert texts(browser, ".source code")[0] == f"// {evil}"
    assert browser.execute_script("return document.querySelectorAll('img').length") == 0
    assert "tensorc report" in browser.title
    assert page.read_text().count("</script>") == 2


def test_python(browser, tmp_path):
    """tc.report shows the lines of Python, and a notebook the page."""

    def model(x, w):
        hidden = tc.tanh(tc.matmul(x, w["first"]))
        return tc.sum(hidden * w["scale"], axis=1)

    weights = {"first": tc.ones((32, 16)), "scale": 2.0}
    report = tc.report(model, tc.Input(tc.float32, ("n", 32)), weights, path=tmp_path / "page.html")
    assert report._repr_html_().startswith('<iframe title="report" srcdoc="&lt;!doctype html')
    open_page(browser, report.path)
    assert [label.text for label in browser.find_elements(By.CSS_SELECTOR, "#sizes label")] == ["n ="]
    assert find(browser, ".source").get_attribute("aria-label") == __file__
    browser.find_elements(By.CSS_SELECTOR, ".source li > button")[0].click()
    assert "tc.matmul(x, w[" in texts(browser, ".source li.selected code")[0]
    with pytest.raises(TypeError, match="an example array or an Input is needed"):
        tc.report(lambda: tc.ones(3), path=tmp_path / "none.html")
    with pytest.raises(TypeError, match="no argument is an array or an Input; tc.asarray makes an array of a number"):
        tc.report(lambda x: tc.ones(3) * x, 2.0, path=tmp_path / "none.html")
    array = numpy.ones(3, numpy.float32)
    assert pathlib.Path(tc.report(lambda x: x * 2, array, path=tmp_path / "numpy.html").path).exists()


PROGRAM = """
import numpy, tensorc as tc
for rows in (4, 5, 4):
    x = tc.asarray(numpy.ones((rows, 3), numpy.float32))
    tc.sum(tc.exp(x), axis=0).eval()
tc.cumsum(x, axis=0).eval()
"""


def test_compilations(browser, tmp_path):
    """TENSORC_REPORT lists the compilations of a process with their reasons, and has a page for each."""
    script, folder = tmp_path / "app.py", tmp_path / "<reports>"
    script.write_text(PROGRAM)
    subprocess.run([sys.executable, script], check=True, env={**os.environ, "TENSORC_REPORT": str(folder)})
    (listing,) = (path for path in folder.iterdir() if "-" not in path.name)
    assert len(list(folder.iterdir())) == 4
    browser.get(listing.as_uri())
    rows = [text.split("\t") for text in texts(browser, "tr")[1:]]
    assert [row[:3] for row in rows] == [["1", "new structure", ""], ["2", "second size", "1"], ["3", "new structure", ""]]
    assert rows[0][3] == "tensor<4x3xf32>" and rows[0][4] == f"{script}:5"
    browser.find_elements(By.CSS_SELECTOR, "td a")[1].click()
    view(browser, "Compilation")
    assert texts(browser, "#compilations tbody td:nth-child(2)") == ["new structure", "second size"]


FORK = """
import os
import tensorc as tc
tc.exp(tc.ones(3)).eval()
if os.fork() == 0:
    tc.cumsum(tc.ones(3)).eval()
    os._exit(0)
os.wait()
"""


def test_fork(tmp_path):
    """The list of a forked process has links to the pages of its parent."""
    subprocess.run([sys.executable, "-c", FORK], check=True, env={**os.environ, "TENSORC_REPORT": str(tmp_path)})
    lists = [path.read_text() for path in tmp_path.iterdir() if "-" not in path.name]
    links = [re.findall('href="(.*?)"', text) for text in lists]
    assert sorted(map(len, links)) == [1, 2]
    assert all((tmp_path / link).exists() for each in links for link in each)


TUNE = """
import tensorc as tc
x = tc.asarray([[1.0] * 64] * 64).eval()
def f(x):
    return tc.softmax(x)  # a number would be an argument of the kernel that tc.tune measures
tc.tune(f, x, seconds=0.05)
tc.report(f, x, path={page!r})
f(x).eval()
"""


def test_tuned(browser, tmp_path):
    """A kernel lists the schedules that tuning tried."""
    page = tmp_path / "page.html"
    command = ["tune", ROOT / "examples/softmax.mlir", "--shape=x:64,64", "--time=0.05s", "-o", tmp_path / "f.tctune", f"--html={page}"]
    subprocess.run([os.environ["TENSORC"], *command], check=True, stdout=subprocess.DEVNULL)
    open_page(browser, page)
    press(browser, "svg .node.kernel")
    rows = texts(browser, "#tried tr")
    assert rows and all(row.startswith("rows") and row.endswith("s") for row in rows)


def test_tuned_in_python(browser, tmp_path):
    """A report after tc.tune has the trials, as pages of TENSORC_REPORT have."""
    script, folder = tmp_path / "app.py", tmp_path / "reports"
    script.write_text(TUNE.format(page=str(tmp_path / "page.html")))
    subprocess.run([sys.executable, script], check=True, env={**os.environ, "TENSORC_REPORT": str(folder)})
    listing = min(folder.iterdir(), key=lambda path: len(path.name))
    for page in (tmp_path / "page.html", folder / f"{listing.stem}-1.html"):
        open_page(browser, page)
        press(browser, "svg .node.kernel")
        rows = texts(browser, "#tried tr")
        assert rows and all(row.startswith("rows") and row.endswith("s") for row in rows)


def test_large(browser, tmp_path):
    """A large program draws what is visible alone, and folds."""
    program = tmp_path / "large.mlir"
    lines = ["func.func @main(%x0: tensor<64x64xf32>) -> tensor<64x64xf32> {"]
    for i in range(400):
        lines.append(f"  %x{i + 1} = tx.dot_general %x{i}, %x{i} batch = [] x [] contracting = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>")
    program.write_text("\n".join([*lines, "  return %x400 : tensor<64x64xf32>", "}"]))
    page = tmp_path / "page.html"
    explain(program, page)
    assert page.stat().st_size < 500_000
    open_page(browser, page)
    assert texts(browser, "svg .node.group .sub") == ["40 kernels"] * len(texts(browser, "svg .node.group .sub"))
    press(browser, "[data-focus=fold]")
    assert 5 < len(browser.find_elements(By.CSS_SELECTOR, "svg .node.kernel")) < 100
    find(browser, "body").send_keys("j")
    assert len(browser.find_elements(By.CSS_SELECTOR, "svg .node.selected")) == 1
    # The table draws more rows when its end comes into view, or when a row is selected.
    count = "return document.querySelectorAll('tbody tr').length"
    view(browser, "Kernels")
    assert browser.execute_script(count) == 200
    browser.execute_script("scrollTo(0, document.body.scrollHeight)")
    WebDriverWait(browser, 60).until(lambda _: browser.execute_script(count) == 400)
    view(browser, "Graph")
    view(browser, "Kernels")
    browser.execute_script("app.select([app.report.kernels.length - 1])")
    assert browser.execute_script("return document.querySelectorAll('tbody tr.selected').length") == 1
    view(browser, "Memory")
    assert browser.execute_script("return document.querySelectorAll('svg .slot.selected').length") == 1


def test_folds(browser, tmp_path):
    """Kernels of a layer are one node of a large graph, until it is opened; equal kernels share their code."""

    def model(x, weights):
        for w in weights:
            x = tc.matmul(x, x)
            x = tc.matmul(x, w)
        return x

    weights = [tc.ones((8, 8)) for _ in range(60)]
    open_page(browser, tc.report(model, tc.ones((8, 8)), weights, path=tmp_path / "page.html").path)
    assert set(texts(browser, "svg .node.group .sub")) == {"2 kernels"}
    press(browser, "svg .node.group[aria-label^='group 2: test_report.py:']")
    assert len(browser.find_elements(By.CSS_SELECTOR, "svg .node.kernel")) == 2
    press(browser, "svg .node.kernel[aria-label^='kernel dot_general_2:']")
    assert "compiled as\ndot_general, whose body is equal" in details(browser)
    assert len(browser.find_elements(By.CSS_SELECTOR, "#details summary")) == 4
    view(browser, "Memory")
    assert "dot_general_2" in texts(browser, "#view td .link")


def luminance(color):
    parts = [float(part) / 255 for part in color[color.index("(") + 1 : -1].split(",")[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_looks(browser, digits):
    """Texts have the contrast that WCAG 2.2 AA asks for, light and dark, and fit a phone."""
    open_page(browser, digits)
    for _ in range(2):
        page = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        for selector in ("body", "#details p", ".source button", "#summary"):
            color = browser.execute_script("return getComputedStyle(document.querySelector(arguments[0])).color", selector)
            low, high = sorted((luminance(page), luminance(color)))
            assert (high + 0.05) / (low + 0.05) >= 4.5, selector
        find(browser, "#theme").click()
    browser.set_window_size(500, 900)
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    browser.set_window_size(1300, 900)
