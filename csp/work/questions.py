"""Quick questions, answered by processes aside so that a server stays quick; of each topic only the latest one."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .processes import Call, Helper, StoppedCallError

# A question that takes longer is stopped: it would keep others waiting.
_MOST_SECONDS = 60


class Desk:
    """Quick answers: of each topic only the latest question is answered.

    Parameters
    ----------
    folder
        The folder in which its processes work.
    topics
        The first words of topics that have processes of their own; all others share one.
    """

    def __init__(self, folder: Path, *topics: str) -> None:
        # A thread for each process: questions wait their turn there.
        self._helpers = {name: (Helper(folder), ThreadPoolExecutor(1)) for name in (*topics, "other")}
        self._asked: Counter[str] = Counter()

    def start(self, call: Call) -> None:
        """Start the processes ahead of the first question, with a call that loads what most questions need."""
        for helper, thread in self._helpers.values():
            thread.submit(helper.call, call)

    async def ask(self, topic: str, call: Call, notice: Callable[[str], object] = lambda text: None) -> Any:
        """The result of a call; None if there was a newer question on the topic, or it was stopped without a result.

        Raises JigsatError if the call does.
        """
        self._asked[topic] += 1
        number, end = self._asked[topic], time.time() + _MOST_SECONDS
        helper, thread = self._helpers.get(topic.split(" ")[0]) or self._helpers["other"]
        try:
            found = await asyncio.get_running_loop().run_in_executor(
                thread, helper.call, call, None, notice, lambda: self._asked[topic] != number or time.time() > end
            )
            return found if self._asked[topic] == number else None
        except StoppedCallError:
            return None
        finally:
            # Earlier questions have ended, since each process does one after another.
            if self._asked[topic] == number:
                del self._asked[topic]

    def close(self) -> None:
        """End the processes."""
        for helper, thread in self._helpers.values():
            thread.shutdown(wait=False, cancel_futures=True)
            helper.close()
