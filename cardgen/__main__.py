"""Run the command line: `python -m cardgen`."""

from cardgen.cli.app import main

main(prog_name="cardgen")
