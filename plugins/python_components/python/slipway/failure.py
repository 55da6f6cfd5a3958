"""Errors for the plug-in, which reports them: one of Slipway's codes, a message and a hint."""

import os
import sys

from slipway import source, standin


class Failure(Exception):
    """An error with one of the codes not_found, invalid, usage, precondition."""

    def __init__(self, code, message, hint=""):
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint

    def as_json(self):
        return {"error": {"code": self.code, "message": self.message, "hint": self.hint}}


MAX_TEXT = 4000  # characters of a value in a message


def text_of(value):
    """Returns str(value), shortened. Never raises: a component's own classes may have any __str__."""
    try:
        text = str(value)
    except BaseException as error:
        return "(its __str__ raised %s)" % type(error).__name__
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "…"


def answer_of(work, request, here):
    """Returns the answer of work() to the request, or the error that it raises as an answer. `here` is the directory of
    Slipway's packages."""
    try:
        return work()
    except source.BadSource as error:
        return explained_source(error)
    except Failure as failure:
        return failure.as_json()
    except standin.UnknownResource as error:
        return answer_of(lambda: standin.named_resource_or_end(error.name), request, here)
    except BaseException as error:  # also SystemExit and KeyboardInterrupt of a component
        return explained(error, request, here)


def place_of(request):
    return request.get("subject") or request.get("name") or request.get("file", "")


def shown_path(path):
    """Returns the path for messages: a relative one if it is below the working directory."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative


def explained_source(error):
    """Returns the answer for a file that is not Python. It may be another file than the one that the user named."""
    place, problem = shown_path(error.path), error.problem
    if problem.line:
        place += ":%d:%d" % (problem.line, problem.column)
    return Failure("invalid", "%s: %s" % (place, problem.message), problem.hint).as_json()


def explained(error, request, here):
    """Returns the answer for an exception, with the last 20 frames that is_users() selects."""
    where = place_of(request)
    if isinstance(error, SystemExit):
        return Failure("invalid", "%s called exit(%s)" % (where, "" if error.code is None else text_of(error.code)),
                       "a component returns an AppDef").as_json()
    kind = type(error).__name__
    text = text_of(error)
    message = "%s raised %s%s" % (where, kind, ": " + text if text else "")
    frames = [frame for frame in frames_of(error.__traceback__) if is_users(frame[0], here)]
    if isinstance(error, SyntaxError) and error.filename:
        message += " (%s:%s)" % (error.filename, error.lineno)
    for filename, number, function in frames[-20:]:
        line = line_of(filename, number)
        message += "\n%s:%s: in %s%s" % (filename, number, function, ": " + line if line else "")
    hint = ""
    if isinstance(error, ModuleNotFoundError) and not getattr(error, "has_advice", False):
        hint = "components run with %s; install the module there, or set SLIPWAY_PYTHON" % (sys.executable or "python3")
    return Failure("invalid", message, hint).as_json()


def frames_of(traceback):
    """Yields the file, line and function of each call. The module `traceback` is not used: it may be the project's."""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        yield code.co_filename, traceback.tb_lineno, code.co_name
        traceback = traceback.tb_next


def line_of(filename, number):
    """Returns the text of a line of a file, or an empty text if the file cannot be read."""
    try:
        with open(filename, "rb") as file:
            return file.read().splitlines()[number - 1].decode("utf-8", "replace").strip()
    except (OSError, ValueError, IndexError, TypeError):
        return ""


def is_users(filename, here):
    """Returns whether messages show frames of the file: not those of Slipway, or of modules frozen into Python."""
    return not filename.startswith("<frozen") and not os.path.abspath(filename).startswith(here + os.sep)
