import pytest

from studio_pages import DESKTOP, PHONE, served


@pytest.fixture
def browser(browser):
    pytest.importorskip("nicegui", reason="NiceGUI is not installed")
    return browser


@pytest.fixture(scope="session")
def studio(tmp_path_factory):
    """A studio that many tests share."""
    pytest.importorskip("nicegui", reason="NiceGUI is not installed")
    with served(tmp_path_factory.mktemp("studio")) as found:
        yield found


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def window(request):
    return request.param
