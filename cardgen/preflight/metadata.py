"""The XMP metadata of a document turned into its simple properties.

Knows nothing of what they should say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml import etree

from cardgen.preflight.read import Source
from cardgen.preflight.values import get_stream, read_data

_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_SPACES = {
    "http://www.npes.org/pdfx/ns/id/": "pdfxid",
    "http://ns.adobe.com/xap/1.0/mm/": "xmpMM",
    "http://ns.adobe.com/xap/1.0/": "xmp",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://ns.adobe.com/pdf/1.3/": "pdf",
}


@dataclass(frozen=True, slots=True)
class Metadata:
    readable: bool
    properties: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def get(self, space: str, key: str) -> str:
        return self.properties.get((space, key), "")


def read_metadata(source: Source) -> Metadata:
    stream = get_stream(source.pdf.Root, "/Metadata")
    if stream is None:
        return Metadata(False)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(read_data(stream).strip(b"\0 \r\n\t"), parser)
    except (etree.XMLSyntaxError, ValueError):
        return Metadata(False)
    found: dict[tuple[str, str], str] = {}
    for description in root.iter(f"{_RDF}Description"):
        for name, value in description.attrib.items():
            _keep(found, str(name), str(value))
        for child in description:
            if isinstance(child.tag, str):
                _keep(found, child.tag, "".join(map(str, child.itertext())).strip())
    return Metadata(True, found)


def _keep(found: dict[tuple[str, str], str], name: str, value: str) -> None:
    space, _, key = name.removeprefix("{").partition("}")
    if space in _SPACES:
        found.setdefault((_SPACES[space], key), value)
