"""What the readers of public dialogues share: a corpus, its facts, and how a folder is checked.

A system turn's database results are the state of the agent that found them. A later system reply that informs a value found in
*earlier* results is a probe: the user's words before that reply are its question, and the value bound to its entity is the one
fact it needs. Values that only the reply's own turn found are no probe: no history could hold them.
"""

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from travel_lab.context import Fact, Result
from travel_lab.errors import BadInput
from travel_lab.evaluation.app import Conversation, Transcripts
from travel_lab.evaluation.cases import Case, Probe

RECORDS = "records"
"""The member of a result that holds the records an agent found."""
ASSISTANT = "assistant"
"""Who answers in a corpus."""
Record = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where a corpus comes from; it is not shipped with the lab."""

    name: str
    language: str
    licence: str
    url: str
    files: tuple[str, ...]
    """What its folder must hold; `a.zip:b.json` is a file in an archive, and `b.json` beside it will do as well."""


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """Public dialogues as cases."""

    name: str
    cases: tuple[Case, ...]
    app: Transcripts


@dataclass(frozen=True, kw_only=True)
class Informed:
    """A value a reply states of an entity that earlier results held."""

    kind: str
    words: str
    after: int
    fact: Fact
    gold: str


def corpus_of(
    name: str, language: str, conversations: Iterable[Conversation], informed: Mapping[str, Sequence[Informed]]
) -> Corpus:
    """A corpus from its conversations and what their replies inform; every case counts as held out."""
    known = {conversation.case_id: conversation for conversation in conversations}
    cases = tuple(
        Case(
            case_id=case_id,
            language=language,
            split="held_out",
            turns=tuple(exchange.words for exchange in conversation.exchanges),
            probes=tuple(_probes(case_id, informed[case_id])),
        )
        for case_id, conversation in known.items()
        if informed[case_id]
    )
    return Corpus(name=name, cases=cases, app=Transcripts(name=name, conversations=known, read=_no_facts))


def _probes(case_id: str, informed: Sequence[Informed]) -> Iterator[Probe]:
    for number, found in enumerate(informed, 1):
        yield Probe(
            probe_id=f"{case_id}-p{number:02}",
            kind=found.kind,
            words=found.words,
            after=found.after,
            calls=(ASSISTANT,),
            needed=(found.fact,),
            gold=((found.gold,),),
        )


def _no_facts(results: Mapping[str, Result]) -> tuple[Fact, ...]:
    """Only what probes need is looked for: visibility of everything a database returns is not asked of a corpus."""
    return ()


def read_member(folder: Path, member: str) -> Any:  # noqa: ANN401 (JSON, of the corpus's own form)
    """The JSON of `archive.zip:file`, or of the file beside the archive.

    Raises:
        BadInput: It is in neither, or is damaged.
    """
    found = _bytes_of(folder, member)
    if found is None:
        raise BadInput(f"The folder {str(folder)!r} has no {_told(member)}. `travel-lab corpora` says where to get it.")
    try:
        return json.loads(found)
    except ValueError as error:
        raise _damaged(folder, member, error) from error


def missing_in(folder: Path, source: Source) -> list[str]:
    """The files of a source that a folder lacks.

    Raises:
        BadInput: An archive is damaged.
    """
    return [member for member in source.files if _bytes_of(folder, member) is None]


def _bytes_of(folder: Path, member: str) -> bytes | None:
    archive, _, inner = member.partition(":")
    if (folder / inner).is_file():
        return (folder / inner).read_bytes()
    if not (folder / archive).is_file():
        return None
    try:
        with zipfile.ZipFile(folder / archive) as packed:
            return packed.read(inner) if inner in packed.namelist() else None
    except zipfile.BadZipFile as error:
        raise _damaged(folder, member, error) from error


def _damaged(folder: Path, member: str, error: Exception) -> BadInput:
    return BadInput(f"In the folder {str(folder)!r}, {_told(member)} is damaged: {error}. Get it again from its source.")


def _told(member: str) -> str:
    return member.replace(":", " with ")
