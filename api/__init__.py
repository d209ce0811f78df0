"""The public functions: what `import jigsat` and the command line both call."""
