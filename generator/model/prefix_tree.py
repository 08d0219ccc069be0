"""The `ideal` rules: a tree of whole segments, matched by key under their parent, never evicted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Segment:
    """A piece of a prompt that is matched as a whole: a system prompt, a message, a reply.

    `key` names its content, `tokens` (at least 1) is its length. Raises ValueError for an empty one.
    """

    key: str
    tokens: int

    def __post_init__(self) -> None:
        if self.tokens < 1:
            raise ValueError(f'segment "{self.key}" has {self.tokens} tokens; a segment has at least 1')


@dataclass(frozen=True)
class Node:
    """A segment where it is held. `path` is the keys from the root down to it, itself included.

    `start` is the number of tokens before it, `leaves` the number of sequences that run through it and
    end in a leaf (1 for a leaf itself): width times height of its box is `tokens * leaves`.
    """

    path: tuple[str, ...]
    tokens: int
    start: int
    leaves: int

    @property
    def key(self) -> str:
        """The segment's own key, the last of its path."""
        return self.path[-1]


@dataclass
class _Branch:
    tokens: int = 0
    children: dict[str, _Branch] = field(default_factory=dict)


class PrefixTree:
    """What is held once, of all the sequences inserted.

    >>> tree = PrefixTree()
    >>> tree.insert([Segment("support", 2048), Segment("ana", 52)])
    >>> tree.match([Segment("support", 2048), Segment("ben", 60)])
    2048
    """

    def __init__(self) -> None:
        self._root = _Branch()

    def match(self, segments: Iterable[Segment]) -> int:
        """Tokens of `segments` that are held: whole segments from the first, up to the first that is not.

        Raises ValueError if a key is held under the same parent with another number of tokens.
        """
        return sum(branch.tokens for branch in self._walk(segments))

    def insert(self, segments: Sequence[Segment]) -> None:
        """Hold `segments`, sharing what is already there. Nothing is changed if it raises (see `match`)."""
        held = list(self._walk(segments))
        branch = held[-1] if held else self._root
        for segment in segments[len(held) :]:
            branch.children[segment.key] = _Branch(segment.tokens)
            branch = branch.children[segment.key]

    @property
    def tokens(self) -> int:
        """Tokens held, each shared segment once."""
        return sum(node.tokens for node in self.nodes())

    @property
    def tokens_without_sharing(self) -> int:
        """Tokens that would be held if every leaf had its own copy of the path down to it.

        A leaf is the newest end of a conversation, so its earlier turns, which lie on the same path, are
        not counted again. A sequence that ends where another goes on has no leaf of its own and adds none.
        """
        return sum(node.tokens * node.leaves for node in self.nodes())

    def nodes(self) -> tuple[Node, ...]:
        """All segments held, parents before children, siblings in order of insertion."""
        found: list[Node] = []
        waiting: list[tuple[tuple[str, ...], _Branch, int]] = [((), self._root, 0)]
        while waiting:
            path, branch, start = waiting.pop()
            if path:
                found.append(Node(path, branch.tokens, start, leaves=0))
            end = start + branch.tokens
            waiting += [((*path, key), child, end) for key, child in reversed(branch.children.items())]
        return _with_leaves(found)

    def _walk(self, segments: Iterable[Segment]) -> Iterator[_Branch]:
        branch = self._root
        for segment in segments:
            child = branch.children.get(segment.key)
            if child is None:
                return
            if child.tokens != segment.tokens:
                raise ValueError(
                    f'segment "{segment.key}" has {segment.tokens} tokens, but is held with {child.tokens}'
                )
            yield child
            branch = child


def _with_leaves(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """The same nodes with `leaves` counted, children before parents."""
    leaves: dict[tuple[str, ...], int] = {}
    for node in reversed(nodes):
        own = leaves.setdefault(node.path, 1)
        above = node.path[:-1]
        leaves[above] = leaves.get(above, 0) + own
    return tuple(Node(node.path, node.tokens, node.start, leaves[node.path]) for node in nodes)
