"""`python -m jigsat` is the script `jigsat`."""

from .cli.start import entry

if __name__ == "__main__":
    entry()
