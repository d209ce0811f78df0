"""A formula under construction, clause by clause, in the plainest way."""

from collections.abc import Hashable, Iterator, Sequence


class PlainFormula:
    """Clauses, and variables by name.

    Attributes:
    - `top`: the greatest variable.
    """

    def __init__(self) -> None:
        self.clauses: list[list[int]] = []
        self.top = 0
        self._named: dict[tuple[Hashable, ...], int] = {}

    def variable(self, *name: Hashable) -> int:
        """The variable of that name, made when it is asked for the first time; without a name a new one."""
        if name in self._named:
            return self._named[name]
        self.top += 1
        if name:
            self._named[name] = self.top
        return self.top

    def known(self, *name: Hashable) -> int | None:
        """The variable of that name, if it exists."""
        return self._named.get(name)

    def add(self, *literals: int) -> None:
        """Add a clause."""
        self.clauses.append(list(literals))

    def at_most(self, literals: Sequence[int], most: int) -> None:
        """At most that many of them are true."""
        for _ in self._counted(literals, most):
            pass

    def exactly(self, literals: Sequence[int], number: int) -> None:
        """Exactly that many of them are true."""
        count: list[int] = []
        for now in self._counted(literals, number):
            count = now
        if number > len(count):
            self.add()
        elif number > 0:
            self.add(count[number - 1])

    def at_most_so_far(self, literals: Sequence[int], most: Sequence[int]) -> None:
        """Of the first 1, 2, ... literals at most as many are true as `most`, which ascends, has in that place."""
        for count, bound in zip(self._counted(literals, max(most, default=0)), most, strict=True):
            if bound < len(count):
                self.add(-count[bound])

    def _counted(self, literals: Sequence[int], most: int) -> Iterator[list[int]]:
        """After each literal the variables "at least 1, 2, ..., `most` so far"; more than `most` are excluded."""
        before: list[int] = []
        for literal in literals:
            if len(before) == most:
                self.add(-literal, *(-full for full in before[-1:]))
            now = [self.variable() for _ in range(min(len(before) + 1, most))]
            for k, reached in enumerate(now):
                # At least k + 1 of them: there were as many before, or one less and now this literal.
                already, one_less = before[k : k + 1], before[k - 1 : k] if k else []
                self.add(-literal, *(-one for one in one_less), reached)
                self.add(-reached, *already, literal)
                for one in already:
                    self.add(-one, reached)
                for one in one_less:
                    self.add(-reached, *already, one)
            before = now
            yield now
