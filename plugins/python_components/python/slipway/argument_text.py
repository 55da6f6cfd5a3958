"""Reads the lists and dicts in arguments, in TorchX's forms: `a,b` and `k=v,k2=v2`."""

import re

# A text in double or single quotes, such as "a \"b\" c". A backslash keeps a quote from ending it.
QUOTED = re.compile(r""" "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' """, re.VERBOSE)


def to_list(text):
    """Returns the items between commas, without the blanks around them."""
    return [item.strip() for item in text.split(",")] if text.strip() else []


def to_dict(text):
    """Returns the values by key. A value ends at the last `,` or `;` before the next key, and may stand in quotes.
    Raises ValueError for another text."""
    parts = [part for part in parts_between_equals(text) if part]
    if len(parts) < 2:
        raise ValueError("%r has no KEY=VALUE" % text)
    out, key = {}, parts[0]
    for part in parts[1:-1]:
        hidden = without_quoted(part)
        end = max(hidden.rfind(","), hidden.rfind(";"))
        if end < 1:
            raise ValueError("%r is not VALUE,KEY" % part)
        out[unquoted(key)] = unquoted(part[:end].strip())
        key = part[end + 1:].strip()
    out[unquoted(key)] = unquoted(parts[-1])
    return out


def without_quoted(text):
    """Returns the text with a NUL for each character in quotes, and for the quotes."""
    return QUOTED.sub(lambda found: "\0" * len(found.group()), text)


def parts_between_equals(text):
    """Yields the parts, without the blanks around them. An equals sign in quotes counts as text."""
    begin = 0
    for found in re.finditer("=|$", without_quoted(text)):
        yield text[begin:found.start()].strip()
        begin = found.end()


def unquoted(text):
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
