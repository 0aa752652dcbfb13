"""A cursor over BIF text: words, punctuation, numbers, and errors that name the line."""

from __future__ import annotations

import re

from h2pc.errors import FileFormatError

_COMMENT_OR_QUOTED = re.compile(r'"[^"\n]*"|//[^\n]*|/\*.*?\*/|/\*', re.DOTALL)
_SPACE = re.compile(r"[\s,|]*")
_WORD = re.compile(r'"([^"\n]*)"|([^\s{}()\[\],;|"]+)')
_NUMBERS = re.compile(r'[^;{}()"]*')
_PROPERTY = re.compile(r'(?:"[^"\n]*"|[^;"{}])*')


class BifText:
    """BIF text and a position in it."""

    def __init__(self, text: str, source: str) -> None:
        self._source = source
        self._text = text
        self.position = 0
        if "//" in text or "/*" in text:
            self._text = _COMMENT_OR_QUOTED.sub(self._blanked, text)

    def _blanked(self, match: re.Match[str]) -> str:
        """Return a comment as spaces and line ends, to keep positions; quoted text as it is."""
        found = match.group()
        if found.startswith('"'):
            return found
        if found == "/*":
            raise self.error("a comment is not closed", match.start())
        return "".join("\n" if character == "\n" else " " for character in found)

    def error(self, message: str, position: int | None = None) -> FileFormatError:
        """Return the error for what was just read, or for what stands at ``position``."""
        at = self.position if position is None else position
        line = self._text.count("\n", 0, at) + 1
        return FileFormatError(f"{self._source}, line {line}: {message}.")

    def _skip_space(self) -> None:
        match = _SPACE.match(self._text, self.position)
        assert match is not None
        self.position = match.end()

    def _found(self) -> str:
        """Return what stands here, for an error message."""
        rest = self._text[self.position : self.position + 20].split("\n")[0]
        return repr(rest) if rest else "the end of the file"

    def at_end(self) -> bool:
        """Whether only space is left."""
        self._skip_space()
        return self.position >= len(self._text)

    def accept(self, punctuation: str) -> bool:
        """Whether this character comes next; if so it is read."""
        self._skip_space()
        if not self._text.startswith(punctuation, self.position):
            return False
        self.position += 1
        return True

    def expect(self, punctuation: str) -> None:
        """Read this character, which must come next."""
        if not self.accept(punctuation):
            raise self.error(f"expected {punctuation!r}, found {self._found()}")

    def word(self, expected: str) -> str:
        """Read a word or a quoted name; ``expected`` says what it should be."""
        self._skip_space()
        match = _WORD.match(self._text, self.position)
        if match is None:
            raise self.error(f"expected {expected}, found {self._found()}")
        self.position = match.end()
        return match[2] if match[1] is None else match[1]

    def words_until(self, punctuation: str) -> tuple[str, ...]:
        """Read all words up to this character, and the character."""
        words = []
        while not self.accept(punctuation):
            words.append(self.word(f"a name or {punctuation!r}"))
        return tuple(words)

    def numbers(self, n: int) -> list[float]:
        """Read ``n`` numbers and the semicolon after them."""
        match = _NUMBERS.match(self._text, self.position)
        assert match is not None
        listed = match.group().replace(",", " ").split()
        try:
            if "_" in match.group():
                raise ValueError
            values = list(map(float, listed))
        except ValueError:
            raise self.error("expected numbers and ';'", self.position) from None
        if len(values) != n:
            raise self.error(f"expected {n} numbers, found {len(values)}")
        self.position = match.end()
        self.expect(";")
        return values

    def property_text(self) -> str:
        """Read the rest of a property and the semicolon after it."""
        match = _PROPERTY.match(self._text, self.position)
        assert match is not None
        self.position = match.end()
        self.expect(";")
        return match.group().strip().strip('"')
