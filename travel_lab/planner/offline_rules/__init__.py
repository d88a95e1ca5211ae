"""How the offline model plays each agent, from the messages of one call.

Reading order: task, seen, sayings, supervisor, answers, route, hotel, food, info, playing.
"""

from travel_lab.planner.offline_rules.playing import offline_model, play

__all__ = ["offline_model", "play"]
