"""What every tool asks of the session first: is there a backend, and which settings hold?"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, get_args

from ..autorecall.style import Style, style_of
from ..backends import Backend
from ..errors import BackendUnavailable, InputError, InvalidTime
from ..settings import Settings
from ..text.dates import iso_millis, parse_millis

__all__ = ["clock", "ready", "settings_of", "way_of"]


def ready(backend: Backend | None, style: Style) -> Backend:
    """Return the backend; raise BackendUnavailable in the agent's words where there is none."""
    if backend is None:
        name = style.capitalize()
        raise BackendUnavailable(f"{name} backend is not initialised for this session.")
    return backend


def settings_of(backend: Any, settings: Settings | None) -> Settings:
    """Return the settings given, else the backend's own, else those of this machine."""
    if settings is not None:
        return settings
    own = getattr(backend, "settings", None)
    return own if isinstance(own, Settings) else Settings.load()


def way_of(backend: Any, style: Style | None, settings: Settings | None) -> Style:
    """Return whose tools are meant; without a backend, those of the settings."""
    if backend is None and style is None:
        named = settings_of(backend, settings).memory.backend
        if named not in get_args(Style):
            raise InputError(
                f"There is no backend {named!r} to ask: memory.backend is {named}, and the agent has "
                'no memory tools then. Give a backend, or style="mnemopi" or style="hindsight".'
            )
        return style_of(named)
    return style_of(backend, style)


def clock(now: datetime | str | None) -> str:
    """Return an instant as ISO text, by default the clock's; raises InvalidTime for no time."""
    if isinstance(now, str):
        millis = parse_millis(now)
        if millis is None:
            raise InvalidTime(f"now={now!r} is no time; give ISO text or a datetime.")
        now = datetime.fromtimestamp(millis / 1000, UTC)
    return iso_millis(datetime.now(UTC) if now is None else now)
