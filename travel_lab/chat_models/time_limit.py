"""A limit over a whole HTTP request: the client's own timeout starts anew with every byte that trickles in."""

import time
from collections.abc import Callable, Iterator

import httpx2


class TimeLimit(httpx2.BaseTransport):
    """Hands requests on, and ends an answer that is not complete in time with `httpx2.ReadTimeout`."""

    def __init__(self, inner: httpx2.BaseTransport, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._inner, self._seconds, self._clock = inner, seconds, clock

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The response, with a body that watches the clock."""
        until = self._clock() + self._seconds
        response = self._inner.handle_request(request)
        body = _Watched(response.stream, request, until, self._clock)  # type: ignore[arg-type]  # a sync transport's stream
        return httpx2.Response(response.status_code, headers=response.headers, stream=body, extensions=response.extensions)

    def close(self) -> None:
        """Close the inner transport."""
        self._inner.close()


class _Watched(httpx2.SyncByteStream):
    def __init__(self, inner: httpx2.SyncByteStream, request: httpx2.Request, until: float, clock: Callable[[], float]) -> None:
        self._inner, self._request, self._until, self._clock = inner, request, until, clock

    def __iter__(self) -> Iterator[bytes]:
        for part in self._inner:
            if self._clock() > self._until:
                raise httpx2.ReadTimeout("The answer was not complete in time.", request=self._request)
            yield part

    def close(self) -> None:
        self._inner.close()
