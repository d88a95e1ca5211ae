"""Every error this package raises by name.

TravelLabError
├─ BadInput              what the caller or the traveller gave cannot be used
│  ├─ BadMessage         an empty or far too long message
│  ├─ BadSessionId       a missing, blank or unusable session id
│  ├─ BadUser            a missing, blank or unusable user id
│  ├─ OverBudget         what must stay of a history is over the token budget
│  ├─ BadEndpoint        an endpoint that cannot be used: no key, no such setting
│  └─ UnknownName        a name that is not in a known list
├─ ContractError         an agent of the graph breaks its contract
│  ├─ KeyConflict        two parallel agents write one key that has no merge rule
│  ├─ MissingPayload     an agent was started without a field it needs
│  ├─ NotStorable        a value that no checkpoint can hold was written to the state
│  └─ UndeclaredKeys     an agent returned keys the state or its contract does not know
├─ ModelFailed           a model call failed after all its attempts
│  └─ ContextOverflow    the view is longer than the model's window
├─ ProviderFailed        an outside source of places gave no usable answer
├─ UnreadableReply       a model's text is not in the form that was asked for
│  ├─ EmptyReply         there is no text at all
│  └─ CutReply           the text ends in the middle
├─ CassetteMiss          a recording has no answer to a call
├─ ClockStuck            virtual time waits for somebody who does not come
├─ RunawayGraph          a turn went on past its limit of steps; what it did is kept
├─ AgentFailed           an agent without a fallback failed; the turn ends, its siblings are kept
├─ SessionError          a session cannot take this call now
│  ├─ SessionBusy        somebody else is writing to it
│  ├─ SessionDeleted     it was deleted
│  ├─ NotYourSession     it belongs to another user
│  ├─ UnfinishedTurn     its last turn stopped halfway with this very message
│  ├─ NothingToResume    its last turn is complete
│  ├─ NothingWaiting     no gate waits for this answer
│  ├─ GateWaiting        a gate waits; it must be answered first
│  ├─ NotActive          another session of its trip is the active one
│  └─ GraphChanged       another graph made it, or it stopped before a node that this graph does not have
└─ StorageError          a database cannot be opened, read or written
   ├─ NotADatabase       the file is something else
   │  └─ OtherLayout     its checkpoint tables were made by another version or another program
   ├─ StoreClosed        the store was closed before this call
   ├─ StoreLocked        another program holds its lock for longer than the wait
   └─ UnreadableStep     one stored step is damaged
"""

from collections.abc import Iterable


class TravelLabError(Exception):
    """Root of all errors of this package."""


class BadInput(TravelLabError):
    """What the caller or the traveller gave cannot be used."""


class BadMessage(BadInput):
    """A message that is empty or far too long."""


class BadSessionId(BadInput):
    """A session id that is missing, blank or unusable."""


class BadUser(BadInput):
    """A user id that is missing, blank or unusable."""


class OverBudget(BadInput):
    """What must stay of a history is over the token budget."""


class BadEndpoint(BadInput):
    """An endpoint that cannot be used: its key is not set, or a setting is not known."""


class UnknownName(BadInput):
    """A name that is not in a known list."""

    def __init__(self, kind: str, name: object, known: Iterable[str], hint: str) -> None:
        super().__init__(f"No {kind} {name!r}. Known: {', '.join(known)}. {hint}")


class ContractError(TravelLabError):
    """An agent of the graph breaks its contract."""


class KeyConflict(ContractError):
    """Two parallel agents write one key that has no merge rule."""


class MissingPayload(ContractError):
    """An agent was started without a field it needs."""


class NotStorable(ContractError):
    """A value that no checkpoint can hold was written to the state."""


class UndeclaredKeys(ContractError):
    """An agent returned keys the state or its contract does not know."""


class ModelFailed(TravelLabError):
    """A model call failed after all its attempts; the last error is its cause."""


class ContextOverflow(ModelFailed):
    """The view is longer than the model's window."""


class ProviderFailed(TravelLabError):
    """An outside source of places gave no usable answer."""

    def __init__(self, message: str, *, is_retryable: bool = False, response: object = None) -> None:
        super().__init__(message)
        self.is_retryable = is_retryable
        """Whether asking again can help."""
        self.response = response
        """The answer, whose headers may say how long to wait."""


class UnreadableReply(TravelLabError):
    """A model's text is not in the form that was asked for."""


class EmptyReply(UnreadableReply):
    """A model answered without any text."""


class CutReply(UnreadableReply):
    """A model's text ends in the middle; what is there is not the whole answer."""


class CassetteMiss(TravelLabError):
    """A recording has no answer to a call."""


class ClockStuck(TravelLabError):
    """Virtual time waits for an agent that neither waits nor ends."""


class RunawayGraph(TravelLabError):
    """A turn went on past its limit of steps, as a graph that leads in a circle does; what it did is kept."""


class AgentFailed(TravelLabError):
    """An agent without a fallback failed; the turn ends, its siblings are kept."""


class SessionError(TravelLabError):
    """A session cannot take this call now."""


class SessionBusy(SessionError):
    """Somebody else is writing to the session."""


class NotYourSession(SessionError):
    """The session belongs to another user, or was begun without one."""


class SessionDeleted(SessionError):
    """The session was deleted; its id stays unused."""


class UnfinishedTurn(SessionError):
    """The session's last turn stopped halfway with this very message."""


class NothingToResume(SessionError):
    """The session's last turn is complete."""


class NothingWaiting(SessionError):
    """No gate of the session waits for this answer."""


class GateWaiting(SessionError):
    """A gate of the session waits; it must be answered first."""


class NotActive(SessionError):
    """Another session of the trip is the active one; this one can be read and forked."""


class GraphChanged(SessionError):
    """Another graph made the session, or it stopped before a node that this graph does not have."""


class StorageError(TravelLabError):
    """A database cannot be opened, read or written."""


class NotADatabase(StorageError):
    """The file is no SQLite database."""


class StoreClosed(StorageError):
    """The store was closed before this call."""


class OtherLayout(NotADatabase):
    """The checkpoint tables were made by another version or another program."""


class StoreLocked(StorageError):
    """Another program holds the database's lock for longer than the wait."""


class UnreadableStep(StorageError):
    """One stored step is damaged or of a kind that is not decoded."""
