"""The errors that the plug-in reports: a code of Slipway, a message and a hint."""

import os
import sys


class Failure(Exception):
    """An error with one of the codes not_found, invalid, usage, precondition."""

    def __init__(self, code, message, hint=""):
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint

    def as_json(self):
        return {"error": {"code": self.code, "message": self.message, "hint": self.hint}}


def explained(error, request, here=None):
    """The answer for an exception, with the frames of the user's files."""
    where = request.get("shown") or request.get("name") or request.get("file", "")
    if here is None:
        problem = error.problem
        place = "%s:%d:%d" % (where, problem.line, problem.column) if problem.line else where
        return Failure("invalid", "%s: %s" % (place, problem.message), problem.hint).as_json()
    if isinstance(error, SystemExit):
        return Failure("invalid", "%s called exit(%s)" % (where, "" if error.code is None else error.code),
                       "a component returns an AppDef").as_json()
    import traceback

    kind = type(error).__name__
    text = str(error)
    message = "%s raised %s%s" % (where, kind, ": " + text if text else "")
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if is_users(frame.filename, here)]
    if isinstance(error, SyntaxError) and error.filename:
        message += " (%s:%s)" % (error.filename, error.lineno)
    for frame in frames[-20:]:
        message += "\n%s:%s: in %s%s" % (frame.filename, frame.lineno, frame.name,
                                         ": " + frame.line if frame.line else "")
    hint = ""
    if isinstance(error, ModuleNotFoundError) and not getattr(error, "has_advice", False):
        hint = "components run with %s; install the module there, or set SLIPWAY_PYTHON" % (sys.executable or "python3")
    return Failure("invalid", message, hint).as_json()


def is_users(filename, here):
    return not filename.startswith(("<frozen", here + os.sep)) and os.path.basename(filename) != "bridge.py"
