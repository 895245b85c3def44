"""Reads a table of any kind as records: values by column or key, with their places.

Knows nothing of what the columns mean.
"""

from __future__ import annotations

from cardgen.importing.reading.kinds import PROGRAMS, TREES
from cardgen.importing.reading.sources import Source, decode
from cardgen.importing.tables.csv import read_csv_table
from cardgen.importing.tables.records import Columns, Records
from cardgen.importing.tables.rows import name_rows


def read_records(source: Source, columns: Columns) -> Records:
    """Return the rows of a CSV file or a sheet, or the cards of JSON, its like or a program."""
    file, wanted = source.name, frozenset(columns.fields.values())
    if source.kind in TREES:
        from cardgen.importing.tables.json import read_tree_records
        from cardgen.importing.tables.trees import parse_tree

        tree = parse_tree(decode(source), source.kind, file)
        return read_tree_records(tree, file, columns.cards_at, wanted, columns.pointed.names)
    if source.kind in PROGRAMS:
        from cardgen.importing.tables.json import read_tree_records
        from cardgen.importing.tables.programs import read_program

        written = read_program(decode(source), source.kind, file)
        records = read_tree_records(
            written.tree, file, columns.cards_at, wanted, columns.pointed.names
        )
        return records._replace(left_out=(*records.left_out, *written.list_lost(file)))
    if source.kind == "csv":
        table = read_csv_table(decode(source), file, wanted)
        return name_rows(table.rows, file, wanted, table.delimiter)
    if source.kind == "ods":
        from cardgen.importing.tables.ods import read_ods_rows

        found = read_ods_rows(source.data, file, columns.sheet)
    else:
        from cardgen.importing.tables.xlsx import read_xlsx_rows

        found = read_xlsx_rows(source.data, file, columns.sheet)
    records = name_rows(found.rows, file, wanted)
    return records._replace(doubts=(*records.doubts, *found.list_doubts(file)))
