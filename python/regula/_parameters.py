"""Parameters by the contract of scikit-learn."""

from __future__ import annotations

import inspect
from typing import Any, TypeVar

from ._library import UsageError

Own = TypeVar("Own", bound="Parameters")


class Parameters:
    """What was given to `__init__`, under the same names."""

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters that the estimator was made with."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self: Own, **params: Any) -> Own:
        """Changes parameters; they count from the next fit on."""
        known = self._names()
        for name, value in params.items():
            if name not in known:
                raise UsageError(f"Invalid parameter {name!r} for {type(self).__name__}: known are {known}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        usual = {name: own.default for name, own in inspect.signature(type(self).__init__).parameters.items()}
        own = [f"{name}={value!r}" for name, value in self.get_params().items() if value is not usual[name]]
        return f"{type(self).__name__}({', '.join(own)})"
