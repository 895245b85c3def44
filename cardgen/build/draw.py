"""The pages of a plan drawn: in one go, or on a large deck by several processes.

Knows the order from a page and its faces to a PDF. Knows nothing of where files lie on disk.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from cardgen.build.faces import FaceMaker
from cardgen.build.first_look import look_first
from cardgen.build.plan import Plan
from cardgen.build.press import read_press_profile
from cardgen.build.problems import Problems, join_alike
from cardgen.build.templates import DeckTemplates
from cardgen.core.budget import watch
from cardgen.core.errors import CardgenError, Problem
from cardgen.core.process import give_back_memory, no_collection
from cardgen.core.workers import Line, Worker, count_parts, is_forked, start_worker
from cardgen.deck.model import Card, Copies, Copy
from cardgen.layout.contents import Remark
from cardgen.layout.copyfit import Shrunk
from cardgen.layout.face import list_pictures
from cardgen.output.images import check_pixels
from cardgen.output.inks import Prepress, choose_prepress
from cardgen.output.pdf import DrawnPage, FilledPage, PageDrawer, PlacedFace, make_pdf, write_pdf
from cardgen.output.pdfx import Head
from cardgen.output.resources import Portable, Resources
from cardgen.pages.impose import Page, Placement
from cardgen.pages.target import Side

if TYPE_CHECKING:
    from cardgen.output.underlay import Underlay

# Below so many pages a part, starting a process costs more than it saves.
FEWEST_PAGES = 20
MOST_PARTS = 4
# With so many copies, a process that is forked would hold too much that it does not need.
MANY_COPIES = 20_000
# How many pages are sent at once: at most those of so many faces, and of the pages that are left to
# each part so large a share.
MOST_FACES = 144
_SHARE = 4
# After so many batches of a large deck, memory that is free is given back.
_GIVES_BACK = 32
# How many tasks each worker has before it, so that it need not wait for the next.
_TASKS_AHEAD = 3
# How many batches are held that come behind one which a worker still draws.
_MOST_HELD = 8

# Told how many of how many cards are drawn.
Progress = Callable[[int, int], None]


class Work(NamedTuple):
    """Pages that are to be drawn, and all that they show.

    title_side: the side on which a card's bookmark stands
    labelled: whether each page is called after its card
    tagged: whether the pages say what they show, to whoever hears them read
    underlay: the pages that lie below them
    composed: whether it is only asked what is wrong with the faces: they are composed, not drawn
    """

    templates: DeckTemplates
    copies: Sequence[Copy]
    pages: Sequence[Page]
    prepress: Prepress
    title_side: Side = "front"
    labelled: bool = False
    tagged: bool = False
    underlay: Underlay | None = None
    composed: bool = False

    def show(self, pages: Sequence[Page]) -> Task:
        """Return the task of drawing some of the pages, for whoever holds all of the cards."""
        return Task(pages, self.copies, self.templates.cards)

    def begin_resources(self) -> Resources:
        return Resources(self.prepress, underlay=self.underlay)

    def cut(self, pages: Sequence[Page]) -> Task:
        """Return the task of drawing some of the pages, with the cards on them alone."""
        shown = {placement.index for page in pages for placement in page.placements}
        # Whether a copy is the first of its card is seen by the one before it.
        before = {index - 1 for index in shown if index}
        copies = {index: self.copies[index] for index in shown | before}
        designs = {copy.design for copy in copies.values()}
        return Task(pages, copies, {number: self.templates.cards[number] for number in designs})


class Task(NamedTuple):
    """Pages in a row that one process draws, the copies on them by their indexes, and the cards by
    the numbers of their designs.
    """

    pages: Sequence[Page]
    copies: Mapping[int, Copy] | Sequence[Copy]
    cards: Mapping[int, Card] | Sequence[Card]


class FaultyFaces(CardgenError):
    """What is wrong with any face of some work, when all are made; `copies` are those at fault."""

    copies: Copies = Copies(())


class Drawing:
    """The pages of some work, drawn as they are taken: nobody holds all of them.

    What the pages share, what was wrong with faces that are missing, and what each page shows is
    complete when the last page was taken.
    """

    def __init__(self, work: Work, progress: Progress | None = None) -> None:
        self._work = work
        self._progress = progress
        self._parts = count_parts(len(work.pages), FEWEST_PAGES, MOST_PARTS, forked=False)
        self._looks_at_all = False
        self._shares_sizes = True
        self._begin()

    def _begin(self) -> None:
        self.resources = self._work.begin_resources()
        self._problems = Problems()
        self._faulty: set[int] = set()  # copies of which a face is missing
        self._shrunk: dict[str, list[Shrunk]] = {}
        self._remarks: set[Remark] = set()
        self._fits = True
        # One for each page; see DrawnPage. The hashes stand in a row, each with a comma.
        self._hashes: list[bytes] = []
        self.digests: list[bytes] = []

    def list_hashes(self) -> list[list[str]]:
        """Return what each page shows, as `DrawnPage` has it."""
        return [packed.decode().split(",")[:-1] for packed in self._hashes]

    @property
    def shrunk(self) -> tuple[Shrunk, ...]:
        """The texts that were set smaller than the others of the deck."""
        by_template = (self._shrunk.get(name, ()) for name, _ in self._work.templates)
        return tuple(dict.fromkeys(chain.from_iterable(by_template)))

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What is to be told of the faces, though nothing is wrong with them."""
        return tuple(sorted(self._remarks, key=repr))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was wrong with any face."""
        return tuple(self._problems.values())

    def write(self, head: Head, out: BinaryIO) -> None:
        """Write all pages as a PDF; what is wrong with any card is raised together.

        Where pages do not fit together, all are drawn once more, and written anew.
        """
        while True:
            try:
                with closing(self._take_sound()) as pages:
                    return write_pdf(head, pages, self.resources, out)
            except _PagesDisagree:
                out.seek(0)
                out.truncate()
                self._begin()

    def find_hashes(self) -> list[list[str]]:
        """Draw all pages to see what they show, and keep nothing else of them."""
        self._exhaust(self._take)
        return self.list_hashes()

    def rehearse(self) -> None:
        """Raise what is wrong with the faces, and learn what is to be said of them; nothing is
        drawn.
        """
        self._work = self._work._replace(composed=True)
        self._exhaust(self._take_sound)

    def judge(self) -> tuple[Problem, ...]:
        """Return what is wrong with the faces, which are composed and not drawn."""
        self._work = self._work._replace(composed=True)
        self._shares_sizes = False  # of whatever size its texts are, what is wrong is wrong
        self._exhaust(self._take)
        return self.problems

    def _exhaust(self, take: Callable[[], Generator[DrawnPage]]) -> None:
        """Take all pages and keep none, once more where they do not fit together."""
        while True:
            try:
                with closing(take()) as pages:
                    for _ in pages:
                        pass
                return
            except _PagesDisagree:
                self._begin()

    def _take_sound(self) -> Generator[DrawnPage]:
        """Yield all pages; at the end raise what was wrong."""
        yield from self._take()
        if self._problems and self._work.templates.draft is None:
            error = FaultyFaces.of(join_alike(self._problems.values()))
            error.copies = Copies(self._work.copies[index] for index in sorted(self._faulty))
            raise error
        if not self._fits:
            self._parts = 1
            raise _PagesDisagree

    def _take(self) -> Generator[DrawnPage]:
        pages = iter(self._work.pages)
        furthest = 0  # backs that come last are of copies that were counted with their fronts
        with no_collection(), closing(self._give_batches()) as batches:
            for batch in batches:
                if batch.sizes_fell and self._shares_sizes and not self._looks_at_all:
                    self._looks_at_all = True
                    raise _PagesDisagree
                self._problems.add(batch.problems)
                self._faulty |= batch.faulty
                self._remarks |= batch.remarks
                for template, shrunk in batch.shrunk.items():
                    self._shrunk.setdefault(template, []).extend(shrunk)
                for drawn, page in zip(batch.pages, pages):  # noqa: B905
                    self._hashes.append("".join(f"{shown}," for shown in drawn.hashes).encode())
                    self.digests.append(drawn.digest)
                    yield drawn
                    if self._progress is not None and page.placements:
                        furthest = max(furthest, page.placements[-1].index + 1)
                        self._progress(furthest, len(self._work.copies))

    def _give_batches(self) -> Generator[_Batch]:
        """Yield the pages batch by batch, drawn here or in parts elsewhere."""
        faces = self._make_faces()
        if self._parts > 1:
            yield from self._draw_in_parts(faces, self._parts)
            return
        work = self._work
        part = _Part(work, faces, self.resources)
        for pages in _list_batches(work.pages, 1):
            yield part.draw(work.show(pages))

    def _draw_in_parts(self, faces: FaceMaker, parts: int) -> Iterator[_Batch]:
        """Yield the batches in their order, drawn here and by workers, whoever has time.

        Backs that say the same on all cards are left to this process: to draw one takes long, to
        place it again no time.
        """
        work = self._work
        whole = _list_batches(work.pages, parts)
        kept = frozenset[Side](("back",) if faces.templates.say_same("back") else ())
        batches = [[page for page in pages if page.side not in kept] for pages in whole]
        many = len(work.copies) >= MANY_COPIES
        # One that is forked has all that it draws; to one that starts anew it is sent.
        holds = is_forked() and not many
        held = work if holds else work._replace(copies=(), pages=())
        draw = partial(_draw_tasks, held, faces, batches if holds else ())
        crew = _Crew(partial(start_worker, draw, anew=many))
        try:
            crew.start(parts - 1)
            part = _Part(work, faces, self.resources)
            drawn: dict[int, _Batch] = {}
            begun = 0
            for number in range(len(batches)):
                if many and number % _GIVES_BACK == 0:
                    give_back_memory()
                while number not in drawn:
                    while begun < len(batches) and crew.has_time():
                        crew.send(begun, begun if holds else work.cut(batches[begun]))
                        begun += 1
                    drawn |= crew.receive_ready()
                    if number in drawn:
                        break
                    if begun < len(batches) and len(drawn) < _MOST_HELD:
                        drawn[begun] = part.draw(work.show(batches[begun]))
                        begun += 1
                    else:
                        drawn |= crew.wait_for(number)
                left = [page for page in whole[number] if page.side in kept]
                batch = drawn.pop(number)
                if left:
                    sides = [page.side for page in whole[number]]
                    batch = _weave(batch, part.draw(work.show(left)), [s in kept for s in sides])
                yield batch
            for portable in crew.finish():
                self._fits = self.resources.unpack(portable, faces.open_font) and self._fits
        finally:
            crew.stop()

    def _make_faces(self) -> FaceMaker:
        """Return what makes the faces, after a look at those that may decide on a shared size."""
        faces = FaceMaker(self._work.templates)
        if not self._shares_sizes:
            return faces
        if self._looks_at_all:
            faces.look_at_all()
            return faces
        sharing = faces.templates.list_sharing()
        if sharing:
            look_first(faces, sharing, self._list_drawn())
        return faces

    def _list_drawn(self) -> dict[Side, set[Copy]]:
        """Return the copies that are drawn on each side; of those that look the same the first."""
        work = self._work
        drawn: dict[Side, set[Copy]] = {"front": set(), "back": set()}
        for page in work.pages:
            for placement in page.placements:
                copy = work.copies[placement.index]
                drawn[placement.side].add(copy)
                if copy.number:
                    drawn[placement.side].add(Copy(copy.design, 0))
        return drawn


def draw(plan: Plan, progress: Progress | None = None) -> Drawing:
    """Return all pages of a plan, which are drawn when they are written."""
    return Drawing(make_work(plan, plan.pages), progress)


def draw_page(plan: Plan, faces: FaceMaker, number: int) -> bytes:
    """Return one page of a plan as a PDF, to be looked at and not printed: its colours are those of
    the screen. The faces may serve many pages.
    """
    profile = read_press_profile(plan.target, plan.library, seen=True)
    prepress = choose_prepress(plan.target, profile, seen=True)
    work = make_work(plan, [plan.pages[number]])._replace(prepress=prepress, tagged=False)
    resources = work.begin_resources()
    with watch(), no_collection():
        batch = _Part(work, faces, resources).draw(work.show(work.pages))
    return make_pdf(Head("", "", "en", "", "none"), batch.pages, resources)


def make_work(plan: Plan, pages: Sequence[Page]) -> Work:
    """Return the work of drawing some pages with a plan's faces and inks."""
    return Work(
        plan.templates,
        plan.copies,
        pages,
        choose_prepress(plan.target, plan.profile, seen=plan.is_seen),
        title_side="front" if "front" in plan.sides else "back",
        labelled=plan.target.paper.size is None and plan.target.file.format != "tts",
        tagged=plan.is_tagged,
        underlay=plan.underlay,
    )


class _PagesDisagree(Exception):
    """Raised when all must be drawn anew: parts differ about the text that a glyph stands for, or
    a card wants a size smaller than that of the cards before it.
    """


class _Batch(NamedTuple):
    """Some pages in a row, as plain data that another process can read.

    shrunk: the texts set smaller, by the names of their templates
    remarks: what is to be told of their faces
    sizes_fell: whether a text wants a size smaller than the cards seen before it
    faulty: the copies of which a face is missing
    """

    pages: list[DrawnPage]
    problems: list[Problem]
    shrunk: dict[str, list[Shrunk]]
    remarks: set[Remark]
    sizes_fell: bool
    faulty: set[int]


def _list_batches(pages: Sequence[Page], parts: int) -> list[Sequence[Page]]:
    """Return the pages in batches; they become smaller, so that all parts end at about one time."""
    batches: list[Sequence[Page]] = []
    faces = max((len(page.placements) for page in pages), default=0)
    most = MOST_FACES // max(1, faces)
    start = 0
    while start < len(pages):
        left = len(pages) - start
        end = start + max(1, min(most, left // (parts * _SHARE)))
        batches.append(pages[start:end])
        start = end
    return batches


def _weave(first: _Batch, second: _Batch, turns: Iterable[bool]) -> _Batch:
    """Return two batches as one; the turns say which of its pages are the second's."""
    pages, others = iter(first.pages), iter(second.pages)
    shrunk = {
        name: [*first.shrunk.get(name, ()), *second.shrunk.get(name, ())]
        for name in (first.shrunk | second.shrunk)
    }
    drawn = first.pages or second.pages  # pages that are composed only are no pages
    return _Batch(
        [next(others if turn else pages) for turn in turns] if drawn else [],
        [*first.problems, *second.problems],
        shrunk,
        first.remarks | second.remarks,
        first.sizes_fell or second.sizes_fell,
        first.faulty | second.faulty,
    )


def _draw_tasks(
    work: Work, faces: FaceMaker, batches: Sequence[Sequence[Page]], line: Line
) -> None:
    """Draw the pages of each task, or of each batch by its number, and send them, and at the end
    what all of them share.
    """
    resources = work.begin_resources()
    part = _Part(work, faces, resources)
    # One that started anew has no clock yet.
    with watch(), no_collection():
        for task in line.take_tasks():
            line.send(part.draw(task if isinstance(task, Task) else work.show(batches[task])))
        line.send(resources.pack())


class _Crew:
    """Workers that draw batches of pages; each has some before it, so that it need not wait."""

    def __init__(self, start: Callable[[], Worker]) -> None:
        self._start = start
        # The numbers of the batches that each has before it, in their order.
        self._tasks: dict[Worker, deque[int]] = {}

    def start(self, count: int) -> None:
        for _ in range(count):
            self._tasks[self._start()] = deque()

    def has_time(self) -> bool:
        """Whether somebody has fewer tasks than he should."""
        return any(len(tasks) < _TASKS_AHEAD for tasks in self._tasks.values())

    def send(self, number: int, task: Task | int) -> None:
        """Send a task, or the number of its batch, to the one with the fewest."""
        worker, tasks = min(self._tasks.items(), key=lambda pair: len(pair[1]))
        worker.send(task)
        tasks.append(number)

    def receive_ready(self) -> dict[int, _Batch]:
        """Return the batches that are drawn, by their numbers."""
        found: dict[int, _Batch] = {}
        for worker, tasks in self._tasks.items():
            while tasks and worker.has_sent():
                found[tasks.popleft()] = worker.receive()
        return found

    def wait_for(self, number: int) -> dict[int, _Batch]:
        """Return the next batch of the one who draws a certain one."""
        worker, tasks = next(pair for pair in self._tasks.items() if number in pair[1])
        return {tasks.popleft(): worker.receive()}

    def finish(self) -> Iterator[Portable]:
        """Tell all that there are no more tasks, and yield what their pages share."""
        for worker in self._tasks:
            worker.send(None)
        for worker in self._tasks:
            yield worker.receive()

    def stop(self) -> None:
        for worker in self._tasks:
            worker.stop()


class _Part:
    """Draws pages batch by batch."""

    def __init__(self, work: Work, faces: FaceMaker, resources: Resources) -> None:
        self._faces = faces
        self._composed = work.composed
        faces.take_problems()  # of what was filled before, and is filled again
        self._drawer = PageDrawer(resources, tagged=work.tagged)
        self._filler = _PageFiller(work, faces)

    def draw(self, task: Task) -> _Batch:
        self._filler.begin(task)
        drawn: list[DrawnPage] = []
        problems: list[Problem] = []
        for page in task.pages:
            filled = self._filler.fill(page)
            if self._composed:
                problems += _find_broken(filled)
            else:
                drawn.append(self._drawer.draw(filled))
        faulty = self._filler.take_faulty()
        problems += (*self._filler.take_problems(), *self._faces.take_problems())
        shrunk, remarks = self._faces.take_shrunk(), self._faces.take_remarks()
        return _Batch(drawn, problems, shrunk, remarks, self._faces.sizes_fell, faulty)


def _find_broken(filled: FilledPage) -> Iterator[Problem]:
    """Yield what would keep the pictures on a page from being drawn."""
    for placed in filled.faces:
        for path in list_pictures(placed.face.items) if placed is not None else ():
            try:
                check_pixels(path)
            except CardgenError as error:
                yield from error.problems


class _PageFiller:
    """Fills pages with their faces, titles and lines; gathers what is wrong with a face."""

    def __init__(self, work: Work, faces: FaceMaker) -> None:
        self._work = work
        self._faces = faces
        self._templates = faces.templates
        self._copies: Mapping[int, Copy] | Sequence[Copy] = ()
        self._problems = Problems()
        self._faulty: set[int] = set()

    def begin(self, task: Task) -> None:
        """Take a task, which holds all that its pages show."""
        self._copies = task.copies
        self._templates.cards = task.cards

    def take_problems(self) -> list[Problem]:
        """Return what went wrong since the last time."""
        taken = list(self._problems.values())
        self._problems.clear()
        return taken

    def take_faulty(self) -> set[int]:
        """Return the copies of which a face is missing, since the last time."""
        taken, self._faulty = self._faulty, set()
        return taken

    def fill(self, page: Page) -> FilledPage:
        placed = tuple(map(self._fill_place, page.placements))
        notes = tuple(map(self._faces.set_note, page.notes))
        return FilledPage(page, placed, notes, self._name_page(page))

    def _fill_place(self, placement: Placement) -> PlacedFace | None:
        index, side = placement.index, placement.side
        copy = self._copies[index]
        try:
            made = self._faces.get_face(copy, side)
        except CardgenError as error:
            self._problems.add(error.problems)
            self._faulty.add(index)
            return None
        if made is None:
            return None
        # Whether it is the first copy of its card.
        first = index == 0 or self._copies[index - 1].design != copy.design
        name = self._templates.cards[copy.design].name
        # The bookmark stands with a card's first copy. It is read aloud there, too; a back that
        # says what others do, with the first of the deck.
        title = name if first and side == self._work.title_side else None
        heard = index == 0 or (first and not (side == "back" and made.common))
        return PlacedFace(made.face, made.again, title, name if heard else None)

    def _name_page(self, page: Page) -> str | None:
        """Return what the page of a card is called, where pages are called after cards."""
        if not self._work.labelled:
            return None
        copy = self._copies[page.placements[0].index]
        width = len(str(self._templates.count))
        name = self._templates.cards[copy.design].name
        return f"{self._templates.get_place(copy):0{width}} {name}, {page.side}"
