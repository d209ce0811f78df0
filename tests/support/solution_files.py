"""Solution files of boards and tilings, which need not be solutions."""

from jigsat.csp.files.solutions import solution_writer


def save_solutions(puzzle, solutions, path):
    """Write a solution file."""
    with solution_writer(puzzle, path) as writer:
        for solution in solutions:
            writer.add(solution)
