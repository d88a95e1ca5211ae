"""travel_lab: see, measure and fix what the model of a LangGraph multi-agent app can see.

A tour of the rooms, from the ground up:

- `errors`, `events`, `retry`, `tokens`, `clock`, `storage`, `data_files`, `display`: what every room stands on.
- `catalogue`: cities, sights, hotels, restaurants and culture facts, and the providers that serve them.
- `chat_models`: the offline model and the recorder of what each call saw.
- `context`: facts, handoffs, briefings, trimmings, strategies, and what of the facts a view binds.
- `checkpoints`: the store and the chain of a session.
- `itinerary`: from the traveller's words to days, costs and a card.
- `planner`: the specimen, a complete LangGraph travel planner.
- `lab`, `session`: where everything meets; start with `travel_lab.lab.Lab.open()`.
- `notebook`: one door for notebooks (`import travel_lab.notebook as tl`).
- `cli`: the same in a terminal (`travel-lab --help`).

Importing this package imports none of them.
"""

__version__ = "0.1.0"
