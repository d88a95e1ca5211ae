"""The lab: one database file, one model, one strategy, any number of sessions. The place to start.

with Lab.open("lab.db") as lab:
    turn = lab.session("sess_abc").send("帮我规划成都3天旅行，预算5000")
    print(turn.card)
"""

import importlib
import os
import secrets
import tempfile
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from langchain_core.language_models import BaseChatModel

from travel_lab.catalogue import CuratedProvider, Provider
from travel_lab.chat_models import counter_of
from travel_lab.checkpoints import CheckpointStore, Store
from travel_lab.clock import Clock
from travel_lab.context import Strategy
from travel_lab.errors import BadSessionId, StorageError, UnknownName
from travel_lab.planner import MORE_STRATEGIES, STRATEGIES, PlannerContext, build_graph, offline_model
from travel_lab.retry import RetryPolicy
from travel_lab.session import Session, check_message
from travel_lab.storage import BUSY_SECONDS
from travel_lab.tokens import DEEPSEEK
from travel_lab.trip import Trip
from travel_lab.trips import Profiles, TripRecord, TripStore

DEFAULT_STRATEGY = "full/own"
MAX_ID = 200
LOCAL_USER = "local"
"""Who owns a trip when nobody is named."""
SERVERS = ("postgresql://", "postgres://")


class Lab:
    """Sessions on one checkpoint file; made by `Lab.open`, closed by `close` or at the end of a `with` block."""

    def __init__(self, store: Store, context: PlannerContext, folder: tempfile.TemporaryDirectory[str] | None) -> None:
        """Use `Lab.open`."""
        self._store, self._context, self._folder = store, context, folder
        self._graph = build_graph(store.saver)
        self._profiles = Profiles(store.path) if isinstance(store.path, Path) else None
        self._trips = TripStore(store.path) if isinstance(store.path, Path) else None

    @classmethod
    def open(  # noqa: PLR0913 (one word for each thing a lab is made of)
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        model: BaseChatModel | None = None,
        strategy: Strategy | str = DEFAULT_STRATEGY,
        provider: Provider | None = None,
        retry: RetryPolicy | None = None,
        clock: Clock | None = None,
        info_fallback: bool = False,
        busy_seconds: float = BUSY_SECONDS,
    ) -> Self:
        """Open a lab.

        Args:
            path: The database file, or the URL of a PostgreSQL database (`postgresql://…`, extra `postgres`); left out, a
                temporary file that is removed on close.
            model: Any LangChain chat model; left out, the offline one.
            strategy: How results travel to later calls: a `Strategy`, or a name from `STRATEGIES` or `MORE_STRATEGIES`.
            provider: Where places come from; left out, the curated catalogue.
            retry: Attempts and waits of failed model calls.
            clock: Times and waits; left out, the machine's.
            info_fallback: Whether a failing info agent leaves a degraded result instead of ending the turn.
            busy_seconds: How long a write waits while another program holds the file's lock.

        Raises:
            StorageError: The path cannot be used.
            UnknownName: No strategy of that name.
        """
        chosen = _strategy(strategy)
        folder = None
        if path is None:
            folder = tempfile.TemporaryDirectory(prefix="travel_lab-")
            path = Path(folder.name) / "lab.db"
        context = PlannerContext(
            model=model or offline_model(),
            strategy=chosen,
            provider=provider or CuratedProvider(),
            retry=retry or RetryPolicy(),
            clock=clock or Clock(),
            info_fallback=info_fallback,
        )
        for counter in (counter_of(context.model), DEEPSEEK):
            # Loading a vocabulary lets no other thread run: in a turn it would hold up a notebook's event loop.
            counter.text("")
        return cls(_store(path, context.clock, busy_seconds), context, folder)

    @property
    def path(self) -> Path | str:
        """The database file, or the server's address without the password."""
        return self._store.path

    def session(
        self, session_id: str | None = None, *, strategy: Strategy | str | None = None, user: str | None = None
    ) -> Session:
        """A new session, or the one with that id, wherever it was left.

        Args:
            session_id: Any text of 1 to 200 characters; left out, a fresh one that cannot be guessed.
            strategy: Another strategy than the lab's, for this session.
            user: Whose session it is; their profile goes with it. Left out, it is nobody's.

        Raises:
            BadSessionId: The id is blank, too long or no text.
            BadUser: The user is blank, too long or no text.
            NotYourSession: The session belongs to another user, or was begun without one.
            UnknownName: No strategy of that name.
            StoreClosed: The lab was closed.
        """
        name = _checked_id(session_id)
        self._store.check_open()
        context = self._context
        if strategy is not None:
            context = replace(context, strategy=_strategy(strategy))
        if user is not None:
            self.profiles.claim(name, user, is_new=not self._graph.get_state({"configurable": {"thread_id": name}}).values)
        elif self._profiles is not None:
            self._profiles.check(name, None)
        return Session(
            session_id=name,
            graph=self._graph,
            store=self._store,
            context=context,
            user=user,
            profiles=self._profiles,
            trips=self._trips,
        )

    def start_trip(self, text: str, *, user: str = LOCAL_USER) -> Trip:
        """A new trip from the traveller's words, played up to its first gate.

        Raises:
            BadMessage: As in `Session.send`; no trip is made.
            BadSessionId: The user's name is blank or unusable.
            StorageError: The sessions are on a PostgreSQL server; trips need a database file.
        """
        trip = Trip.create(self._trip_store(), self.session, check_message(text), owner=_checked_id(user))
        trip.touch()
        return trip

    def trip(self, trip_id: str) -> Trip:
        """An existing trip.

        Raises:
            UnknownName: There is none of that id.
        """
        return Trip(self._trip_store().trip(trip_id).trip_id, self._trip_store(), self.session)

    def trip_of(self, session_id: str) -> Trip:
        """The trip of a session; a chat becomes a trip of one session, and nothing of it changes.

        Raises:
            UnknownName: There is no such session.
        """
        return Trip.around(self._trip_store(), self.session, _checked_id(session_id))

    def trips(self, user: str = LOCAL_USER) -> tuple[TripRecord, ...]:
        """The trips of one user, oldest first."""
        return self._trip_store().trips(_checked_id(user))

    def _trip_store(self) -> TripStore:
        self._store.check_open()
        if self._trips is None:
            raise StorageError("Trips are kept in a database file. Open the lab with a path, or with none for a temporary file.")
        return self._trips

    @property
    def profiles(self) -> Profiles:
        """What is known of users, to read, edit and delete.

        Raises:
            StorageError: The sessions are on a PostgreSQL server.
        """
        self._store.check_open()
        if self._profiles is None:
            raise StorageError("Users and their profiles are kept in a database file only. Leave the user out, or open a file.")
        return self._profiles

    def sessions(self, user: str | None = None) -> tuple[str, ...]:
        """Ids of the sessions in the file that have steps, sorted: a user's own, or without a user all of them."""
        found = self._store.sessions()
        if user is None:
            return found
        own = self.profiles.sessions(user)
        return tuple(name for name in found if name in own)

    def delete(self, session_id: str, *, user: str | None = None) -> bool:
        """Delete a session for good; a turn that is still running ends with `SessionDeleted`, and the id stays unused.

        Returns:
            Whether there was such a session.

        Raises:
            SessionError: Its trip has other sessions.
            StorageError: The sessions are on a PostgreSQL server, where nothing keeps a deleted session deleted.
            NotYourSession: It belongs to another user than `user`; nothing was deleted.
        """
        self._store.check_open()
        if self._profiles is not None:
            self._profiles.check(session_id, user)
        if self._trips is not None:
            self._trips.forget(session_id)
        return self._store.delete(session_id)

    def close(self) -> None:
        """Close the file; a temporary one is removed. Closing twice is allowed."""
        if self._trips is not None:
            self._trips.close()
        self._store.close()
        if self._folder is not None:
            self._folder.cleanup()

    def __enter__(self) -> Self:
        """The lab itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the lab."""
        self.close()


def _store(path: str | os.PathLike[str], clock: Clock, busy_seconds: float) -> Store:
    if not str(path).startswith(SERVERS):
        return CheckpointStore(path, clock=clock, busy_seconds=busy_seconds)
    try:
        # By name and only now: the extra need not be installed.
        postgres = importlib.import_module("travel_lab.checkpoints.postgres")
    except ImportError as error:
        raise StorageError(
            f"A PostgreSQL database needs the extra 'postgres' ({error}): pip install 'travel_lab[postgres]'."
        ) from error
    store: Store = postgres.PostgresStore(str(path))
    return store


def _strategy(strategy: Strategy | str) -> Strategy:
    if isinstance(strategy, Strategy):
        return strategy
    known = STRATEGIES | MORE_STRATEGIES
    if strategy not in known:
        raise UnknownName("strategy", strategy, known, "Pass a Strategy of your own for anything else.")
    return known[strategy]


def _checked_id(session_id: object) -> str:
    if session_id is None:
        return f"sess_{secrets.token_hex(8)}"
    # A program that has lost its id hands on `str(None)`; all such callers would share one session.
    nameless = not isinstance(session_id, str) or session_id.strip() in {"", "None"}
    if not isinstance(session_id, str) or nameless or len(session_id) > MAX_ID or not _is_storable(session_id):
        raise BadSessionId(
            f"A session id is a text of 1 to {MAX_ID} characters that is neither blank nor the word None, found "
            f"{str(session_id)[:40]!r}. Leave it out for a fresh one."
        )
    return session_id


def _is_storable(text: str) -> bool:
    """Whether the text can be written as UTF-8, which half of a surrogate pair cannot."""
    return text.encode("utf-8", "replace").decode("utf-8") == text
