"""The shapes of documents: for each, what is fixed and what a seed may choose among."""

from __future__ import annotations

import random
from collections.abc import Mapping

# What a seed chooses among where a shape says nothing, for Markdown and for plain text.
_MARKDOWN = """suffix=.md language=en,en,en,de,fr form=entries name=heading
    subtitle=none,italic,italic,bracket labels=bold,bold,plain,bullets,packed
    cost=none,label,label,paren,line count=none,none,none,times,label,copies,before
    who=none,none,label,line stats=none,none,none,line chapters=none,one,flat,flat,parts
    extras=none,none,toc,front,back,index,front+back,toc+front text=some,rich,rich,effect
    wrap=none,none,none,72,80,96 noise=none torn=line"""
_PLAIN = """suffix=.txt language=en,en,en,de,fr form=entries name=capitals
    subtitle=none,none,plain,bracket labels=plain,plain,bullets,packed
    cost=none,label,label,paren,dash,line count=none,none,none,times,label,copies
    who=none,none,label,line stats=none,none,none,line chapters=none,none,one,flat,flat
    extras=none,none,none,front,back,front+back text=some,some,rich,effect
    wrap=none,50,60,66,72,80 noise=none torn=line"""
_LEADS = """form=leads subtitle=none labels=none stats=none who=none text=line
    extras=none,front,back count=none,none,copies,times cost=none,paren"""
_TABLE = """form=table subtitle=none stats=none text=line who=none,none,label wrap=none
    labels=none,table,table cost=none,label,label count=none,none,label chapters=none,one,flat,flat
    extras=none,none,front,back"""
_STATS = "labels=none,plain name=capitals,numbered,underlined text=some"

_SHAPES = {
    # Markdown with a heading to each card.
    "headings": (_MARKDOWN, "labels=bold subtitle=italic language=en"),
    "headings-bare": (_MARKDOWN, "labels=none cost=none,paren stats=none who=none count=none"),
    "headings-bullets": (_MARKDOWN, "labels=bullets"),
    "headings-plain-labels": (_MARKDOWN, "labels=plain wrap=none"),
    "headings-packed": (_MARKDOWN, "labels=packed wrap=none"),
    "headings-tables": (_MARKDOWN, "labels=table wrap=none"),
    "headings-definitions": (_MARKDOWN, "labels=definition"),
    "headings-sections": (_MARKDOWN, "text=sections labels=bold,bullets chapters=none,one,flat"),
    "headings-costs": (_MARKDOWN, "cost=paren,dash,line labels=none,bold"),
    "headings-counts": (_MARKDOWN, "count=times,copies,before,label"),
    "headings-stat-tables": (_MARKDOWN, "stats=table labels=none,bold subtitle=italic,none"),
    "headings-stat-lines": (_MARKDOWN, "stats=line labels=none,bullets"),
    "headings-numbered": (_MARKDOWN, "name=numbered-heading count=none,label,copies"),
    "headings-parts": (_MARKDOWN, "chapters=parts"),
    "headings-front": (_MARKDOWN, "extras=front+back,toc+front+index chapters=one,flat"),
    "headings-between": (_MARKDOWN, "extras=between,between+back,front+between chapters=flat"),
    "headings-footnotes": (_MARKDOWN, "extras=notes,notes+back text=rich"),
    "headings-pictures": (_MARKDOWN, "extras=pictures,pictures+back"),
    "headings-rolls": (_MARKDOWN, "text=rolls wrap=none,80"),
    "headings-steps": (_MARKDOWN, "text=steps wrap=none,80 name=heading,bold"),
    "headings-matter": (_MARKDOWN, "extras=matter,matter+toc chapters=one,flat"),
    "headings-tight": (_MARKDOWN, "noise=missing wrap=none text=some,effect"),
    "setext": (_MARKDOWN, "name=setext chapters=none,one,flat text=some,rich"),
    "bold-lines": (_MARKDOWN, "name=bold labels=plain,bullets,none chapters=none,one,flat"),
    "wiki": (_MARKDOWN, "name=wiki labels=bold,bullets subtitle=none,italic wrap=none"),
    # Markdown with the name in the text.
    "bold-leads": (_MARKDOWN, _LEADS, "name=bold-lead,italic-lead text=line,some"),
    "bold-leads-costs": (_MARKDOWN, _LEADS, "name=bold-lead cost=paren labels=none,packed"),
    "list-leads": (_MARKDOWN, _LEADS, "name=list-lead"),
    "list-nested": (_MARKDOWN, _LEADS, "name=list-lead labels=plain,bold cost=none,label,paren"),
    "list-numbered": (_MARKDOWN, _LEADS, "name=numbered-lead"),
    "terms": (_MARKDOWN, _LEADS, "name=term wrap=none,80"),
    "list-plain": (_MARKDOWN, _LEADS, "name=item"),
    # Tables.
    "table": (_MARKDOWN, _TABLE, "name=pipes"),
    "table-grouped": (_MARKDOWN, _TABLE, "name=pipes chapters=flat extras=grouped"),
    "table-stats": (_MARKDOWN, _TABLE, "name=pipes stats=line labels=none,table"),
    "table-bare": (_MARKDOWN, _TABLE, "name=pipes,ruled,grid text=none labels=table cost=label"),
    "table-wrapped": (_MARKDOWN, _TABLE, "name=wrapped-pipes"),
    "table-grid": (_MARKDOWN, _TABLE, "name=grid"),
    "table-ruled": (_MARKDOWN, _TABLE, "name=ruled"),
    "table-wiki": (_MARKDOWN, _TABLE, "name=wikitable chapters=none"),
    "table-pasted": (_PLAIN, _TABLE, "name=tabs"),
    # Plain text with the name on a line of its own.
    "capitals": (_PLAIN, ""),
    "centred": (_PLAIN, "name=centred wrap=60,66,72 cost=none,label"),
    "titles": (_PLAIN, "name=title labels=plain subtitle=none,plain cost=label,none stats=none"),
    "underlined": (_PLAIN, "name=underlined"),
    "decorated": (_PLAIN, "name=decorated"),
    "numbered": (_PLAIN, "name=numbered"),
    "spaced": (_PLAIN, "name=spaced count=none,label cost=none,label"),
    "records": (_PLAIN, "form=records name=title subtitle=none count=none,label cost=none,label"
                " stats=none labels=plain text=line,some who=none,label"),
    "dotted-costs": (_PLAIN, "name=title,capitals cost=dots count=none extras=none,front"
                     " labels=none,plain"),
    "corner-costs": (_PLAIN, "name=title,capitals cost=corner count=none extras=none,front"),
    "contents": (_PLAIN, "name=capitals,numbered,underlined extras=toc,front+toc,toc+back"),
    "restrictions": (_PLAIN, "name=capitals,numbered,underlined subtitle=none who=line"
                     " language=en"),
    "paren-costs": (_PLAIN, "name=title,numbered cost=paren count=none,copies labels=none,plain"),
    "aligned-labels": (_PLAIN, "labels=aligned,dotted stats=none"),
    "hanging": (_PLAIN, "noise=inner name=title,capitals,numbered,underlined"),
    # Plain text with the name at the start of the text.
    "colons": (_PLAIN, _LEADS, "name=colon wrap=none,60,72"),
    "bullets": (_PLAIN, _LEADS, "name=item wrap=none,60,72"),
    "counted": (_PLAIN, _LEADS, "name=counted wrap=none,60,72 count=none,copies"),
    "prices": (_PLAIN, _LEADS, "name=gap,item text=none cost=dots,corner count=none"),
    "dashes": (_PLAIN, _LEADS, "name=dash wrap=none,60,72"),
    "capital-leads": (_PLAIN, _LEADS, "name=capital-lead"),
    "tabbed": (_PLAIN, _LEADS, "name=tab wrap=none"),
    "beside": (_PLAIN, _LEADS, "name=gap wrap=80,90,100 count=none,copies"),
    # Stat lines.
    "stat-lines": (_PLAIN, _STATS, "stats=line"),
    "stat-rows": (_PLAIN, _STATS, "stats=rows"),
    "stat-torn": (_PLAIN, _STATS, "stats=torn labels=none subtitle=none"),
    # Scans and what extraction makes of pages.
    "scan": (_PLAIN, "noise=pages+hyphens wrap=50,56,64,72 name=capitals,numbered,centred"),
    "scan-raw": (_PLAIN, "noise=pages+hyphens+missing wrap=50,64,80 name=capitals text=some"
                 " labels=plain extras=none"),
    "scan-dropped": (_PLAIN, "noise=dropped+hyphens,dropped torn=line,blank wrap=56,64 text=some"),
    "scan-misread": (_PLAIN, "noise=misread+pages+hyphens,misread wrap=56,64,72"),
    "columns": (_PLAIN, "noise=columns,columns+hyphens wrap=38,44,50 labels=plain,bullets"
                " stats=none cost=none,label name=capitals extras=none"),
    "indented": (_PLAIN, "noise=indented name=capitals,underlined,numbered"),
    "doubled": (_PLAIN, "noise=doubled name=capitals,underlined,numbered"),
    "tight": (_PLAIN, "noise=missing name=capitals,underlined text=some extras=none"),
    # Languages.
    "german-headings": (_MARKDOWN, "language=de"),
    "german-plain": (_PLAIN, "language=de name=capitals,title,numbered labels=plain"),
    "french-headings": (_MARKDOWN, "language=fr"),
    "french-plain": (_PLAIN, "language=fr name=capitals,underlined,numbered"),
}  # fmt: skip

SHAPES = tuple(_SHAPES)


def choose_style(rng: random.Random, shape: str) -> Mapping[str, str]:
    """One style of a shape; what cannot go together is mended."""
    choices = dict(
        choice.split("=") for part in _SHAPES[shape] for choice in part.split()
    )  # fmt: skip
    style = {key: rng.choice(values.split(",")) for key, values in choices.items()}
    if style["language"] != "en" and style["who"] == "line":
        style["who"] = "none"
    if style["subtitle"] != "none" and style["who"] == "line":
        style["who"] = "label"
    if style["extras"] != "none" and style["chapters"] == "none" and style["extras"] != "notes":
        style["chapters"] = "one"
    return style
