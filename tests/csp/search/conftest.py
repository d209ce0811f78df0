"""What tests of several searches need."""

import pytest

from simulated_gpu import has_gpu


@pytest.fixture(params=["simulator", "gpu"])
def simulated(request):
    """Whether kernels for a GPU run in Numba's simulator; without a GPU they do so only."""
    if request.param == "gpu" and not has_gpu():
        pytest.skip("there is no GPU")
    return request.param == "simulator"
