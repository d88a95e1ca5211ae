"""The four designs lesson 06 rejects, run as LangGraph runs them."""

from travel_lab.lessons.forks import branch_in_one_thread, copied_checkpoint, edit_in_place, version_flag


def test_edit_in_place_moves_the_head():
    """After an edit the session's plan is the new one; the first can no longer be gone on with."""
    assert (edit_in_place().wanted, edit_in_place().found) == ("plan of Sydney", "plan of Melbourne")


def test_version_flag_mixes_conversations():
    """Under a flag both plans share the words said for either."""
    assert (version_flag().wanted, version_flag().found) == (["Sydney"], ["Sydney", "Melbourne"])


def test_copied_values_are_merged_again():
    """Values written into a session with a list of its own are added to it."""
    assert (copied_checkpoint().wanted, copied_checkpoint().found) == (["Sydney"], ["Melbourne", "Sydney"])


def test_branch_in_one_thread_hides_the_first():
    """Of two branches from one step the session's id reaches the last only."""
    assert (branch_in_one_thread().wanted, branch_in_one_thread().found) == ("plan of Perth", "plan of Melbourne")
