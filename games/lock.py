"""The lock: a digest for every book and game that has been published.

`python -m games.lock` writes it. A published edition never changes, so a changed line in the
lock is either a mistake or a book that nobody has opened a round under yet; a correction is a
new line for a new version.
"""

from __future__ import annotations

from games.loading import SHELF, load_shelf

LOCK = SHELF / "books.lock"


def lock_text() -> str:
    """Write down every edition on the shelf: book, version, game ("*" for all), digest."""
    lines = []
    for book in load_shelf():
        lines.append(f"{book.code} {book.version} * {book.digest}")
        lines += [
            f"{book.code} {book.version} {game.code} {game.digest}" for game in book.games.values()
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    LOCK.write_text(lock_text(), "utf-8")
