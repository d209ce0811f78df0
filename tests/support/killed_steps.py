"""Work with kept steps that ends after some of them, as if its process had been killed."""

from jigsat.csp.work.steps import KeptSteps


class KilledError(BaseException):
    """Stands for the end of the process: nothing is written after it."""


def killed_after(monkeypatch, steps):
    """Have the work end when that many steps are kept."""
    left, add = [steps], KeptSteps.add

    def add_or_die(self, *arguments, **options):
        if left[0] == 0:
            raise KilledError
        left[0] -= 1
        add(self, *arguments, **options)

    monkeypatch.setattr(KeptSteps, "add", add_or_die)
