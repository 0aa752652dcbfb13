"""Models of powersets that were fitted before, in a folder: an interrupted run goes on from there.

Every powerset has a file, in the format of model files, which appears whole or not at all. A folder
belongs to one training set and one set of parameters.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import joblib
import numpy as np
import sklearn
from sklearn.base import BaseEstimator

from h2pc.errors import SettingError
from h2pc.io.files import replace_file, text_of
from h2pc.multilabel.model_choice import Fitted, PowersetTask
from h2pc.version import __version__

if TYPE_CHECKING:
    from h2pc.multilabel.powerset_fitting import PowersetFitting

_RUN = "run.json"


@dataclass(frozen=True, eq=False)
class ModelCheckpoints:
    """Fits a powerset, or reads what was fitted before."""

    folder: Path
    fit: Callable[[PowersetTask], Fitted]
    trusted: tuple[str, ...]
    """The types of the base classifier and its parts, which come from the caller."""

    @classmethod
    def of(cls, run: PowersetFitting, fit: Callable[[PowersetTask], Fitted]) -> ModelCheckpoints:
        """Return the checkpoints of a run; the folder of another one is refused."""
        assert run.checkpoint is not None
        folder = Path(run.checkpoint)
        folder.mkdir(parents=True, exist_ok=True)
        wanted = {
            "run": _fingerprint(run),
            "h2pc": __version__,
            "scikit-learn": sklearn.__version__,
        }
        path = folder / _RUN
        if not path.exists():
            if any(folder.iterdir()):
                raise SettingError(
                    f"checkpoint {folder} holds other files: expected a new folder, or one of an "
                    f"earlier run."
                )
            replace_file(path, json.dumps(wanted, indent=2) + "\n")
        elif _read(path) != wanted:
            raise SettingError(
                f"checkpoint {folder} is of other data, parameters or versions: expected those of "
                f"the run that began it, or another folder."
            )
        return cls(folder, fit, _types(run.new_base(1, 0)))

    def __call__(self, task: PowersetTask) -> Fitted:
        """Return the models of a powerset, which are written to a file if they are new."""
        from h2pc.multilabel.model_files import read_parts, write_parts

        name = hashlib.sha256("\0".join(task.labels).encode("utf-8", "surrogatepass")).hexdigest()
        path = self.folder / f"{name[:32]}.h2pc"
        if path.exists():
            return read_parts(path, Fitted, trusted=self.trusted)
        fitted = self.fit(task)
        write_parts(fitted, path)
        return fitted


def _fingerprint(run: PowersetFitting) -> str:
    """Return a hash of all that decides the models."""
    training = run.training
    x = training.X if isinstance(training.X, np.ndarray) else training.X.tocsc()
    settings = (run.feature_selection, run.objective, run.least, run.needs_held_out)
    base = run.new_base(1, 0)
    told = {name: repr(value) for name, value in base.get_params(deep=True).items()}
    parts = (x, training.Y, training.weights, training.features, training.targets)
    known = (run.powersets, run.boundaries, dict(run.seeds), settings, type(base).__name__, told)
    found: str = joblib.hash((parts, known))
    return found


def _types(base: Any) -> tuple[str, ...]:
    """Return the names of the types of an estimator and of those among its parameters."""
    inside = (value for value in base.get_params(deep=True).values())
    kinds = {type(each) for each in (base, *inside) if isinstance(each, BaseEstimator)}
    return tuple(sorted(f"{kind.__module__}.{kind.__qualname__}" for kind in kinds))


def _read(path: Path) -> Any:
    """Return what a folder says about its run; None if that is damaged."""
    try:
        return json.loads(text_of(path))
    except ValueError:
        return None
