"""Which restaurants keep to a diet and which sights a traveller does not want, by the tags and categories of the catalogue."""

from collections.abc import Sequence

from travel_lab.catalogue import Restaurant, Sight

FORBIDDEN = {"no_spicy": "spicy", "no_peanuts": "peanuts", "no_seafood": "seafood"}
"""Diet → a tag that breaks it."""
REQUIRED = {"vegetarian": "vegetarian", "vegan": "vegetarian", "halal": "halal", "no_pork": "halal", "spicy": "spicy"}
"""Diet → a tag that is needed; the catalogue knows neither vegan kitchens nor pork, so the nearest safe tag stands in."""
BANNED = {
    "museum": {"museum", "gallery"}, "park": {"park"}, "temple": {"temple"}, "shopping": {"market", "street"},
    "hiking": {"nature"}, "beach": {"beach"},
}  # fmt: skip
"""Ban → categories of sights it takes away."""
LIKED = {
    "museum": {"museum", "gallery"}, "park": {"park"}, "temple": {"temple"}, "shopping": {"market", "street"},
    "hiking": {"nature"}, "beach": {"beach"}, "history": {"historic", "museum", "temple"},
    "nature": {"nature", "park", "beach", "wildlife"}, "family": {"wildlife", "theme_park", "park"}, "food": {"market", "street"},
}  # fmt: skip
"""Liking → categories of sights it brings forward."""


def meets(restaurant: Restaurant, preferences: Sequence[str]) -> bool:
    """Whether a restaurant keeps to the diets among the preferences."""
    forbidden = {FORBIDDEN[name] for name in preferences if name in FORBIDDEN}
    required = {REQUIRED[name] for name in preferences if name in REQUIRED}
    return not forbidden & restaurant.tags and required <= restaurant.tags


def is_banned(sight: Sight, preferences: Sequence[str]) -> bool:
    """Whether a ban among the preferences takes the sight away, by its category or its name."""
    bans = [name[3:] for name in preferences if name.startswith("no:")]
    by_name = {sight.name.zh.casefold(), sight.name.en.casefold()}
    return any(sight.category in BANNED.get(ban, ()) or any(ban.casefold() in name for name in by_name) for ban in bans)


def is_liked(sight: Sight, preferences: Sequence[str]) -> bool:
    """Whether a liking among the preferences brings the sight forward."""
    likes = [name[5:] for name in preferences if name.startswith("like:")]
    return any(sight.category in LIKED.get(like, ()) for like in likes)
