"""A Messages API on loopback that says what a script tells it, for the real `claude`."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def say(text: str) -> list[dict[str, Any]]:
    """A turn that ends with a text."""
    return [{"type": "text", "text": text}]


def use(*tools: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """A turn that asks for tools; they are called `t0`, `t1` … in the answer."""
    return [{"type": "tool_use", "id": f"t{n}", "name": name, "input": given} for n, (name, given) in enumerate(tools)]


class Messages:
    """The server. `turns` are taken one by one, the last again and again; `refusal` refuses instead."""

    def __init__(self, *turns: list[dict[str, Any]], refusal: str = "") -> None:
        self.turns = list(turns)
        self.refusal = refusal
        self.asked: list[dict[str, Any]] = []

    def __enter__(self) -> Messages:
        messages = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
                if self.path.split("?")[0] != "/v1/messages":
                    self.answer(404, "application/json", b"{}")
                elif messages.refusal:
                    error = {"type": "error", "error": {"type": "invalid_request_error", "message": messages.refusal}}
                    self.answer(400, "application/json", json.dumps(error).encode())
                else:
                    self.answer(200, "text/event-stream", messages.turn(body))

            def answer(self, status: int, kind: str, data: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def results(self) -> dict[str, str]:
        """What the tools answered, by the name of the call."""
        return {
            block["tool_use_id"]: json.dumps(block["content"])
            for request in self.asked
            for message in request["messages"]
            if isinstance(message["content"], list)
            for block in message["content"]
            if block["type"] == "tool_result"
        }

    def turn(self, request: dict[str, Any]) -> bytes:
        self.asked.append(request)
        blocks = self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]
        head = {"id": "msg_1", "type": "message", "role": "assistant", "model": request["model"], "content": []}
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": {**head, "usage": {"input_tokens": 1, "output_tokens": 1}}}
        ]
        for index, block in enumerate(blocks):
            if block["type"] == "text":
                start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
            else:
                start = {**block, "input": {}}
                delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            events += [
                {"type": "content_block_start", "index": index, "content_block": start},
                {"type": "content_block_delta", "index": index, "delta": delta},
                {"type": "content_block_stop", "index": index},
            ]
        reason = "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn"
        events += [
            {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 1}},
            {"type": "message_stop"},
        ]
        return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()
