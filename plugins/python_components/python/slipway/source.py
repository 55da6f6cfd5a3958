"""Finds the components of a Python file, and their mistakes, in the source, without running it."""

import ast

from slipway import docstring, signature


class Problem:
    """One mistake. `line` and `column` count from 1; 0 means the whole file or line."""

    def __init__(self, line, column, message, hint=""):
        self.line, self.column, self.message, self.hint = line, column, message, hint

    def as_json(self):
        return {"line": self.line, "column": self.column, "message": self.message, "hint": self.hint}


class BadSource(Exception):
    """Raised for a file that is not Python."""

    def __init__(self, path, problem):
        super().__init__(problem.message)
        self.path, self.problem = path, problem


def functions_in(body):
    """Yields the functions of a module, including those in classes and below statements such as `if` and `try`, but
    not those in functions."""
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield node
            continue
        if isinstance(node, ast.AsyncFunctionDef):
            continue
        for field in ("body", "handlers", "orelse", "finalbody"):
            inner = getattr(node, field, None)
            if isinstance(inner, list):
                yield from functions_in(inner)


class Source:
    """A parsed file. `of_module` has the functions at the top level of the module. The constructor raises
    BadSource for a file that is not Python."""

    def __init__(self, content, path):
        self.text = content.decode("utf-8", "replace")
        try:
            self.tree = ast.parse(content, path)
        except SyntaxError as error:
            # Python counts bytes here, because `content` is not a str.
            raise BadSource(path, Problem(error.lineno or 0, error.offset or 0, error.msg)) from None
        except (ValueError, RecursionError, MemoryError) as error:
            raise BadSource(path, Problem(0, 0, str(error) or "the file is nested too deeply")) from None
        self.functions = list(functions_in(self.tree.body))
        self.of_module = [node for node in self.tree.body if isinstance(node, ast.FunctionDef)]

    def named(self, name):
        """Returns all functions of that name, in the order of the file. As in TorchX, the mistakes of each count,
        although Python keeps only the last one."""
        return [function for function in self.functions if function.name == name]

    def words(self, node):
        """Returns the source text of a node."""
        return ast.get_source_segment(self.text, node) or "?"

    def components(self):
        """Returns all functions of the file as components, with their mistakes. Those for users have `public` true."""
        return [self.component(function) for function in last_of_each(self.functions)]

    def component(self, function):
        text, of_parameters = docstring.parse(ast.get_docstring(function, clean=False))
        problems = [problem for same in self.named(function.name) for problem in self.problems_of(same)]
        out = {
            "name": function.name,
            "help": text,
            "public": returns_app(function) and not function.name.startswith("_") and function in self.of_module,
            "problems": [problem.as_json() for problem in problems],
            "params": [],
        }
        variadic = None
        for parameter in signature.parameters(function):
            fields = {"name": parameter.name, "help": of_parameters.get(parameter.name, "")}
            if parameter.kind == "variadic":
                variadic = dict(fields, type="list", variadic=True, required=False)
                continue
            try:
                kind = parameter.type()
            except signature.Unsupported:
                if not problems:  # the user corrects the mistakes in the signature first
                    out["problems"].append(self.unsupported(function, parameter).as_json())
                continue
            if kind is None:
                continue  # no argument can have its type; the function uses its default
            default = signature.default_on_command_line(parameter, kind)
            fields.update(type=kind.type_name, required=not parameter.has_default, default=default)
            if parameter.has_default and default is None and not (parameter.is_literal and parameter.default is None):
                words = self.words(parameter.default_node)
                fields["help"] = (fields["help"] + " (default: " + words + ")").strip()
            out["params"].append(fields)
        if variadic:  # the host wants it last
            out["params"].append(variadic)
        return out

    def unsupported(self, function, parameter):
        node = parameter.node
        words = self.words(node.annotation) if node.annotation else "no type"
        return Problem(node.lineno, node.col_offset + 1,
                       "%s: the parameter %s has the type %s, which no argument can have" %
                       (function.name, parameter.name, words), TYPES)

    def problems_of(self, function):
        """Yields the mistakes in the signature of a component."""
        args = function.args
        rest = [args.vararg] if args.vararg else []
        for node in list(args.posonlyargs) + list(args.args) + rest + list(args.kwonlyargs):
            if node.annotation is None:
                name = "*" + node.arg if node is args.vararg else node.arg
                yield Problem(node.lineno, node.col_offset + 1,
                              "%s: the parameter %s has no type" % (function.name, name),
                              "write %s: str, or another type" % name)
                continue
            wrong = self.wrong_type(node.annotation)
            if wrong:
                yield Problem(node.lineno, node.col_offset + 1,
                              "%s: the parameter %s: %s" % (function.name, node.arg, wrong), TYPES)
        if not returns_app(function):
            yield Problem(function.lineno, function.col_offset + 1,
                          "%s: a component returns an AppDef" % function.name,
                          "write def %s(…) -> specs.AppDef" % function.name)

    def wrong_type(self, node, optional=True):
        """Returns what is wrong with an annotation, or None. Accepts any name, because the file is not run, and tuples:
        no argument can have one, but the parameter may have a default. `optional` is whether the annotation may be an
        Optional[…]."""
        words = self.words(node)
        if isinstance(node, ast.BinOp) and optional:
            inner = signature.without_none(node)
            return self.wrong_type(inner, False) if inner is not None else "%s is not supported" % words
        if signature.name_of(node):
            return None
        if not isinstance(node, ast.Subscript):
            return "%s is not supported" % words
        container, index = signature.name_of(node.value), signature.index_of(node)
        if container == "Optional" and optional:
            return self.wrong_type(index, False)
        if container in signature.LISTS:
            parts = [("items", index)]
        elif container in signature.DICTS:
            if not isinstance(index, ast.Tuple) or len(index.elts) != 2:
                return "%s needs a type of keys and one of values" % words
            parts = [("keys", index.elts[0]), ("values", index.elts[1])]
        elif container in signature.TUPLES:
            parts = [("items", part) for part in (index.elts if isinstance(index, ast.Tuple) else [index])]
        else:
            return "%s is not supported" % words
        for what, part in parts:
            if not signature.name_of(part):
                return "the %s of %s are not str, int, float or bool" % (what, words)
        return None

    def check(self, name):
        """Returns the mistakes of the functions of that name, or of all components if `name` is empty. Returns None if
        the file has no function of that name."""
        chosen = self.named(name) if name else [f for f in self.of_module if returns_app(f)]
        if name and not chosen:
            return None
        return [problem.as_json() for function in chosen for problem in self.problems_of(function)]


TYPES = "use str, int, float, bool, List[…], Dict[…, …], or one of them in Optional[…]"


def last_of_each(functions):
    """Returns the last function of each name: a later definition replaces an earlier one."""
    return list({function.name: function for function in functions}.values())


def returns_app(function):
    node = function.returns
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value.split(".")[-1] == "AppDef"
    return (isinstance(node, ast.Attribute) and node.attr == "AppDef") or (
        isinstance(node, ast.Name) and node.id == "AppDef")
