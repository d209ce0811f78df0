"""Runs a command in the process of the test."""

from jigsat.cli.main import main


def run(capsys, *arguments):
    """Status, standard output, standard error."""
    try:
        status = main(arguments)
    except SystemExit as stop:
        status = stop.code
    captured = capsys.readouterr()
    return status, captured.out, captured.err
