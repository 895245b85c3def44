"""The addresses of the studio: docs/studio.md says what each takes and gives."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import cast
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from cardgen.build.plan import BuildOptions
from cardgen.core.deck_files import holds, leads_inside
from cardgen.core.errors import CardgenError
from cardgen.core.failures import FAILURES, explain_failure
from cardgen.core.inner_pictures import split_inner
from cardgen.core.library import Library
from cardgen.core.messages import get_entry, read_entries
from cardgen.core.reading import read_bytes, read_text
from cardgen.core.scratch import get_scratch
from cardgen.core.version import VERSION
from cardgen.deck.model import Value, slug
from cardgen.pages.target import Side
from cardgen.project.printers import LYING, Profiles
from cardgen.studio.asking import (
    Refused,
    bound_dpi,
    get_list,
    make_gone,
    make_nothing,
    make_wrong,
    parse_json,
    read_body,
    read_dpi,
    read_json,
    read_view,
)
from cardgen.studio.easel import Spot, View
from cardgen.studio.editing import pack_conflicts, plan_change, read_edits
from cardgen.studio.editors import find_address, list_editors, open_editor
from cardgen.studio.edits.model import Change, Conflicts
from cardgen.studio.giving import plan_picture
from cardgen.studio.intake import look_into, name_text, write_empty, write_found
from cardgen.studio.packing import name_file, pack_problem
from cardgen.studio.painter import Lost, make_lost_problem, read_origins
from cardgen.studio.pointing import Click
from cardgen.studio.printing import Desk, build_into, inspect, read_options
from cardgen.studio.session import Session, Start, make_no_deck
from cardgen.studio.wall import Gone, Wall
from cardgen.text.fonts import list_installed_files

WEB = Path(__file__).parent / "web"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
}
_FONT = "alegreya-sans"
_MOST_FILE = 20_000_000
_MOST_CLICKS = 500
_FOR_EVER = {"Cache-Control": "private, max-age=31536000, immutable"}
# An SVG may hold a script, which runs nowhere.
_ALONE = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_ALIVE = 15.0  # seconds after which a stream without events shows that it is still there
_PICTURES = {
    ".avif": "image/avif",
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".tif": "image/tiff",
    ".tiff": "image/tiff",
    ".bmp": "image/bmp",
    ".webp": "image/webp",
}
_TEXTS = (".yaml", ".yml", ".csv", ".tsv", ".md", ".xml", ".toml", ".svg", ".txt")

Answer = Callable[[Request, Session], Awaitable[Response]]


def make_app(start: Start) -> Starlette:
    """Return the application; `state.session` holds what it knows."""
    session = Session(start)

    @asynccontextmanager
    async def live(_: Starlette) -> AsyncIterator[None]:
        await session.begin()
        try:
            yield
        finally:
            await session.end()

    def read(path: str, answer: Answer) -> Route:
        return Route(path, _guard(answer, session), methods=["GET"])

    def change(path: str, answer: Answer) -> Route:
        return Route(path, _guard(answer, session), methods=["POST"])

    app = Starlette(
        lifespan=live,
        routes=[
            read("/", _show_page),
            read("/web/fonts/{name}", _show_font),
            read("/web/{path:path}", _show_file),
            read("/api/project", _tell_project),
            read("/api/decks", _tell_decks),
            read("/api/deck/{deck}", _tell_deck),
            read("/api/icons", _tell_icons),
            read("/api/templates", _tell_templates),
            read("/api/messages/{code:path}", _tell_message),
            read("/icon/{name}", _show_icon),
            read("/cover/{deck}", _show_cover),
            read("/face/{deck}/{card}/{side}", _show_face),
            read("/api/boxes/{deck}/{card}/{side}", _tell_boxes),
            read("/api/origins/{deck}/{card}", _tell_origins),
            read("/api/sheets/{deck}", _tell_sheets),
            read("/sheet/{deck}/{number:int}", _show_sheet),
            read("/picture/{name:path}", _show_picture),
            read("/api/source", _tell_source),
            read("/events", _stream_events),
            change("/api/seen", _take_seen),
            change("/api/try", _try_card),
            change("/api/deal", _deal),
            change("/api/edit", _edit),
            change("/api/picture", _give_picture),
            change("/api/undo", _undo),
            change("/api/redo", _redo),
            change("/api/forget", _forget),
            change("/api/open", _open_place),
            change("/api/build", _build),
            change("/api/preflight", _inspect),
            change("/api/new", _make_new),
            change("/api/import", _import),
        ],
    )
    app.state.session = session
    return app


def _guard(answer: Answer, session: Session) -> Callable[[Request], Awaitable[Response]]:
    """Turn what may go wrong into an answer with its problems."""

    async def respond(request: Request) -> Response:
        try:
            return await answer(request, session)
        except Refused as refused:
            return _tell_problems(refused.error, refused.status)
        except CardgenError as error:
            code = error.problems[0].code
            return _tell_problems(error, 404 if code == "studio/no-deck" else 422)
        except Lost as lost:
            return _tell_problems(CardgenError.of([make_lost_problem(lost)]), 500)
        except FAILURES as error:
            return _tell_problems(explain_failure(error), 422)

    return respond


def _tell_problems(error: CardgenError, status: int) -> Response:
    problems = [pack_problem(problem) for problem in error.problems]
    return JSONResponse({"problems": problems}, status)


# The page


async def _show_page(_: Request, __: Session) -> Response:
    return _send_file(WEB / "index.html")


async def _show_file(request: Request, _: Session) -> Response:
    path = WEB / request.path_params["path"]
    if not leads_inside(path, WEB):
        raise Refused(make_nothing(), 404)
    return _send_file(path)


async def _show_font(request: Request, _: Session) -> Response:
    """Answer with a font of the page, which is that of the cards."""
    fonts = await asyncio.to_thread(list_installed_files, _FONT)
    path = fonts.get(request.path_params["name"])
    if path is None:
        raise Refused(make_nothing(), 404)
    kind = f"font/{path.suffix.removeprefix('.')}"
    return Response(path.read_bytes(), media_type=kind, headers=_FOR_EVER)


def _send_file(path: Path) -> Response:
    kind = _TYPES.get(path.suffix)
    if kind is None or not holds(Path.is_file, path):
        raise Refused(make_nothing(), 404)
    return Response(path.read_bytes(), media_type=kind)


# What is known


async def _tell_project(_: Request, session: Session) -> Response:
    return JSONResponse(
        {
            "folder": session.start.folder.resolve().name,
            "version": VERSION,
            "editors": [{"id": name, "title": title} for name, title in list_editors()],
            "printers": _list_printers(session.start.profiles),
            "open": session.start.deck,
        }
    )


def _list_printers(profiles: Profiles | None) -> list[str]:
    return sorted(name for name in (profiles.known if profiles else {}) if not name.endswith(LYING))


async def _tell_decks(_: Request, session: Session) -> Response:
    return JSONResponse({"decks": await session.list_decks()})


async def _tell_deck(request: Request, session: Session) -> Response:
    wall = await session.open_wall(request.path_params["deck"], read_view(request.query_params))
    return JSONResponse(wall.pack())


async def _tell_icons(_: Request, session: Session) -> Response:
    names = await asyncio.to_thread(Library(session.start.folder).list_names, "icon")
    return JSONResponse({"icons": [{"name": n, "url": f"icon/{n}.svg"} for n in names]})


async def _tell_templates(_: Request, session: Session) -> Response:
    library = Library(session.start.folder)
    own = set(await asyncio.to_thread(library.list_own, "template"))
    names = await asyncio.to_thread(library.list_names, "template")
    return JSONResponse({"templates": [{"name": name, "own": name in own} for name in names]})


async def _show_icon(request: Request, session: Session) -> Response:
    name: str = request.path_params["name"]
    library = Library(session.start.folder)
    path = await asyncio.to_thread(library.get, "icon", name.removesuffix(".svg"))
    return Response(
        await asyncio.to_thread(path.read_bytes),
        media_type="image/svg+xml",
        # An icon may hold a script, which runs nowhere.
        headers={
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        },
    )


async def _tell_message(request: Request, _: Session) -> Response:
    entry = get_entry(read_entries(), request.path_params["code"])
    told = {"code": entry.code, "cause": entry.cause, "cure": entry.cure, "example": entry.example}
    return JSONResponse(told)


async def _show_cover(request: Request, session: Session) -> Response:
    name: str = request.path_params["deck"]
    if name not in {deck["name"] for deck in await session.list_decks()}:
        raise make_no_deck(name)
    picture = await session.draw_cover(name, read_dpi(request, 100))
    if picture is None:
        raise Refused(make_nothing(), 404)
    return Response(picture, media_type="image/png")


async def _show_face(request: Request, session: Session) -> Response:
    version, dpi = request.query_params.get("v", ""), read_dpi(request, 150)
    kept = session.pictures.find(version, dpi)
    if kept is None:
        wall = session.find_wall(version)
        try:
            if wall is None:
                raise Gone
            kept = await wall.draw(version, dpi)
        except Gone:
            return await _lead_to_face(request, session, version, dpi)
    return Response(kept, media_type="image/png", headers=_FOR_EVER)


async def _lead_to_face(request: Request, session: Session, version: str, dpi: int) -> Response:
    """Lead from a version that is no longer there to the one that is."""
    names = request.path_params
    side: Side = "back" if names["side"] == "back" else "front"
    for wall in session.list_walls(names["deck"]):
        now = await wall.find_now(names["card"], side)
        if now is not None and now != version:
            return Response(status_code=307, headers={"Location": f"{side}?v={now}&dpi={dpi}"})
    raise Refused(make_gone(), 410)


async def _tell_boxes(request: Request, session: Session) -> Response:
    names = request.path_params
    wall = await session.open_wall(names["deck"], read_view(request.query_params))
    side: Side = "back" if names["side"] == "back" else "front"
    told = await wall.trace(Spot(names["card"], side))
    if told is None:
        raise Refused(make_nothing(), 404)
    return JSONResponse(told)


async def _tell_origins(request: Request, session: Session) -> Response:
    names = request.path_params
    wall = await session.open_wall(names["deck"], read_view(request.query_params))
    if names["card"] not in wall.cards:
        raise Refused(make_nothing(), 404)
    return JSONResponse({"origins": await wall.ask(partial(read_origins, names["card"]))})


async def _tell_sheets(request: Request, session: Session) -> Response:
    view = read_view(request.query_params)
    wall = await session.open_wall(request.path_params["deck"], view)
    said: dict[str, object] = {**request.query_params}
    for name in ("reverse", "one_of_each"):
        said[name] = said.get(name) == "true"
    skip = request.query_params.get("skip", "")
    said["skip"] = int(skip) if skip.isascii() and skip.isdigit() and len(skip) < 6 else 0
    return JSONResponse(await wall.lay(read_options(view, said, session.start.profiles)))


async def _show_sheet(request: Request, session: Session) -> Response:
    version, dpi = request.query_params.get("v", ""), read_dpi(request, 100)
    wall = session.find_sheets(version)
    try:
        if wall is None:
            raise Gone
        drawn = await wall.draw_sheet(version, request.path_params["number"], dpi)
    except Gone:
        raise Refused(make_gone(), 410) from None
    return Response(drawn, media_type="image/png", headers=_FOR_EVER)


async def _show_picture(request: Request, session: Session) -> Response:
    library = Library(session.start.folder)
    name = request.path_params["name"]
    path = await asyncio.to_thread(library.get_picture, name)
    kind = _PICTURES.get(path.suffix.lower())
    is_inner = bool(split_inner(name)[1])
    if kind is None or not (is_inner or session.find_file(str(path))):
        raise Refused(make_nothing(), 404)
    data = await asyncio.to_thread(read_bytes, path)
    return Response(data, media_type=kind, headers={"Content-Security-Policy": _ALONE})


async def _tell_source(request: Request, session: Session) -> Response:
    name = request.query_params.get("file", "")
    path = session.find_file(name)
    if path is None or path.suffix.lower() not in _TEXTS:
        raise Refused(make_nothing(), 404)
    source = await asyncio.to_thread(read_text, path)
    return JSONResponse({"file": name, "text": source.text})


async def _stream_events(request: Request, session: Session) -> Response:
    view = read_view(request.query_params)
    wall = await session.open_wall(request.query_params.get("deck", ""), view)

    async def stream() -> AsyncIterator[bytes]:
        events = wall.listen()
        try:
            while True:
                try:
                    event = await asyncio.wait_for(events.get(), _ALIVE)
                except TimeoutError:
                    yield b": still here\n\n"
                    continue
                yield f"event: {event.name}\ndata: {json.dumps(event.data)}\n\n".encode()
                if event.name == "end":
                    return
        finally:
            wall.leave(events)

    return StreamingResponse(stream(), media_type="text/event-stream")


# What is asked for


async def _take_seen(request: Request, session: Session) -> Response:
    asked = await read_json(request)
    wall = await _open_asked(asked, session)
    cards = [card for card in get_list(asked, "cards") if isinstance(card, str)]
    dpi = asked.get("dpi", 150)
    wall.look_at(cards[:500], bound_dpi(dpi if isinstance(dpi, int) else 150))
    return JSONResponse({})


async def _try_card(request: Request, session: Session) -> Response:
    asked = await read_json(request)
    wall = await _open_asked(asked, session)
    key, values = asked.get("card"), asked.get("values")
    if not isinstance(key, str) or key not in wall.cards or not isinstance(values, dict):
        raise Refused(make_wrong("there is no such card, or there are no values"))
    return JSONResponse(await wall.try_card(key, cast(dict[str, Value], values)))


async def _edit(request: Request, session: Session) -> Response:
    asked = await read_json(request)
    wall = await _open_asked(asked, session)
    edits = read_edits(get_list(asked, "edits"))
    return await _write(plan_change(edits, wall.view), session, wall)


async def _give_picture(request: Request, session: Session) -> Response:
    said = request.query_params
    wall = await session.open_wall(said.get("deck", ""), read_view(said))
    data = await read_body(request, _MOST_FILE)
    task = plan_picture(said.get("card", ""), said.get("field"), said.get("name", ""), data)
    return await _write(task, session, wall)


async def _write(
    plan: Callable[[Desk], Change | Conflicts], session: Session, wall: Wall
) -> Response:
    """Answer with what came of a change that a process of the deck plans."""
    planned = await wall.ask(plan)
    if isinstance(planned, Conflicts):
        return _tell_written(planned, session, wall)
    written = await session.change(lambda journal: journal.apply(planned))
    await wall.open()
    return _tell_written(written, session, wall)


async def _undo(request: Request, session: Session) -> Response:
    await read_json(request)
    return _tell_written(await session.change(lambda journal: journal.undo()), session)


async def _redo(request: Request, session: Session) -> Response:
    await read_json(request)
    return _tell_written(await session.change(lambda journal: journal.redo()), session)


async def _forget(request: Request, session: Session) -> Response:
    asked = await read_json(request)
    session.journal.forget("redo" if asked.get("step") == "redo" else "undo")
    return JSONResponse(session.name_steps())


def _tell_written(
    written: Change | Conflicts | None, session: Session, wall: Wall | None = None
) -> Response:
    """Answer with the files that were written, or with what stands against it."""
    if isinstance(written, Conflicts):
        return JSONResponse({"conflicts": pack_conflicts(written), "problems": []}, 409)
    files = [name_file(file.path) for file in written.files] if written else []
    version = {"v": wall.version} if wall else {}
    return JSONResponse({"files": files, **session.name_steps(), **version})


async def _deal(request: Request, session: Session) -> Response:
    asked = await read_json(request)
    wall = await _open_asked(asked, session)
    seed = asked.get("seed")
    if not isinstance(seed, int | str) or isinstance(seed, bool):
        seed = random.randrange(1_000_000)
    aside = set(cast(dict[str, list[str]], wall.deck["deal"])["aside"])
    dealt = [key for key in wall.order if key not in aside]
    counts = ((key, cast(int, wall.cards[key]["count"])) for key in dealt)
    cards = [key for key, count in counts for _ in range(count)]
    random.Random(str(seed)).shuffle(cards)
    return JSONResponse({"seed": seed, "cards": cards})


async def _open_place(request: Request, session: Session) -> Response:
    asked = await read_json(request)
    place, editor = asked.get("place"), asked.get("editor")
    if not isinstance(place, dict):
        raise Refused(make_wrong("the place is missing"))
    path = session.find_file(str(place.get("file", "")))
    if path is None or not holds(Path.is_file, path):
        raise Refused(make_nothing(), 404)
    line, column = (_take_number(place.get(name)) for name in ("line", "column"))
    address = (
        find_address(editor, path.absolute(), line, column) if isinstance(editor, str) else None
    )
    if address is not None:
        return JSONResponse({"url": address})
    await asyncio.to_thread(open_editor, path.absolute(), line)
    return JSONResponse({"opened": True})


def _take_number(value: object) -> int:
    return value if isinstance(value, int) and 0 < value < 10_000_000 else 1


async def _build(request: Request, session: Session) -> Response:
    name, view, options = await _read_order(request, session)
    folder = Path(await asyncio.to_thread(mkdtemp, dir=get_scratch()))
    try:
        task = partial(build_into, options=options)
        path = await session.print_deck(name, view, task, folder)
        data = await asyncio.to_thread(path.read_bytes)
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
    kind = "application/pdf" if path.suffix == ".pdf" else "application/zip"
    return Response(
        data,
        media_type=kind,
        headers={"Content-Disposition": _name_download(path.name)},
    )


def _name_download(name: str) -> str:
    plain = "".join(c if c.isascii() and (c.isalnum() or c in ".-_ ") else "_" for c in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"


async def _inspect(request: Request, session: Session) -> Response:
    name, view, options = await _read_order(request, session)
    folder = Path(await asyncio.to_thread(mkdtemp, dir=get_scratch()))
    try:
        told = await session.print_deck(name, view, partial(inspect, options=options), folder)
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
    return JSONResponse(told)


async def _read_order(request: Request, session: Session) -> tuple[str, View, BuildOptions]:
    """Return the deck, the view and the options of a build that is asked for."""
    asked = await read_json(request)
    name, view, said = asked.get("deck"), asked.get("view") or {}, asked.get("options") or {}
    if not isinstance(name, str) or not isinstance(view, dict) or not isinstance(said, dict):
        raise Refused(make_wrong("the deck is not named"))
    seen = read_view(cast(dict[str, object], view))
    return name, seen, read_options(seen, {**view, **said}, session.start.profiles)


async def _make_new(request: Request, session: Session) -> Response:
    asked = await read_json(request)
    title, template = asked.get("name"), asked.get("template")
    if not isinstance(title, str) or not title.strip() or not isinstance(template, str):
        raise Refused(make_wrong("a name and a template are wanted"))
    task = partial(write_empty, _name_deck(title, session), title.strip(), template)
    return JSONResponse({"deck": await session.ask_writer(task)})


async def _import(request: Request, session: Session) -> Response:
    said, data = request.query_params, await read_body(request, _MOST_FILE)
    text = name_text(said.get("name", ""), data)
    clicks = _read_clicks(said.get("clicks", ""))
    title = said.get("title", "").strip()
    if not title:
        return JSONResponse(await session.ask_writer(partial(look_into, text, clicks)))
    task = partial(write_found, text, clicks, _name_deck(title, session), title)
    return JSONResponse({"deck": await session.ask_writer(task)})


def _read_clicks(said: str) -> tuple[Click, ...]:
    """Return what was clicked, in its order."""
    try:
        told = parse_json(said) if said else []
        return tuple(
            Click(str(kind), str(at), str(other), alone is True)
            for kind, at, other, alone in told[:_MOST_CLICKS]
        )
    except (ValueError, TypeError, KeyError):
        raise Refused(make_wrong("the clicks are no list")) from None


def _name_deck(title: str, session: Session) -> Path:
    """Return the file of a new deck, from the project's folder on."""
    out = Path("decks", f"{slug(title)[:80]}.yaml")
    if session.find_file(out.as_posix()) is None:
        raise Refused(make_wrong("the folder decks leads out of the project"))
    return out


async def _open_asked(asked: Mapping[str, object], session: Session) -> Wall:
    name, view = asked.get("deck"), asked.get("view") or {}
    if not isinstance(name, str) or not isinstance(view, dict):
        raise Refused(make_wrong("the deck is not named"))
    return await session.open_wall(name, read_view(cast(dict[str, object], view)))
