"""Parameters by name, as scikit-learn's estimators have them, without importing scikit-learn.

That import takes about a second, a hundred times as long as learning a small network. Most of
scikit-learn is content with ``get_params``, ``set_params``, ``fit`` and ``__sklearn_tags__``, but
``check_estimator`` and other libraries test ``isinstance(…, BaseEstimator)``. Only a program that
has loaded scikit-learn can do so: from then on :class:`Parameters` derives from it.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from inspect import signature
from typing import Any, Self


class _NoBase:
    """The base of :class:`Parameters` while scikit-learn is not loaded."""


class Parameters(_NoBase):
    """An estimator whose parameters are those of ``__init__``, kept as attributes."""

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Return an instance, of a ``BaseEstimator`` where scikit-learn is loaded."""
        if "sklearn.base" in sys.modules:
            _derive_from_base_estimator()
        return super().__new__(cls)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name.

        Parameters
        ----------
        deep : bool, default=True
            Whether to include those of parameters that are estimators.

        Returns
        -------
        dict of str to object
            The values.
        """
        found: dict[str, Any] = {}
        for name in sorted(_defaults(type(self))):
            value = getattr(self, name)
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                inner = value.get_params().items()
                found.update((f"{name}__{key}", each) for key, each in inner)
            found[name] = value
        return found

    def set_params(self, **params: Any) -> Self:
        """Set some of the parameters.

        Parameters
        ----------
        **params : dict
            Their values; ``name__inner`` is a parameter of the estimator ``name``.

        Returns
        -------
        self
            The estimator.
        """
        known = self.get_params(deep=False)
        inner: dict[str, dict[str, Any]] = defaultdict(dict)
        for key, value in params.items():
            name, nested, rest = key.partition("__")
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self}. "
                    f"Valid parameters are: {list(known)!r}."
                )
            if nested:
                inner[name][rest] = value
            else:
                setattr(self, name, value)
        for name, values in inner.items():
            getattr(self, name).set_params(**values)
        return self

    def __repr__(self) -> str:
        """Return the class with the parameters that are not the default."""
        defaults = _defaults(type(self))
        own = self.get_params(deep=False).items()
        changed = [
            f"{name}={value!r}" for name, value in own if repr(value) != repr(defaults[name])
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Any:
        _derive_from_base_estimator()
        return super().__sklearn_tags__()  # type: ignore[misc]


def _derive_from_base_estimator() -> None:
    """Give :class:`Parameters` the base class of scikit-learn's estimators."""
    from sklearn.base import BaseEstimator

    if not issubclass(Parameters, BaseEstimator):
        Parameters.__bases__ = (BaseEstimator,)


def _defaults(kind: type) -> dict[str, Any]:
    """Return the defaults of the parameters of a class of estimators, in their order."""
    parameters = signature(kind.__init__).parameters.values()  # type: ignore[misc]
    return {each.name: each.default for each in parameters if each.name != "self"}
