"""Hooks of mkdocs that remove everything pages would load from a network."""

import pathlib

REMOTE = '<script src="https://unpkg.com/iframe-worker/shim"></script>'
WORKER = pathlib.Path(__file__).with_name("worker.js").read_text()


def on_post_page(output, **_):
    return output.replace(REMOTE, f"<script>{WORKER}</script>")
