"""A client of the language server, which runs as a process of its own, as an editor starts it."""

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

PATIENCE = 30.0
"""Seconds to wait for an answer."""


class Editor:
    """An editor with one server."""

    def __init__(self) -> None:
        self.client = LanguageClient("editor", "1")
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(
            lambda params: self.published.put_nowait(params)
        )
        self.versions: dict[str, int] = {}

    async def start(self, *options: str) -> types.InitializeResult:
        """Start the server and agree on what both can do."""
        command = [sys.executable, "-m", "gpkit", "lsp", *options]
        await self.client.start_io(*command)
        asked = types.InitializeParams(capabilities=types.ClientCapabilities(), process_id=None)
        answer = await asyncio.wait_for(self.client.initialize_async(asked), PATIENCE)
        self.client.initialized(types.InitializedParams())
        return answer

    def worked(self) -> float:
        """The CPU seconds of the server and of this process so far; without ``/proc``, the time on the clock."""
        stat = Path(f"/proc/{self.client._server.pid}/stat") if self.client._server else None
        if stat is None or not stat.exists():
            return time.perf_counter()
        spent = stat.read_text().rsplit(")")[1].split()[11:13]
        return sum(map(int, spent)) / os.sysconf("SC_CLK_TCK") + time.process_time()

    def open(self, path: Path, text: str) -> str:
        """Open a document; its address."""
        uri = path.as_uri()
        self.versions[uri] = 1
        item = types.TextDocumentItem(uri, "gpkit", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def write(self, uri: str, text: str) -> None:
        """Change a document to another text."""
        self.versions[uri] += 1
        named = types.VersionedTextDocumentIdentifier(uri=uri, version=self.versions[uri])
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(named, [change]))

    async def told(self, uri: str) -> list[types.Diagnostic]:
        """The next findings that the server publishes about a document."""
        while True:
            params = await asyncio.wait_for(self.published.get(), PATIENCE)
            if params.uri == uri:
                return list(params.diagnostics)

    async def becomes(self, uri: str, wanted: Callable[[list[types.Diagnostic]], bool]) -> None:
        """Wait until findings are as wanted: a busy server tells first what changed lines say, and then everything."""
        while not wanted(await self.told(uri)):
            pass

    async def stop(self) -> int | None:
        """End the server; its exit code."""
        await asyncio.wait_for(self.client.shutdown_async(None), PATIENCE)
        self.client.exit(None)
        server = self.client._server
        assert server is not None
        code = await asyncio.wait_for(server.wait(), PATIENCE)
        await self.client.stop()
        return code


def with_editor(work: Callable[[Editor], Awaitable[None]], *options: str) -> int | None:
    """Let a server run while an editor works with it; its exit code."""

    async def run() -> int | None:
        editor = Editor()
        await editor.start(*options)
        await work(editor)
        return await editor.stop()

    return asyncio.run(run())
