"""A progress bar for long evaluations, in a terminal and in a notebook."""

from tqdm.auto import tqdm


class ProgressBar:
    """Shows cases done of all; give it to `evaluate` as `tick`."""

    def __init__(self) -> None:
        """Nothing is shown before the first case is done."""
        self._bar: tqdm[None] | None = None

    def __call__(self, done: int, of: int) -> None:
        """Move on; the bar closes with the last case."""
        if self._bar is None:
            self._bar = tqdm(total=of, initial=done - 1, unit="case")
        self._bar.update(done - self._bar.n)
        if done == of:
            self._bar.close()
