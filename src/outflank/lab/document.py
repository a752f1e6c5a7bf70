"""The API's document: FastAPI's description of the routes, and the socket's messages."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from outflank.lab.answers import LIVE

_PLACE = "#/components/schemas/{model}"


class DocumentedApp(FastAPI):
    """An app whose document also describes the socket, which OpenAPI cannot."""

    def openapi(self) -> dict[str, Any]:
        """Return the document; it is made once."""
        if self.openapi_schema is None:
            document = super().openapi()
            message = LIVE.json_schema(mode="serialization", ref_template=_PLACE)
            schemas = document["components"]["schemas"]
            schemas.update(message.pop("$defs"))
            message["description"] = "What the server says over the WebSocket /api/live."
            schemas["LiveMessage"] = message
        return super().openapi()
