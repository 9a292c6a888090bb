"""The Celery transport of a house on one machine: messages are files in a folder."""

from __future__ import annotations

import time
import uuid
from pathlib import Path
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    """Kombu's channel, whose reader could find a message before its writer has filled it."""

    def _put(self, queue: str, payload: dict[str, Any], **kwargs: Any) -> None:
        folder = Path(self.data_folder_out)
        name = f"{time.monotonic_ns() // 1_000_000}_{uuid.uuid4()}.{queue}.msg"
        unfinished = folder / f".{name}"
        unfinished.write_text(dumps(payload))
        unfinished.replace(folder / name)


class Transport(filesystem.Transport):
    """Kombu's transport over that channel."""

    Channel = Channel
