"""What changes in a project's folder is told, whatever else happens there at the same time."""

from __future__ import annotations

import asyncio
from pathlib import Path

from serving import PATIENCE

from cardgen.studio.watching import watch_project


def test_folders_and_files_that_come_all_at_once_are_told_of(tmp_path: Path) -> None:
    """As when a branch is checked out: files come while new folders begin to be watched."""
    folder = tmp_path.resolve()
    written, told = set[Path](), set[Path]()

    async def watch() -> None:
        async for changed in watch_project(folder):
            told.update(changed)

    async def write() -> None:
        for number in range(60):
            path = folder / f"folder-{number}" / "inner" / "deck.yaml"
            path.parent.mkdir(parents=True)
            path.write_text("cards: []\n", encoding="utf-8")
            written.add(path)
            await asyncio.sleep(number % 7 * 0.003)

    async def run() -> None:
        watching = asyncio.create_task(watch())
        await asyncio.sleep(0.3)
        await write()
        for _ in range(int(PATIENCE * 10)):
            if written <= told:
                break
            await asyncio.sleep(0.1)
        watching.cancel()

    asyncio.run(run())
    assert sorted(written - told) == []


def test_a_file_that_goes_while_a_folder_comes_is_told_of(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    paths = [folder / f"deck-{number}.yaml" for number in range(30)]
    for path in paths:
        path.write_text("cards: []\n", encoding="utf-8")
    told = set[Path]()

    async def watch() -> None:
        async for changed in watch_project(folder):
            told.update(changed)

    async def run() -> None:
        watching = asyncio.create_task(watch())
        await asyncio.sleep(0.3)
        for number, path in enumerate(paths):
            (folder / f"folder-{number}").mkdir()
            await asyncio.sleep(number % 7 * 0.003)
            path.unlink()
        for _ in range(int(PATIENCE * 10)):
            if folder in told or {*paths} <= told:
                break
            await asyncio.sleep(0.1)
        watching.cancel()

    asyncio.run(run())
    assert folder in told or {*paths} <= told
