#!/usr/bin/env python3
"""Checks the documentation: links of Markdown files lead to a file and a heading, the C++ headers that these files name
exist, and each folder of code has a README.

Usage: documentation.py FILE...   (Markdown and source files, relative to the repository root, the current directory)
Prints file:line: message for each broken link or unknown header, and a line for each folder without a README. Exits
with 1 if there is a finding.
"""

import os
import re
import sys

LINK = re.compile(r'\]\(([^)\s]+)\)')  # [text](target)
REFERENCE = re.compile(r'^\[[^\]]+\]:\s+(\S+)')  # [name]: target
HEADING = re.compile(r'^#{1,6}\s+(.*?)\s*#*$')  # ## Text
HEADER = re.compile(r'`((?:[\w.-]*/)*\w+\.hpp)`')  # `folder/name.hpp`, or `name.hpp`
REMOTE = re.compile(r'^[a-z][a-z0-9+.-]*:')  # https://…, mailto:…


def prose(path):
    """Yields (line number, line) of each line outside of code blocks."""
    fenced = False
    blank_before = True
    in_block = False
    with open(path, encoding='utf-8') as lines:
        for number, line in enumerate(lines, 1):
            if line.lstrip().startswith('```'):
                fenced = not fenced
                continue
            # An indented line after an empty one starts a code block.
            indented = line.startswith('    ') and (blank_before or in_block)
            in_block = indented or (in_block and not line.strip())
            blank_before = not line.strip()
            if not fenced and not indented:
                yield number, line.rstrip('\n')


def without_code(line):
    return re.sub(r'(`+).*?\1', '', line)


def anchor(heading):
    """Returns the anchor that GitHub and GitLab give to a heading."""
    text = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', heading)
    text = re.sub(r'[^\w\- ]', '', text.lower())
    return text.replace(' ', '-')


def anchors(path):
    """Returns the anchors of a page as the keys of a dictionary."""
    found = {}
    for _, line in prose(path):
        heading = HEADING.match(line)
        if heading:
            name = anchor(heading[1])
            seen = found.get(name, 0)
            found[name] = seen + 1
            if seen:
                found[f'{name}-{seen}'] = 1
    return found


def problem(path, target, known):
    """Returns why the link from `path` to `target` is broken, or None. `known` keeps the anchors of the pages read."""
    if REMOTE.match(target):
        return None
    name, _, place = target.partition('#')
    file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
    if not os.path.exists(file):
        return f'there is no {file}'
    if place and file.endswith('.md'):
        if file not in known:
            known[file] = anchors(file)
        if place not in known[file]:
            return f'{file} has no heading for #{place}'
    return None


def is_header(page, name, headers):
    """Returns whether `name`, as `page` writes it, is a header: relative to the page, or the end of a header's path."""
    relative = os.path.normpath(os.path.join(os.path.dirname(page), name))
    return any(header == relative or ('/' + header).endswith('/' + name) for header in headers)


def has_readme(folder):
    """Returns whether a README describes `folder`. The README of tests/unit/X also describes all folders below X."""
    parts = folder.split('/')
    described = '/'.join(parts[:3]) if parts[:2] == ['tests', 'unit'] else folder
    return os.path.exists(os.path.join(described, 'README.md'))


def folders_without_readme(sources):
    return sorted(folder for folder in {os.path.dirname(file) for file in sources} if not has_readme(folder))


def main():
    found = 0
    known = {}
    headers = [path for path in sys.argv[1:] if path.endswith('.hpp')]
    pages = [path for path in sys.argv[1:] if path.endswith('.md')]
    for path in pages:
        for number, line in prose(path):
            text = without_code(line)
            for target in LINK.findall(text) + REFERENCE.findall(text):
                why = problem(path, target, known)
                if why:
                    print(f'{path}:{number}: broken link {target}: {why}')
                    found += 1
            for header in HEADER.findall(line):
                if not is_header(path, header, headers):
                    print(f'{path}:{number}: there is no header {header}')
                    found += 1
    for folder in folders_without_readme(set(sys.argv[1:]) - set(pages)):
        print(f'{folder}: code without a README.md')
        found += 1
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
