"""examples/web in a headless browser: from a server that allows no other scripts, and as single files."""

import functools
import http.server
import math
import os
import pathlib
import shutil
import subprocess
import sys
import threading

import pytest

CHROME, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
webdriver = pytest.importorskip("selenium.webdriver")
if not CHROME or not DRIVER:
    pytest.skip("no Chromium and its driver", allow_module_level=True)

from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Handler(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        self.send_header("Content-Security-Policy", "script-src 'self' 'wasm-unsafe-eval'")
        super().end_headers()

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("web")
    subprocess.run([sys.executable, ROOT / "examples/web/build.py", folder], check=True)
    return folder


@pytest.fixture(scope="module")
def server(site):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=site)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROME
    flags = ["--headless=new", "--disable-gpu", "--window-size=800,900", "--disable-dev-shm-usage"]
    if os.geteuid() == 0:
        flags.append("--no-sandbox")  # Chromium refuses to run as root with it
    for flag in flags:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.set_script_timeout(300)
    driver.set_page_load_timeout(300)
    yield driver
    driver.quit()


@pytest.fixture(params=["server", "alone"])
def open_page(request, browser, server, site):
    def open_page(name):
        browser.get(f"{server}/{name}.html" if request.param == "server" else (site / f"{name}-alone.html").as_uri())
        WebDriverWait(browser, 300).until(lambda _: browser.execute_script("return document.body.dataset.ready"))
        wrong = [entry for entry in browser.get_log("browser") if "favicon" not in entry["message"]]
        assert wrong == []
        return functools.partial(browser.execute_script)

    return open_page


# Draws strokes, whose points are parts of the paper's size, and returns what is read.
DRAW = """
const paper = document.getElementById("paper"), box = paper.getBoundingClientRect();
document.getElementById("clear").click();
for (const stroke of arguments[0])
  stroke.forEach(([x, y], i) => paper.dispatchEvent(new PointerEvent(i ? "pointermove" : "pointerdown", {
    clientX: box.left + x * box.width, clientY: box.top + y * box.height, buttons: 1, bubbles: true })));
return [document.getElementById("digit").value, document.querySelectorAll("meter").length];
"""


def arc(x, y, radius_x, radius_y, begin, end):
    steps = 24
    angles = [math.tau * (begin + (end - begin) * i / steps) for i in range(steps + 1)]
    return [[x + radius_x * math.sin(a), y - radius_y * math.cos(a)] for a in angles]


def test_digits(open_page):
    run = open_page("draw")
    digits = [
        [arc(0.5, 0.5, 0.22, 0.32, 0, 1)],
        [[[0.4, 0.3], [0.52, 0.2], [0.52, 0.8]]],
        [arc(0.5, 0.38, 0.2, 0.18, -0.22, 0.35) + [[0.3, 0.8], [0.72, 0.8]]],
        [arc(0.45, 0.35, 0.18, 0.15, -0.15, 0.5) + arc(0.45, 0.65, 0.2, 0.16, 0, 0.65)],
        [[[0.55, 0.2], [0.3, 0.6], [0.72, 0.6]], [[0.6, 0.4], [0.6, 0.82]]],
        [[[0.68, 0.2], [0.38, 0.2], [0.36, 0.45]] + arc(0.48, 0.6, 0.2, 0.18, -0.1, 0.6)],
        [[[0.6, 0.18], [0.42, 0.4]] + arc(0.5, 0.64, 0.16, 0.17, -0.25, 0.75)],
        [[[0.3, 0.2], [0.7, 0.2], [0.45, 0.8]]],
        [arc(0.5, 0.34, 0.15, 0.14, 0.5, 1.5) + arc(0.5, 0.66, 0.18, 0.17, 0, 1)],
        [arc(0.5, 0.36, 0.17, 0.16, 0.3, 1.3) + [[0.62, 0.5], [0.5, 0.82]]],
    ]
    assert [run(DRAW, strokes)[0] for strokes in digits] == list("0123456789")
    assert run(DRAW, []) == ["?", 10]


def test_form(browser, tmp_path):
    """The page without one of its own names types and sizes, and reads only numbers."""
    page = tmp_path / "softmax.html"
    subprocess.run([os.environ["TENSORC"], "compile", ROOT / "examples/softmax.mlir", "-o", page], check=True)
    browser.get(page.as_uri())
    WebDriverWait(browser, 60).until(lambda _: browser.find_elements("css selector", "form"))
    labels = [label.text for label in browser.find_elements("css selector", "label")]
    assert labels == ["x: f32[n, 64]", "s: f32", "b: f32[64]", "n: size"]

    def fill(**texts):
        for name, text in texts.items():
            browser.find_element("name", name).clear()
            browser.find_element("name", name).send_keys(text)
        browser.find_element("css selector", "button").click()
        return browser.find_element("css selector", "pre").text

    zeros = "0 " * 63
    assert fill(x="-inf " + zeros, s="1", b=zeros + "0", n="1").startswith("y [1,64]: 0 0.01587")
    assert fill(x="1,x") == "TypeError: x is no number"
    assert fill(x=zeros, n="1.5") == "TypeError: 1.5 is no integer"


def test_form_of_small_types(browser, tmp_path):
    """Scalars of f16 are numbers, and no element is cut to the bits of its type."""
    source, page = tmp_path / "small.mlir", tmp_path / "small.html"
    source.write_text("""func.func @main(%h: tensor<f16> {tx.name = "h", tx.scalar}, %i: tensor<2xi8> {tx.name = "i"}) -> (tensor<f16> {tx.name = "y"}, tensor<2xi8> {tx.name = "z"}) {
  return %h, %i : tensor<f16>, tensor<2xi8>
}""")
    subprocess.run([os.environ["TENSORC"], "compile", source, "-o", page], check=True)
    browser.get(page.as_uri())
    WebDriverWait(browser, 60).until(lambda _: browser.find_elements("css selector", "form"))
    assert [label.text for label in browser.find_elements("css selector", "label")] == ["h: f16", "i: i8[2]"]

    def fill(h, i):
        for name, text in {"h": h, "i": i}.items():
            browser.find_element("name", name).clear()
            browser.find_element("name", name).send_keys(text)
        browser.find_element("css selector", "button").click()
        return browser.find_element("css selector", "pre").text

    assert fill("0.1", "-128 127") == "y []: 11878\nz [2]: -128 127"
    assert fill("0.1", "1 300") == "RangeError: i: 300 is no value of i8"
    assert fill("", "1 2") == "TypeError: h: expected one number, not 0"


# Moves a slider, and returns the price and the number of points of the curve.
PRICE = """
const slider = document.getElementById(arguments[0]);
slider.value = arguments[1];
slider.dispatchEvent(new Event("input"));
return [document.getElementById("price").value, document.getElementById("curve").points.length];
"""


def call(spot=100.0, strike=100.0, rate=0.03, volatility=0.2, years=1.0):
    d1 = (math.log(spot / strike) + (rate + volatility**2 / 2) * years) / (volatility * math.sqrt(years))
    d2 = d1 - volatility * math.sqrt(years)
    return spot * (1 + math.erf(d1 / math.sqrt(2))) / 2 - math.exp(-rate * years) * strike * (1 + math.erf(d2 / math.sqrt(2))) / 2


def test_price(open_page):
    run = open_page("price")
    assert run(PRICE, "strike", "100") == [f"{call():.4f}", 101]
    assert run(PRICE, "volatility", "0.5") == [f"{call(volatility=0.5):.4f}", 101]
    assert run(PRICE, "strike", "120") == [f"{call(volatility=0.5, strike=120.0):.4f}", 101]
