"""One scenario on one driver: every answer is Vertexium's, or differs for a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.conformance.vertexium.answers import (
    expected_answer,
    expected_history,
    expected_refusal,
)
from tests.conformance.vertexium.deviations import QUIRKS, REFUSED, UNDEFINED
from tests.conformance.vertexium.driver import Driver, Step
from tests.conformance.vertexium.left_out import left_out
from tests.conformance.vertexium.loaded import Refused
from tests.conformance.vertexium.model.questions import VertexiumQuestions
from tests.conformance.vertexium.model.steps import VertexiumModel
from tests.conformance.vertexium.questions import Questions

Outcome = tuple[str, Any]
"""``("answer", ...)`` or ``("refused", why)``."""
PARTIAL = "an end is missing"
"""For this Vertexium refuses a change after it has done a part of it."""


def outcome(do: Callable[[], Any]) -> Outcome:
    """Return what comes of an action."""
    try:
        return "answer", do()
    except Refused as error:
        return "refused", error.why


def expected_outcome(step: Step) -> Outcome:
    """Return what came of a step in Vertexium; of histories without its defect 2."""
    if "expected_if_fixed" in step:
        return "answer", expected_answer(step["expected_if_fixed"])
    if "expected_if_fixed_error" in step:
        return "refused", expected_refusal(step["expected_if_fixed_error"])
    if "expected_error" in step:
        return "refused", expected_refusal(step["expected_error"])
    if step.get("ask") == "historicalPropertyValues":
        return "answer", expected_history(step["expected"])
    if step.get("anyPath"):
        return "answer", {"count": step["expected"]["count"]}
    return "answer", expected_answer(step["expected"]) if "ask" in step else None


class _Variant:
    """The model with some quirks fixed, moved on step by step."""

    def __init__(self, scenario: dict[str, Any], fixed: set[str]) -> None:
        self._steps = scenario["steps"]
        self._model = VertexiumModel(scenario.get("config") or {}, fixed)
        self._questions = VertexiumQuestions(self._model, fixed)
        self._done = 0

    def outcome(self, number: int) -> Outcome:
        """Return what comes of a step after all steps before it."""
        while self._done < number:
            self._do(self._done)
        step = self._steps[number]
        if "ask" in step:
            return outcome(lambda: expected_answer(self._questions.answer(step)))
        return self._do(number) if _is_done(step) else self._try(number)

    def _do(self, number: int) -> Outcome:
        """Do a step, once, if it is to be done."""
        if self._done == number:
            step = self._steps[number]
            self._last: Outcome = ("answer", None)
            if "do" in step and _is_done(step):
                self._last = outcome(lambda: self._model.change(number, step))
            self._done += 1
        return self._last

    def _try(self, number: int) -> Outcome:
        return outcome(lambda: self._model.change(number, self._steps[number], dry=True))


def _is_done(step: Step) -> bool:
    if step["do"] == "dump":
        return False
    want = expected_outcome(step)
    return want[0] == "answer" or want[1] == PARTIAL


@dataclass
class Comparison:
    """Runs a scenario and keeps what was found."""

    scenario: dict[str, Any]
    driver: Driver
    names_reasons: bool = True
    """Whether to find out which quirks make each difference: that takes most of the time."""
    checked: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Do and ask everything."""
        self._variants: dict[str, _Variant] = {}
        questions = Questions(self.driver)
        for number, step in enumerate(self.scenario["steps"]):
            if step.get("do") == "dump":
                continue
            reason = left_out(step)
            if reason is not None:
                self.left_out[reason] += 1
                continue
            self.checked += 1
            self._judge(number, expected_outcome(step), self._found(number, questions))

    def _found(self, number: int, questions: Questions) -> Outcome:
        step = self.scenario["steps"][number]
        if "ask" in step:
            return outcome(lambda: expected_answer(questions.answer(step)))
        return outcome(lambda: self.driver.change(number, step, dry=not _is_done(step)))

    def _variant(self, name: str) -> _Variant:
        fixed = {"quirky": set(), "fixed": {*QUIRKS}}.get(name, {name})
        return self._variants.setdefault(name, _Variant(self.scenario, fixed))

    def _judge(self, number: int, want: Outcome, found: Outcome) -> None:
        step = self.scenario["steps"][number]
        quirky = self._variant("quirky").outcome(number)
        fixed = self._variant("fixed").outcome(number)
        if found == want:
            if fixed != want and quirky == want:
                self._report(number, "agrees, though the quirks make a difference", fixed, found)
            return
        if found != fixed:
            self._report(number, "is not what Vertexium answers without its quirks", fixed, found)
            return
        if "do" in step and want[0] == "refused" and want[1] in REFUSED:
            self.reasons[REFUSED[want[1]]] += 1
            return
        if quirky == want and not self.names_reasons:
            return
        relevant = [name for name in QUIRKS if self._variant(name).outcome(number) != quirky]
        if quirky != want and not UNDEFINED.intersection(relevant):
            self._report(number, "is not explained: the model gives another answer", quirky, want)
            return
        self.reasons.update([QUIRKS[name] for name in relevant] or ["several of these together"])

    def _report(self, number: int, what: str, model: Outcome, found: Outcome) -> None:
        step = self.scenario["steps"][number]
        asked = {name: value for name, value in step.items() if not name.startswith("expected")}
        self.problems.append(
            f"{self.scenario['id']} step {number} {what}\n  {asked}\n  model: {model}\n"
            f"  found: {found}"
        )
