"""Parameters by name, as scikit-learn's estimators have them, without importing scikit-learn.

That import takes about a second, a hundred times as long as learning a small network. Most of
scikit-learn is content with ``get_params``, ``set_params``, ``fit`` and ``__sklearn_tags__``, but
``check_estimator`` and other libraries test ``isinstance(…, BaseEstimator)``. Only a program that
has loaded scikit-learn can do so: from then on :class:`Parameters` derives from it.
"""

from __future__ import annotations

import sys
from inspect import Signature, signature
from typing import Any, Self


class _NoBase:
    """The base of :class:`Parameters` while scikit-learn is not loaded."""


class _OwnSignature:
    """The signature of a class: that of ``__init__``, which ``__new__`` hides in Python 3.11.2."""

    def __get__(self, instance: object, owner: type) -> Signature:
        _, *parameters = signature(owner.__init__).parameters.values()  # type: ignore[misc]
        return Signature(parameters)


class Parameters(_NoBase):
    """An estimator whose parameters are those of ``__init__``, kept as attributes."""

    __signature__ = _OwnSignature()

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Return an instance, of a ``BaseEstimator`` where scikit-learn is loaded."""
        if "sklearn.base" in sys.modules:
            _derive_from_base_estimator()
        return super().__new__(cls)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name, as estimators of scikit-learn do, which this loads.

        Parameters
        ----------
        deep : bool, default=True
            Whether to include those of parameters that are estimators.
        """
        _derive_from_base_estimator()
        found: dict[str, Any] = super().get_params(deep)  # type: ignore[misc]
        return found

    def set_params(self, **params: Any) -> Self:
        """Set some of the parameters, as of estimators of scikit-learn, which this loads.

        Parameters
        ----------
        **params : dict
            Their values; ``name__inner`` is a parameter of the estimator ``name``.
        """
        _derive_from_base_estimator()
        super().set_params(**params)  # type: ignore[misc]
        return self

    def own_params(self) -> dict[str, Any]:
        """Return the parameters by name without loading scikit-learn."""
        return {name: getattr(self, name) for name in sorted(default_params(type(self)))}

    def __repr__(self) -> str:
        """Return the class with the parameters that are not the default."""
        defaults = default_params(type(self))
        changed = [
            f"{name}={value!r}"
            for name, value in self.own_params().items()
            if repr(value) != repr(defaults[name])
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


def default_params(kind: type) -> dict[str, Any]:
    """Return the defaults of the parameters of a class of estimators, in their order."""
    parameters = signature(kind.__init__).parameters.values()  # type: ignore[misc]
    return {each.name: each.default for each in parameters if each.name != "self"}
