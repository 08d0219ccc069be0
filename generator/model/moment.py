"""What a reader sees of a desk at one moment: the request, the tree, the time to first token, the memory held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from generator.model import cast, icicle
from generator.model.conversation import Conversation
from generator.model.desk import Desk, Request
from generator.model.icicle import Piece, RowName, TreeBox
from generator.units import number, span, tokens


@dataclass(frozen=True)
class Moment:
    """One step of a desk's day. Counts are tokens, times seconds.

    `request` names who is answered in this step, "" if nobody is; the times are None then. `reused` and
    `computed` split the prompt being served, `context` is its length; computed is 0 until it has been.
    `cut` draws what is shared as the copies it saves; `look_closer` is where the axis of times ends for once.
    """

    name: str
    caption: str
    who: str
    strip: tuple[Piece, ...]
    boxes: tuple[TreeBox, ...]
    names: tuple[RowName, ...]
    row_count: int
    held_tokens: int
    held_tokens_without: int
    floor: float
    reused: int = 0
    computed: int = 0
    context: int = 0
    request: str = ""
    time_to_first_token: float | None = None
    time_without: float | None = None
    look_closer: float | None = None
    cut: bool = False
    capacity_tokens: int | None = None
    beat: str = ""
    quick: bool = False

    @property
    def serving(self) -> str:
        """Whose request is being served, "" if nobody's."""
        return self.who


@dataclass(frozen=True)
class Narrator:
    """Tells what happens at `desk`, to which `row_count` people come in all."""

    desk: Desk
    row_count: int

    def show(self, name: str, caption: str, talk: Conversation | None = None, strip: tuple[Piece, ...] = ()) -> Moment:
        """What there is now, with `talk` being served and drawn as `strip`."""
        present = self.desk.held.values()
        return Moment(
            name=name,
            caption=caption,
            who=talk.who if talk else "",
            strip=strip,
            boxes=icicle.boxes(self.desk.tree, present, talk, strip),
            names=icicle.names(present),
            row_count=self.row_count,
            held_tokens=self.desk.tree.tokens,
            held_tokens_without=self.desk.tree.tokens_without_sharing,
            floor=self.desk.roofline.floor_seconds,
            reused=sum(piece.tokens for piece in strip if piece.state == "reused"),
            computed=sum(piece.tokens for piece in strip if piece.state == "computed"),
            context=sum(piece.tokens for piece in strip),
        )

    def arrives(self, request: Request, caption: str) -> Moment:
        """The request is matched with what is held: `ana-1-arrives`."""
        talk = request.conversation
        strip = icicle.strip(talk.segments, request.reused, "to compute")
        return self.show(f"{turn_name(talk)}-arrives", caption, talk, strip)

    def asks(self, request: Request, caption: str) -> Moment:
        """The same, but `caption` is a question: the strip is an outline and gives nothing away."""
        talk = request.conversation
        strip = icicle.strip(talk.segments, request.reused, "without", match="without")
        return self.show(f"{turn_name(talk)}-arrives", caption, talk, strip)

    def first_token(self, request: Request) -> Moment:
        """What `request` lacked has been computed and is held: `ana-1`."""
        self.desk.answer(request)
        talk = request.conversation
        strip = icicle.strip(talk.segments, request.reused, "computed")
        return replace(
            self.show(turn_name(talk), _outcome(request), talk, strip),
            request=talk.who,
            time_to_first_token=request.seconds,
            time_without=request.seconds_without,
        )

    def reply(self, talk: Conversation) -> Moment:
        """The reply to `talk` has been decoded, and is held: `ana-1-reply`."""
        self.desk.finish_reply()
        talk = self.desk.held[talk.who]
        held = tokens(talk.segments[-1].tokens)
        caption = f"{talk.who}'s reply went into the cache as it was decoded: {held} held, for 0 ms of prefill."
        return self.show(f"{turn_name(talk)}-reply", caption, talk, icicle.strip(talk.segments, 0, "held"))


def turn_name(talk: Conversation) -> str:
    """The name of the step that answers the newest message: "ana-1"."""
    return f"{cast.slug(talk.who)}-{talk.turn}"


def bare(seconds: float) -> str:
    """A time as captions have it, its unit said just before."""
    return span(seconds).removesuffix(" ms")


def totals(steps: Sequence[Moment]) -> dict[str, object]:
    """Sums over the requests answered in `steps`. The hit rate is prompt tokens reused / prompt tokens."""
    answered = [step for step in steps if step.request]
    reused, served = sum(step.reused for step in answered), sum(step.context for step in answered)
    return {
        "requests": len(answered),
        "served": served,
        "reused": reused,
        "computed": served - reused,
        "hit_rate": reused / served,
        "time": sum(step.time_to_first_token or 0.0 for step in answered),
        "time_without": sum(step.time_without or 0.0 for step in answered),
        "held": steps[-1].held_tokens,
        "held_without": steps[-1].held_tokens_without,
    }


def _outcome(request: Request) -> str:
    whose = f"{request.conversation.who}'s {cast.ordinal(request.conversation.turn)} message"
    after = f"First token after {span(request.seconds)}"
    if not request.reused:
        return f"{whose}: none reused, {tokens(request.computed)} computed. {after}, the price of the whole prompt."
    found = f"{tokens(request.reused)} reused, {number(request.computed)} computed"
    return f"{whose}: {found}. {after} instead of {bare(request.seconds_without)}."
