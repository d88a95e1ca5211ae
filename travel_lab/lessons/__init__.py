"""Small experiments the lessons run. Reading order: fan_out."""

from travel_lab.lessons.fan_out import nested_edit, two_writers

__all__ = ["nested_edit", "two_writers"]
