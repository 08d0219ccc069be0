"""What there is to say of a fitting, a sentence or two at a time: captions in the words of the key."""

from __future__ import annotations

from generator.model import cast
from generator.model.fitting import Fitting
from generator.model.hardware import GIB
from generator.model.roofline import Roofline
from generator.units import gb, kib, number, percent, tokens


def bare(node: Fitting) -> str:
    cards = node.way.roofline.node
    return (
        f"{_many(cards.count, 'card').capitalize()} of {number(cards.card.memory_bytes / GIB)} GiB: "
        f"{gb(cards.memory_bytes)} together, drawn as {number(node.squares.all)} squares. "
        "All are free, and nobody has said a word."
    )


def weights(node: Fitting) -> str:
    plain = node.way.roofline
    share = percent(plain.weights_held_bytes / plain.memory_bytes)
    return (
        f"The weights take {gb(plain.weights_held_bytes)}, {share} of the memory, before the first word. "
        "Each card has an equal part of everything."
    )


def working_space(node: Fitting) -> str:
    plain = node.way.roofline
    return (
        f"Working space takes another {percent(plain.reserve)}, {gb(plain.reserve * plain.memory_bytes)}. "
        f"{number(node.squares.room)} whole squares are left, room for {tokens(plain.cache_budget_tokens)}."
    )


def one_token(node: Fitting) -> str:
    plain = node.way.roofline
    return (
        f"Ana's first token: keys and values from {plain.model.layers} layers, {kib(plain.kv_bytes_per_token)} held. "
        f"Too thin to draw: a square has {number(node.head)} of them."
    )


def system_prompt(node: Fitting) -> str:
    return f"Ana's system prompt has {tokens(node.head)}: exactly one square held, {gb(node.square_bytes, 2)}."


def first(node: Fitting) -> str:
    return (
        f"Ana and the model have talked on: {tokens(node.whole)}, {_squares(node.each)} held, "
        f"{gb(node.held_bytes, 2)}. All conversations here are that long."
    )


def so_many(node: Fitting) -> str:
    return (
        f"{cast.count(node.room.conversations).capitalize()} conversations, {node.newest}'s the newest: "
        f"{_squares(node.held)} held, {gb(node.held_bytes)}."
    )


def nearly_full(node: Fitting) -> str:
    room = node.squares.room
    return (
        f"One at a time now. When {node.newest} has come, {number(node.held)} of {number(room)} squares are held, "
        f"{number(room - node.held)} are free."
    )


def full(node: Fitting) -> str:
    return (
        f"When {node.newest} has come, {number(node.held)} of {number(node.squares.room)} squares are held: "
        f"{gb(node.held_bytes)} of keys and values."
    )


def refused(node: Fitting) -> str:
    return f"{_refused(node)} {number(node.room.conversations)} conversations fit, and memory alone has decided it."


def every_head_question(before: Roofline) -> str:
    model = before.model
    return (
        f"Same cards, same model size, but keys and values for all {model.heads} query heads instead of "
        f"{model.kv_heads}. How many conversations fit?"
    )


def every_head_answer(node: Fitting) -> str:
    return (
        f"Only {node.room.conversations}: a token takes {kib(node.way.roofline.kv_bytes_per_token)}, "
        f"a conversation {_squares(node.each)}, and {number(node.held)} are held."
    )


def every_head_refused(node: Fitting, before: Roofline, fitted: int) -> str:
    heads = cast.count(before.model.heads // before.model.kv_heads)
    return f"{_refused(node)} With {heads} query heads to each key-value head, {number(fitted)} fit."


def eight_bit(node: Fitting) -> str:
    return (
        f"Keys and values in 8 bits instead of 16, with one scale per tensor: Ana's {tokens(node.whole)} "
        f"are now {_squares(node.each)} held."
    )


def eight_bit_full(node: Fitting) -> str:
    return (
        f"{number(node.room.conversations)} conversations fit, {_squares(node.each)} held for each. "
        "Of speed and quality the map says nothing."
    )


def written_out(node: Fitting) -> str:
    own = tokens(node.whole - node.head)
    return f"Back to 16 bits. Ana's conversation: {tokens(node.head)} of system prompt held, then {own} of her own."


def begins_alike(node: Fitting) -> str:
    return (
        f"Ben's conversation begins alike: {tokens(node.head)} reused, in the square that Ana's has filled. "
        f"Only his own {number(node.whole - node.head)} need more room."
    )


def shared_full(node: Fitting) -> str:
    many = node.room.conversations
    return (
        f"{number(many)} conversations fit around one square reused by all. "
        f"Each with a copy of its own, they would fill {number(node.squares.of_tokens(many * node.whole))}."
    )


def compared(node: Fitting) -> str:
    *some, last = (number(node.tally[way.name]) for way in node.ways)
    return (
        f"The same {_many(node.way.roofline.node.count, 'card')} held {', '.join(some)} and {last} conversations. "
        "What a token takes, and who holds it, made the difference."
    )


def _refused(node: Fitting) -> str:
    left = node.squares.room - node.held
    free = f"{number(left)} free" if left else "none free"
    return f"{node.next[0].upper()}{node.next[1:]} is refused: {_squares(node.each)} wanted, {free}."


def _squares(count: int) -> str:
    return _many(count, "square")


def _many(count: int, noun: str) -> str:
    return f"{cast.count(count)} {noun}{'' if count == 1 else 's'}"
