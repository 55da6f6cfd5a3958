"""Answers one request of the plug-in `python_components`.

The request is JSON, in pieces that are the words of the command line. Descriptor 3 is a socket to the plug-in, for the
answer as a line of JSON, and for questions before it. The first message on it has another socket, which closes when the
plug-in ends; then the kernel kills this process (calls.die_with_the_plugin()). Standard output goes to standard error,
so that everything that a component prints stays in order.
"""

import os
import sys


def write_each_line_at_once():
    """Keeps everything printed in order, and keeps it if a component forks or ends Python."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.reconfigure(line_buffering=True)
        except (AttributeError, OSError, ValueError):
            pass  # this Python is too old, or a startup file of Python has closed or replaced the stream


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    # With PYTHONSAFEPATH, or -I, Python has not put the directory of this file first. Before 3.11, only -I is known.
    if not getattr(sys.flags, "safe_path", getattr(sys.flags, "isolated", False)):
        del sys.path[0]
    sys.path.insert(0, here)
    channel = os.dup(3)
    os.close(3)  # programs that a component starts do not inherit the copy
    os.dup2(2, 1)
    write_each_line_at_once()
    if sys.version_info < (3, 8):
        os.write(channel, ('{"answer": {"error": {"code": "precondition", "message": "components need Python 3.8 or '
                           'later; %s is %d.%d", "hint": "set SLIPWAY_PYTHON to a newer one"}}}\n'
                           % ((sys.executable,) + tuple(sys.version_info[:2]))).encode())
        return
    import json

    # The plug-in may have cut a character in two, so the pieces are joined as bytes.
    request = json.loads(b"".join(map(os.fsencode, sys.argv[1:])).decode("utf-8", "surrogateescape"))
    # Only offer() sets where Python keeps bytecode, so the import of standin itself writes none.
    previous, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    from slipway import standin  # the first entry of sys.path is still this directory

    sys.dont_write_bytecode = previous
    del sys.path[0]
    standin.offer(here, request["cache"])
    from slipway import calls

    calls.answer_request(request, channel, here)


if __name__ == "__main__":  # the workers of multiprocessing in a component also run this file, under another name
    main()
