"""The requests that the plug-in makes: to list, check and build components, and to find named resources. `channel` is
the socket to the plug-in."""

import _socket  # the import of socket takes longer
import _thread  # the import of threading takes longer
import fcntl
import json
import os
import select
import signal
import sys

from slipway import dependencies, finder, source, standin
from slipway.failure import Failure, answer_of, text_of


def lifeline_of(channel):
    """Receives the lifeline, the first message on the channel: a socket that carries no data, and that the plug-in
    closes when it ends. Raises OSError if there is none."""
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM, 0, channel)
    try:
        _, sent, _, _ = connection.recvmsg(1, _socket.CMSG_SPACE(4), _socket.MSG_CMSG_CLOEXEC)
    finally:
        connection.detach()
    if not sent:
        raise OSError("no descriptor is left")
    return int.from_bytes(sent[0][2], sys.byteorder)


def die_with_the_plugin(lifeline):
    """Makes the kernel kill this process and its children when the plug-in closes its end, as after ^C. A thread could
    not do so while a component runs C code that holds Python's lock.

    The kernel also reports data in this way, even data that the process has read meanwhile. So the channel itself
    cannot be the lifeline."""
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | fcntl.FASYNC)
    watch = select.poll()
    watch.register(lifeline, 0)  # reports only errors and the end of the connection
    if watch.poll(0):
        die()  # the plug-in has just closed its end


def outlive_the_plugin(lifeline):
    """Ends the effect of die_with_the_plugin()."""
    try:
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) & ~fcntl.FASYNC)
    except OSError:
        pass  # the component has closed the descriptor


def die():
    """Kills this process and its children. The plug-in has started it in a process group of its own."""
    os.killpg(os.getpgrp(), signal.SIGKILL)


_one_message_at_a_time = _thread.allocate_lock()  # the component may have several threads


def ask_for_resource(channel, name, optional):
    """Asks the host for a named resource, and returns it as a dict. For an unknown name, raises KeyError if the
    resource is `optional`; otherwise the host's error ends the request."""
    with _one_message_at_a_time:
        send(channel, {"resource": name, "optional": optional})
        line = b""
        while not line.endswith(b"\n"):
            more = os.read(channel, 65536)
            if not more:
                die()
            line += more
    found = json.loads(line)
    if "error" in found:
        raise KeyError(name)
    return found


def send(channel, message):
    data = memoryview(encoded(message))
    while data:
        data = data[os.write(channel, data):]


def encoded(message):
    """Returns a line of JSON. Raises ValueError for a number that JSON does not have."""
    return (json.dumps(message, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "replace")


def list_file(request):
    path = request["file"]
    return {"components": source.Source(finder.content_of(path), path).components()}


def list_named(request):
    """Returns the components of the module that has the component `my.module:fn` or `my.module.fn`, and the module's
    file. If no module has it, returns the components of all modules that might have it."""
    others = []
    for candidate in finder.candidates(request["name"]):
        every = list(candidate.components())
        if any(component["name"] == request["name"] for component in every):
            return with_dependencies({"components": every, "file": candidate.path})
        others += every
    return with_dependencies({"components": others})


def list_project(_):
    notes = finder.notes()
    components = finder.project_components(os.getcwd(), notes) + finder.advertised_components(notes)
    return with_dependencies({"components": components, "notes": notes})


def list_resources(request):
    """Returns the resources of distributions, or the one with the name in the request. The plug-in may keep only the
    answer that there is none: the functions that make resources may depend on anything."""
    found, warnings = {}, []
    points = [(point, distribution) for point, distribution in finder.entry_points("torchx.named_resources")
              if request.get("name") in (None, point.name)]
    if not points:
        return with_dependencies({"resources": {}, "warnings": []})
    from slipway import appjson

    for point, distribution in points:
        try:
            found[point.name] = appjson.resource("resource " + point.name, made_by(point))
        except Exception as error:
            if "name" in request:
                raise
            warnings.append("the named resource %s of %s is not available: %s: %s" %
                            (point.name, distribution, type(error).__name__, text_of(error)))
    return {"resources": found, "warnings": warnings}


def made_by(point):
    """Returns the resource of an entry point, whose code may import modules of the project."""
    here = os.getcwd()
    sys.path.insert(0, here)
    try:
        return point.load()()
    finally:
        if here in sys.path:  # the code may also have changed the path
            sys.path.remove(here)


def advertised_or(ask):
    """Returns a function that looks for a resource in this process before it calls `ask`. The host would start another
    Python process for it, and if a resource asks for itself, endlessly many."""

    def find(name, optional):
        for point, _ in finder.entry_points("torchx.named_resources"):
            if point.name == name:
                return made_by(point)
        return ask(name, optional)
    return find


def with_dependencies(answer):
    """Returns the answer with the files that it depends on, so that the plug-in may keep it. If a file has just
    changed, returns the answer alone."""
    dependencies.note(sys.executable)
    files = dependencies.noted()
    return answer if files is None else dict(answer, depends=files)


def check(request):
    path = request["file"]
    try:
        problems = source.Source(finder.content_of(path), path).check(request.get("name", ""))
    except source.BadSource as error:
        return {"problems": [error.problem.as_json()]}
    if problems is None:
        raise Failure("not_found", "there is no function %s in %s" % (request["name"], path))
    return {"problems": problems}


def build(request):
    from slipway import build as builder

    return {"app": builder.build(request)}


REQUESTS = {"list": list_file, "named": list_named, "project": list_project, "resources": list_resources,
            "check": check, "build": build}


def end_children():
    """Kills the children that a component has left behind and that hold its output: the plug-in would wait for them."""
    try:
        output = os.readlink("/proc/self/fd/2")
    except OSError:
        return
    children = []
    for thread in os.listdir("/proc/self/task"):  # each has its own children
        try:
            with open("/proc/self/task/%s/children" % thread, encoding="ascii") as file:
                children += file.read().split()
        except OSError:
            continue  # the thread has ended, or the kernel has no such list; the time limit still ends the request
    for child in children:
        try:
            if output in [os.readlink("/proc/%s/fd/%d" % (child, stream)) for stream in (1, 2)]:
                os.kill(int(child), signal.SIGKILL)
        except OSError:
            continue  # the child has ended, or has no output


def end(status):
    """Ends this process. Writes what its streams still hold, but threads and exit handlers of the component must not
    delay the end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass  # the component has closed or replaced it
    os._exit(status)


def answer_request(request, channel, here):
    process = os.getpid()
    lifeline = None
    try:
        lifeline = lifeline_of(channel)
        die_with_the_plugin(lifeline)
    except OSError:
        pass  # a sandbox without signals from sockets; the time limit still ends the process

    def ask(name, optional):
        return ask_for_resource(channel, name, optional)

    standin.find_resource_with(advertised_or(ask) if request["op"] == "resources" else ask)
    answer = answer_of(lambda: REQUESTS[request["op"]](request), request, here)
    if os.getpid() != process:
        end(0)  # this is a fork that the component made; the first process answers
    end_children()
    if lifeline is not None:
        outlive_the_plugin(lifeline)  # children that the component has left behind may continue
    with _one_message_at_a_time:  # until the end, so that no thread sends a question after the answer
        try:
            send(channel, {"answer": answer})
        except OSError:
            end(1)  # the component has closed the channel
        end(0)
