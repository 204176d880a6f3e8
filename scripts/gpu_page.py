"""Converts a result of gpu_tests.py to one HTML file, which needs no scripts and no network.

    python3 gpu_page.py RESULT.json > RESULT.html
"""

import html
import json
import sys

STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.passed { color: #1a7f37; } .failed, .incomplete, .interrupted { color: #cf222e; } .skipped, .waiting { color: #888; }
pre { white-space: pre-wrap; background: #8881; padding: .5rem; max-height: 25rem; overflow: auto; }
"""


def text(value):
    return html.escape(str(value))


def table(columns, rows):
    """Columns are names, with a leading '#' for numbers; cells are HTML."""
    kinds = [' class="number"' if name.startswith("#") else "" for name in columns]
    lines = ["<table>", "<tr>" + "".join(f"<th{kind}>{text(name.lstrip('#'))}</th>"
                                         for name, kind in zip(columns, kinds)) + "</tr>"]
    for row in rows:
        lines.append("<tr>" + "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(row, kinds)) + "</tr>")
    return lines + ["</table>"]


def milliseconds(seconds):
    return "" if seconds is None else f"{seconds * 1e3:.4g}"


def rate(kernel, seconds):
    return f"{kernel['work'] / seconds:.4g} {kernel['unit']}/s" if seconds else ""


def suites(document):
    rows = []
    for suite in document["suites"]:
        state = f'<span class="{text(suite["state"])}">{text(suite["state"])}</span>'
        rows.append([text(suite["suite"]), state, suite["passed"], len(suite["failures"]), suite["skipped"],
                     f"{suite['seconds']:.0f}", f"{suite['limit']:.0f}", text(suite["reason"])])
    lines = table(["suite", "state", "#passed", "#failed", "#skipped", "#seconds", "#at most", "reason"], rows)
    for suite in document["suites"]:
        for name, said in suite["failures"].items():
            lines.append(f"<details><summary>{text(suite['suite'])}: {text(name)}</summary><pre>{text(said)}</pre></details>")
    return lines


def kernels(document):
    """Returns a row for each kernel: our time, the time of each other library, and the reasons for missing times."""
    rows, notes = [], {}
    for kernel in document["kernels"]:
        times = [peer["seconds"] for peer in kernel["peers"] if peer.get("seconds")]
        ours = kernel.get("seconds")
        quotient = f"{ours / min(times):.2f}" if ours and times else ""
        peers = "<br>".join(f"{text(peer['name'])} {milliseconds(peer['seconds'])}"
                            for peer in kernel["peers"] if peer.get("seconds"))
        for peer in kernel["peers"]:
            if peer.get("reason"):
                notes.setdefault(f"{peer['name']}: {peer['reason']}", []).append(kernel["kernel"])
        rows.append([text(kernel["kernel"]), text(" × ".join(map(str, kernel["sizes"]))), milliseconds(ours),
                     rate(kernel, ours), peers, quotient, text(kernel.get("reason", ""))])
    lines = table(["kernel", "sizes", "#ms", "#rate", "others, ms", "#ours / best", "reason"], rows)
    if notes:
        lines += ["<ul>"] + [f"<li>{text(note)} ({text(', '.join(names))})</li>" for note, names in notes.items()] + ["</ul>"]
    return lines


def tuning(document):
    rows = [[text(each["kernel"]), text(each.get("tried", "")), milliseconds(each.get("usual_seconds")),
             milliseconds(each.get("seconds")), text(each.get("schedule", "")), text(each.get("reason", ""))]
            for each in document["tuning"]]
    return table(["kernel", "#measured", "#default, ms", "#best, ms", "schedule", "reason"], rows)


def dispatch(document):
    return table(["benchmark", "#µs"], [[text(name), f"{seconds * 1e6:.2f}"]
                                        for name, seconds in document["dispatch"].items()])


def machine(document):
    rows = [[text(name), text(value)] for name, value in document["machine"].items()]
    return table(["machine", ""], rows)


def page(document):
    title = f"{document['device']} {document['description']}"
    state = document["state"]
    lines = ["<!DOCTYPE html>", '<html lang="en"><meta charset="utf-8">',
             '<meta name="viewport" content="width=device-width">', f"<title>{text(title)}</title>",
             f"<style>{STYLE}</style>", f"<h1>{text(title)}</h1>",
             f'<p><span class="{text(state)}">{text(state)}</span>: commit {text(document["commit"])}, '
             f"{text(document['date'])}, {document['seconds']:.0f} s of at most {document['limit']:.0f}</p>"]
    parts = [("Tests", suites, True), ("Kernels beside other libraries", kernels, document["kernels"]),
             ("Schedules", tuning, document["tuning"]), ("Overhead", dispatch, document["dispatch"]),
             ("Machine", machine, True)]
    for heading, part, is_there in parts:
        if is_there:
            lines += [f"<h2>{heading}</h2>"] + part(document)
    return "\n".join(lines) + "\n</html>\n"


def with_reason(figures, row):
    """Returns the figures, which may need an explanation, or the reason for none."""
    reason = row.get("reason", "")
    return f"{figures} ({reason})" if figures and reason else figures or reason


def summary(document):
    """Returns the same tables as text for a terminal, without the messages of failures."""
    lines = [f"{document['device']} {document['description']}, commit {document['commit']}",
             f"{'suite':<10}{'passed':>8}{'failed':>8}{'skipped':>9}{'seconds':>9}  state"]
    for suite in document["suites"]:
        reason = f": {suite['reason']}" if suite["reason"] else ""
        lines.append(f"{suite['suite']:<10}{suite['passed']:>8}{len(suite['failures']):>8}{suite['skipped']:>9}"
                     f"{suite['seconds']:>9.1f}  {suite['state']}{reason}")
    for kernel in document["kernels"]:
        figures = [("tensorc", kernel.get("seconds"))] + [(peer["name"], peer.get("seconds")) for peer in kernel["peers"]]
        shown = ", ".join(f"{name} {milliseconds(seconds)} ms" for name, seconds in figures if seconds)
        lines.append(f"{kernel['kernel']:<18}{with_reason(shown, kernel)}")
    for each in document["tuning"]:
        best = f"{milliseconds(each.get('usual_seconds'))} -> {milliseconds(each.get('seconds'))} ms  {each.get('schedule')}"
        lines.append(f"tune {each['kernel']:<18}{with_reason(best if 'seconds' in each else '', each)}")
    for name, seconds in document["dispatch"].items():
        lines.append(f"{name:<40}{seconds * 1e6:>10.2f} us")
    return "\n".join(lines)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        sys.stdout.write(page(json.load(file)))
