"""The old name of the package ``keepsake_client``, which is a distribution of its own; it goes with version 0.2."""

import warnings

try:
    from keepsake_client import KeepsakeClient, KeepsakeRefusal, PersonMessage, TurnMemory
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        "The client is a package of its own: in Keepsake's checkout, pip install ./frontend_contract/python"
    ) from None

__all__ = ["KeepsakeClient", "KeepsakeRefusal", "PersonMessage", "TurnMemory"]

warnings.warn("Import keepsake_client instead of keepsake.client.", DeprecationWarning, stacklevel=2)
