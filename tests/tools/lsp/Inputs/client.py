#!/usr/bin/env python3
"""An editor's half of a conversation with tensorc-lsp-server.

usage: client.py SERVER FILE.mlir

Prints hovers, definitions and diagnostics. Places are those of marked words: the definition of `%x` is looked for at the
last `%x` of the file.
"""

import json
import pathlib
import subprocess
import sys


class Client:
    def __init__(self, server):
        self.process = subprocess.Popen([server, "--log=error"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.calls = 0

    def send(self, method, params, **id):
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **id}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self, matches):
        """The next message for which matches() is true."""
        while True:
            size = 0
            while (line := self.process.stdout.readline().strip()) != b"":
                name, _, value = line.partition(b":")
                if name == b"Content-Length":
                    size = int(value)
            if not size:
                sys.exit("the server ended")
            message = json.loads(self.process.stdout.read(size))
            if matches(message):
                return message

    def call(self, method, params):
        self.calls += 1
        self.send(method, params, id=self.calls)
        return self.receive(lambda message: message.get("id") == self.calls)["result"]

    def diagnostics(self):
        message = self.receive(lambda message: message.get("method") == "textDocument/publishDiagnostics")
        return message["params"]["diagnostics"]


    def hover(self, at):
        result = self.call("textDocument/hover", at)
        return result and result["contents"]["value"]


def place(text, word):
    """The last place of a word, as the protocol counts."""
    before = text[: text.rindex(word)]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}


def main():
    server, path = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    text, uri = path.read_text(), path.as_uri()
    document = {"uri": uri}
    client = Client(server)
    result = client.call("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    print("server", result["serverInfo"]["name"])
    client.send("initialized", {})
    client.send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "mlir", "version": 1, "text": text}})
    print("diagnostics", client.diagnostics())
    at = lambda word: {"textDocument": document, "position": place(text, word)}
    for word in ("%h", "%m", "%k", "tx.max"):
        print("hover", word, json.dumps(client.hover(at(word))))
    for word in ("%h", "@next"):
        found = client.call("textDocument/definition", at(word))
        print("definition", word, "line", found[0]["range"]["start"]["line"] + 1)
    wrong = text.replace("tx.max %h, %h", "tx.max %h, %missing")
    change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": wrong}]}
    client.send("textDocument/didChange", change)
    for each in client.diagnostics():
        print("diagnostic line", each["range"]["start"]["line"] + 1, each["message"])
    client.call("shutdown", None)
    client.send("exit", None)
    print("status", client.process.wait())


main()
