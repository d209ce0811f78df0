"""A package that offers engines, for tests of experiments and races."""

import os

import pytest

from engine_package import install
from jigsat.csp.engines.registry import other_classes, others


@pytest.fixture(scope="session")
def _site(tmp_path_factory):
    return str(install(tmp_path_factory.mktemp("package")))


@pytest.fixture
def installed_engines(_site, monkeypatch):
    """The engines `shuffle` and `sleeper` are installed, here and in processes that a test starts."""
    monkeypatch.syspath_prepend(_site)
    monkeypatch.setenv("PYTHONPATH", _site, prepend=os.pathsep)
    for remembered in (others, other_classes):
        remembered.cache_clear()
    yield
    for remembered in (others, other_classes):
        remembered.cache_clear()
