"""JSON documents of a known format; any other is refused in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeGuard

from h2pc.errors import FileFormatError, H2pcError


@contextmanager
def document_of(text: str, source: str, format_name: str, version: int) -> Iterator[dict[str, Any]]:
    """Yield the object of a JSON text; whatever is wrong with it is an error about ``source``."""
    try:
        document = json.loads(text)
        if not isinstance(document, dict) or document.get("format") != format_name:
            kind = format_name.removeprefix("h2pc-")
            raise FileFormatError(f"This is not a {kind}: 'format' must be {format_name!r}.")
        if document.get("version") != version:
            found = document.get("version")
            raise FileFormatError(f"'version' must be {version}; it is {found!r}.")
        yield document
    except json.JSONDecodeError as error:
        raise FileFormatError(f"{source}, line {error.lineno}: {error.msg}.") from None
    except RecursionError:
        raise FileFormatError(f"{source}: lists are nested too deeply.") from None
    except H2pcError as error:
        raise FileFormatError(f"{source}: {error}") from None
    except (ValueError, OverflowError) as error:  # an integer of thousands of digits
        raise FileFormatError(f"{source}: {error}.") from None


def is_list(value: object, is_item: Callable[[Any], bool]) -> TypeGuard[list[Any]]:
    """Whether this is a list of such items."""
    return isinstance(value, list) and all(map(is_item, value))
