"""A person at the bench whose answers are known beforehand."""

from controller.bench.person import Question


class Scripted:
    """A person who answers questions that hold certain words, in order, and agrees with all other proposals."""

    def __init__(self, *answers: tuple[str, str]) -> None:
        self._answers = list(answers)
        self.told: list[str] = []
        self.asked: list[str] = []

    def tell(self, words: str) -> None:
        self.told.append(words)

    def ask(self, question: Question) -> str:
        self.asked.append(question.words)
        if self._answers and self._answers[0][0] in question.words:
            return self._answers.pop(0)[1]
        return question.default

    def request(self, request: object) -> None:
        raise AssertionError("nothing is to be done with hands")

    def heard(self) -> str:
        raise AssertionError("nobody is listened to")

    def done(self) -> None:
        """See that all that was to be answered has been asked."""
        assert not self._answers, "not all was asked"

    @property
    def said(self) -> str:
        """What was told, in one line, once all was asked."""
        self.done()
        return " ".join("\n".join(self.told).split())
