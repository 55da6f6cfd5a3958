"""Reads a docstring in Google's style: the description of a function and of its parameters."""

PARAMETERS = ("Args", "Arguments", "Parameters", "Params")
# Other headings, such as "Note:", are ordinary text: part of the description, or the end of the parameters.
OTHERS = ("Returns", "Return", "Raises", "Yields", "Example", "Examples", "Attributes")


def dedented(text):
    """Returns the lines without the indentation that all but the first share, and without empty lines at both ends."""
    lines = text.expandtabs().split("\n")
    margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(margins) if margins else 0
    out = [lines[0].lstrip()] + [line[margin:] for line in lines[1:]]
    while out and not out[-1].strip():
        out.pop()
    while out and not out[0].strip():
        out.pop(0)
    return out


def heading(line):
    """Returns the name of the section that the line begins, or None."""
    name = line.rstrip()
    return name[:-1] if name.endswith(":") and name[:-1] in PARAMETERS + OTHERS else None


def parse(text):
    """Returns the description, which is the text before the first section, and a dict of the descriptions of
    parameters."""
    description, entries, section = [], {}, None
    current, margin = None, 0
    for line in dedented(text or ""):
        if heading(line):
            section, current, margin = heading(line), None, 0
        elif section is None:
            description.append(line.rstrip())
        elif section in PARAMETERS and line.strip():
            indentation = len(line) - len(line.lstrip())
            margin = margin or indentation
            name, colon, rest = line.strip().partition(":")
            if indentation < max(margin, 1):
                section = ""  # text after the section, such as `:return:`
            elif indentation == margin and colon:
                current = name.split("(")[0].strip().lstrip("*")
                entries[current] = [rest.strip()]
            elif current is not None:
                entries[current].append(line.strip())
    return "\n".join(description).strip(), {name: "\n".join(lines).strip() for name, lines in entries.items()}
