"""The parameters of a component's function: their types, defaults and conversions, read from the syntax tree."""

import ast
import sys

PRIMITIVES = ("int", "float", "bool", "str")
LISTS = ("List", "list")
DICTS = ("Dict", "dict")
TUPLES = ("Tuple", "tuple")


class Unsupported(Exception):
    """Raised for a type that no argument of a command line can have."""


class Kind:
    """How arguments become values: the type on the command line, and the types of items, keys and values."""

    def __init__(self, type_name, items=(), text_only=False):
        self.type_name = type_name  # str, int, float, bool, list or dict
        self.items = items  # ("int",) for List[int], ("str", "int") for Dict[str, int]
        self.text_only = text_only  # Optional[int]: the function gets the text, as in TorchX

    def value(self, given):
        """Returns the argument with its items, keys and values converted."""
        if given is None or not self.items:
            return given
        if self.type_name == "list":
            return [primitive(self.items[0], item) for item in given]
        return {primitive(self.items[0], key): primitive(self.items[1], item) for key, item in given.items()}


def primitive(name, text):
    if name == "int":
        return int(text)
    if name == "float":
        return float(text)
    if name == "bool":
        return text.lower() == "true"
    return text


def index_of(node):
    """Returns the part of a subscript in brackets, which Python 3.8 wraps."""
    inner = node.slice
    return inner.value if type(inner).__name__ == "Index" else inner


def name_of(node):
    """Returns "List" for `List`, `typing.List` and `t.List`; None for a node that is not a name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("typing", "t"):
        return node.attr
    return None


def is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def without_none(node):
    """Returns `X` of `X | None` and `None | X`; None for other nodes."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        if is_none(node.right):
            return node.left
        if is_none(node.left):
            return node.right
    return None


def kind_of(node):
    """Returns the Kind of an annotation. Raises Unsupported."""
    inner = without_none(node)
    if inner is None and isinstance(node, ast.Subscript) and name_of(node.value) == "Optional":
        inner = index_of(node)
    if inner is not None:
        kind = kind_of(inner)
        if kind.type_name in ("int", "float"):
            return Kind("str", text_only=True)
        return kind
    name = name_of(node)
    if name in PRIMITIVES:
        return Kind(name)
    if name in LISTS:
        return Kind("list")
    if name in DICTS:
        return Kind("dict")
    if isinstance(node, ast.Subscript):
        name, index = name_of(node.value), index_of(node)
        if name in LISTS and name_of(index):
            return Kind("list", (name_of(index),))
        if name in DICTS and isinstance(index, ast.Tuple) and len(index.elts) == 2 and all(map(name_of, index.elts)):
            return Kind("dict", tuple(map(name_of, index.elts)))
    raise Unsupported()


class Parameter:
    def __init__(self, node, kind, default=None):
        self.node = node
        self.name = node.arg
        self.kind = kind  # "positional", "positional_only", "variadic", "keyword"
        self.has_default = default is not None
        self.default_node = default
        self.is_literal = False
        self.default = None
        if default is not None:
            try:
                self.default = ast.literal_eval(default)
                self.is_literal = True
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                pass

    def type(self):
        """Returns the Kind of the parameter's type. If no argument can have that type, returns None for a parameter
        with a default; otherwise raises Unsupported."""
        try:
            if self.node.annotation is None:
                raise Unsupported()
            return kind_of(self.node.annotation)
        except Unsupported:
            if self.has_default:
                return None
            raise


def parameters(function):
    """Returns the parameters of a function in the order of its signature, without `**kwargs`."""
    args = function.args
    plain = list(args.posonlyargs) + list(args.args)
    defaults = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
    out = []
    for i, (node, default) in enumerate(zip(plain, defaults)):
        out.append(Parameter(node, "positional_only" if i < len(args.posonlyargs) else "positional", default))
    if args.vararg:
        out.append(Parameter(args.vararg, "variadic"))
    for node, default in zip(args.kwonlyargs, args.kw_defaults):
        out.append(Parameter(node, "keyword", default))
    return out


def default_on_command_line(parameter, kind):
    """Returns the default as a value of the type on the command line, or None if it has no such form."""
    value = parameter.default
    if value is None or not parameter.is_literal:
        return None
    if kind.type_name == "list":
        return [str(item) for item in value] if isinstance(value, (list, tuple)) else None
    if kind.type_name == "dict":
        return {str(key): str(item) for key, item in value.items()} if isinstance(value, dict) else None
    if kind.type_name == "bool":
        return value if isinstance(value, bool) else None
    if kind.type_name == "int":
        fits = isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63
        return value if fits else None
    if kind.type_name == "float":
        fits = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
        return float(value) if fits else None
    if kind.text_only and isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else None


def is_default(parameter, kind, given):
    """Returns whether `given` is the default, so that the function's own default applies."""
    return parameter.has_default and given == default_on_command_line(parameter, kind)


def own_default(parameter, own_defaults):
    """Returns the default of a positional parameter. A decorator without functools.wraps() hides the function and its
    defaults; then only those that are literals are known. Raises ValueError for another one."""
    if parameter.name in own_defaults or parameter.is_literal:
        return own_defaults.get(parameter.name, parameter.default)
    raise ValueError("the default of the parameter %s is unknown, because a decorator hides the function; use "
                     "functools.wraps in the decorator, or give the argument" % parameter.name)


def converted(parameter, convert):
    """Returns `convert()`. Raises its ValueError with the name of the parameter."""
    try:
        return convert()
    except ValueError as error:
        raise ValueError("--%s: %s" % (parameter.name, error)) from error


def arguments_of(function, given, own_defaults):
    """Returns the positional and keyword arguments of a call of `function` with the values `given` by name.

    `own_defaults` maps names of positional parameters to the defaults of the function itself. Raises ValueError for a
    text that is not a value of its type.
    """
    positional, keywords = [], {}
    every = parameters(function)
    variadic = next((p for p in every if p.kind == "variadic"), None)
    rest = given.get(variadic.name) if variadic else None
    for parameter in every:
        value = given.get(parameter.name)
        if parameter is variadic:
            items = value or []
            name = name_of(parameter.node.annotation) if parameter.node.annotation else "str"
            positional.extend(converted(parameter, lambda item=item: primitive(name, item)) for item in items)
            continue
        kind = parameter.type()
        uses_default = kind is None or is_default(parameter, kind, value)
        # Python fills `*args` only behind positional arguments.
        by_place = parameter.kind == "positional_only" or (parameter.kind == "positional" and rest)
        if by_place:
            positional.append(own_default(parameter, own_defaults) if uses_default
                              else converted(parameter, lambda: kind.value(value)))
        elif not uses_default:
            keywords[parameter.name] = converted(parameter, lambda: kind.value(value))
    return positional, keywords
