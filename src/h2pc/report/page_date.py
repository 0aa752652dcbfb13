"""The day that the title of a page names."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime

from h2pc.errors import SettingError

# Not those of the locale: pages are in English.
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def page_date() -> date:
    """Return today, or the day of ``SOURCE_DATE_EPOCH``, so that files can be made again.

    That variable holds seconds since 1970: https://reproducible-builds.org/specs/source-date-epoch.
    """
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if seconds is None:
        return date.today()
    try:
        return datetime.fromtimestamp(int(seconds), UTC).date()
    except (ValueError, OverflowError, OSError):
        raise SettingError(
            f"SOURCE_DATE_EPOCH must be a number of seconds since 1970; got {seconds!r}."
        ) from None


def in_words(day: date) -> str:
    """Return a day as people write it.

    Examples
    --------
    >>> in_words(date(2026, 11, 19))
    '19 November 2026'
    """
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
