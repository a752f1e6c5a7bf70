"""Numbers of answers."""

from __future__ import annotations

from typing import Annotated

from pydantic import SerializeAsAny, WithJsonSchema

# A whole number stays one on its way out: pydantic would write 5 as 5.0 where a float is declared.
# It is written as what it is: to find that out of the declared types again takes twice as long.
Number = Annotated[SerializeAsAny[int | float], WithJsonSchema({"type": "number"})]
Interval = tuple[Number, Number]  # 95%
