"""The `ideal` rules, by hand and against a set of paths."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.model.prefix_tree import Node, PrefixTree, Segment

SUPPORT = Segment("support", 2048)
LENGTHS = {"a": 3, "b": 5, "c": 1, "d": 8}
sequences = st.lists(st.sampled_from("abcd"), max_size=6).map(lambda keys: [Segment(key, LENGTHS[key]) for key in keys])


def tree_of(*inserted):
    tree = PrefixTree()
    for segments in inserted:
        tree.insert(segments)
    return tree


def test_eight_users_hold_their_system_prompt_once():
    users = [[SUPPORT, Segment(name, 50)] for name in ("ana", "ben", "chen", "dara", "emil", "fay", "gus", "hana")]
    tree = tree_of(*users)
    assert tree.tokens == 2048 + 8 * 50
    assert tree.tokens_without_sharing == 8 * (2048 + 50)
    assert tree.nodes()[0] == Node(("support",), 2048, 0, 8)


def test_a_conversation_is_one_leaf_however_many_turns_it_has():
    first = [SUPPORT, Segment("ana-1", 52), Segment("reply-1", 110)]
    second = [*first, Segment("ana-2", 44), Segment("reply-2", 200)]
    tree = tree_of(first)
    assert tree.match(second) == 2048 + 52 + 110
    tree.insert(second)
    assert tree.tokens == tree.tokens_without_sharing == 2048 + 52 + 110 + 44 + 200


def test_a_segment_matches_only_under_its_own_parent():
    tree = tree_of([SUPPORT, Segment("hello", 40)])
    assert tree.match([Segment("coding", 3072), Segment("hello", 40)]) == 0


def test_part_of_a_segment_is_no_match():
    tree = tree_of([SUPPORT])
    with pytest.raises(ValueError, match='"support" has 2047 tokens, but is held with 2048'):
        tree.insert([Segment("support", 2047), Segment("ana", 50)])
    assert tree.nodes() == (Node(("support",), 2048, 0, 1),)


def test_a_segment_has_at_least_one_token():
    with pytest.raises(ValueError, match="at least 1"):
        Segment("nothing", 0)


def test_nodes_come_in_order_of_insertion_and_know_where_they_start():
    tree = tree_of([SUPPORT, Segment("b", 2)], [Segment("coding", 9)], [SUPPORT, Segment("a", 1)])
    assert [(node.key, node.start) for node in tree.nodes()] == [
        ("support", 0),
        ("b", 2048),
        ("a", 2048),
        ("coding", 0),
    ]


def test_very_long_conversations_need_no_deep_stack():
    tree = tree_of([Segment(str(turn), 1) for turn in range(3000)])
    assert tree.tokens == tree.tokens_without_sharing == 3000


@given(st.lists(sequences, max_size=8), sequences)
def test_it_holds_exactly_the_prefixes_of_what_was_inserted(inserted, asked):
    tree = tree_of(*inserted)
    paths = [tuple(segment.key for segment in segments) for segments in inserted]
    prefixes = {path[:end] for path in paths for end in range(1, len(path) + 1)}
    assert {node.path for node in tree.nodes()} == prefixes
    assert tree.tokens == sum(LENGTHS[path[-1]] for path in prefixes)
    leaves = [path for path in prefixes if not any(path == longer[:-1] for longer in prefixes)]
    assert tree.tokens_without_sharing == sum(LENGTHS[key] for leaf in leaves for key in leaf)
    keys = tuple(segment.key for segment in asked)
    held = max((end for end in range(len(keys) + 1) if not end or keys[:end] in prefixes), default=0)
    assert tree.match(asked) == sum(LENGTHS[key] for key in keys[:held])


@given(st.lists(sequences, max_size=8))
def test_what_was_inserted_matches_in_full_and_costs_nothing_again(inserted):
    tree = tree_of(*inserted)
    before = tree.nodes()
    for segments in inserted:
        assert tree.match(segments) == sum(segment.tokens for segment in segments)
        tree.insert(segments)
    assert tree.nodes() == before
