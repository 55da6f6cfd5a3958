"""Answers one request of the plug-in `python_components`.

The request is JSON in the words of the command line, which are joined. The answer is JSON on the standard output that
the process started with. From then on, standard output is standard error, so that what a component prints cannot
damage the answer. Descriptor 3 is a socket for questions to the plug-in; its end is that of the plug-in.
"""

import os
import sys


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[0] = here
    answer = os.dup(1)
    os.dup2(2, 1)
    if sys.version_info < (3, 8):
        os.write(answer, ('{"error": {"code": "precondition", "message": "components need Python 3.8 or later; '
                          '%s is %d.%d", "hint": "set SLIPWAY_PYTHON to a newer one"}}'
                          % ((sys.executable,) + tuple(sys.version_info[:2]))).encode())
        return
    from slipway import calls  # the first entry of sys.path is still this directory

    calls.answer_request("".join(sys.argv[1:]), answer, here)


main()
