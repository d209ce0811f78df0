"""The data of pages, and their scripts without a browser: in the Node.js of Playwright; tests are skipped elsewhere."""

import json
import re
import subprocess

import pytest

from jigsat.render.html.page import resource


def data_of(page):
    """The data of a page for its scripts, from its HTML."""
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(text)


def evaluated(scripts, function, *arguments):
    """The result of a JavaScript function of these arguments, which knows the scripts; all values are JSON."""
    driver = pytest.importorskip("playwright._impl._driver", reason="Playwright is not installed")
    node = driver.compute_driver_executable()[0]
    call = f"console.log(JSON.stringify(({function})(...JSON.parse(require('fs').readFileSync(0)))));"
    program = "\n".join([*map(resource, scripts), call])
    ended = subprocess.run([node, "-e", program], input=json.dumps(arguments), capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)
