"""Parameters as scikit-learn's estimators keep them, without an import of scikit-learn.

That import takes longer than learning a network does, and most of the memory. What learns networks
needs little of it: parameters by name. So it is done without, until scikit-learn is there anyway.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from inspect import signature
from typing import Any, Self


class _Alone:
    """What :class:`Parameters` derives from while scikit-learn is not loaded."""


class Parameters(_Alone):
    """The parameters of an estimator, in the words of ``sklearn.base.BaseEstimator``.

    It becomes a ``BaseEstimator`` when an instance is made while scikit-learn is loaded, or when
    scikit-learn asks for its tags; nothing else about it changes.
    """

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Return an instance: a ``BaseEstimator`` if there may be anybody who looks for one."""
        if "sklearn.base" in sys.modules:
            _derive_from_base_estimator()
        return super().__new__(cls)

    @classmethod
    def _get_param_names(cls) -> list[str]:
        """Return the names of the parameters, sorted."""
        return sorted(_defaults(cls))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name.

        Parameters
        ----------
        deep : bool, default=True
            Whether to return those of parameters that are estimators as well.

        Returns
        -------
        dict of str to object
            The values.
        """
        found: dict[str, Any] = {}
        for name in self._get_param_names():
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
        known = self.get_params()
        inner: dict[str, dict[str, Any]] = defaultdict(dict)
        for key, value in params.items():
            name, nested, rest = key.partition("__")
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self}. "
                    f"Valid parameters are: {self._get_param_names()!r}."
                )
            if nested:
                inner[name][rest] = value
            else:
                setattr(self, name, value)
                known[name] = value
        for name, values in inner.items():
            known[name].set_params(**values)
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


def _defaults(kind: type) -> dict[str, Any]:
    """Return the defaults of the parameters of a class of estimators."""
    parameters = signature(kind.__init__).parameters.values()  # type: ignore[misc]
    return {each.name: each.default for each in parameters if each.name != "self"}


def _derive_from_base_estimator() -> None:
    """Make all estimators of this kind what ``isinstance`` takes for one of scikit-learn's."""
    from sklearn.base import BaseEstimator

    if not issubclass(Parameters, BaseEstimator):
        Parameters.__bases__ = (BaseEstimator,)
