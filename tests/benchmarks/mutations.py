"""The changes that `mutants.py` makes to a module, one at a time: comparisons, operators, constants, conditions, calls,
bounds of slices, and statements left out.

Docstrings, annotations, decorators, imports and assertions stay as they are, and so does ``strict`` of `zip`.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_COMPARED = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
_COMBINED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_CALLED = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)


@dataclass(frozen=True)
class Mutation:
    """A change of a syntax tree: the entry of a field of a node is replaced by another node.

    `where` is the name of the function or class, `inside` whether the place is in the body of a function; `lines` are
    those of the statement.
    """

    where: str
    inside: bool
    lines: range
    old: str
    new: str
    parent: ast.AST
    field: str
    index: int | None
    node: Any

    def apply(self) -> None:
        """Change the tree."""
        replaced(self.parent, self.field, self.index, self.node)


def mutations(tree: ast.Module) -> list[Mutation]:
    """All changes, in the order of the lines."""
    return list(_within(tree, "", inside=False, statement=tree, shown=tree))


def _within(node: ast.AST, where: str, *, inside: bool, statement: ast.AST, shown: ast.AST) -> Iterator[Mutation]:
    """The changes in what a node is made of; `shown` is the expression or statement around it that is printed."""
    for field, index, child in _children(node):
        here = child if isinstance(child, ast.stmt) else statement
        within = inside or (field == "body" and isinstance(node, _FUNCTIONS))
        for other in _instead_of(node, field, child):
            yield _described(node, field, index, other, where, here, shown, inside=within)
        if isinstance(child, ast.AST):
            yield from _within(
                child,
                f"{where}.{child.name}".lstrip(".") if isinstance(child, _SCOPES) else where,
                inside=within,
                statement=here,
                # Bounds, operators and the like are printed with what is around them.
                shown=child if isinstance(child, (ast.expr, ast.stmt)) and not isinstance(child, ast.Slice) else shown,
            )


def _children(node: ast.AST) -> Iterator[tuple[str, int | None, Any]]:
    body = getattr(node, "body", None)
    docstring = body[0] if isinstance(body, list) and body and _is_text(body[0]) else None
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns", "decorator_list", "bases", "ctx", "cause", "format_spec"):
            for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if not isinstance(child, (ast.Assert, ast.Import, ast.ImportFrom)) and (
                    child is None or child is not docstring
                ):
                    yield field, index, child


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _instead_of(parent: ast.AST, field: str, node: Any) -> Iterator[Any]:
    """What may stand in place of a node; None leaves it out."""
    if isinstance(parent, ast.keyword) and parent.arg == "strict":
        return
    if isinstance(parent, ast.Slice) and field in ("lower", "upper") and node is not None:
        yield None
    if field in ("test", "ifs") and not isinstance(node, ast.Constant):
        yield ast.Constant(False)
        if not isinstance(parent, ast.While):
            yield ast.Constant(True)
    match node:
        case ast.cmpop():
            yield from (kind() for kind in _COMPARED[type(node)])
        case ast.operator():
            yield from (_COMBINED[kind]() for kind in (type(node),) if kind in _COMBINED)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.And() if isinstance(op, ast.Or) else ast.Or(), values)
            if len(values) == 2:
                yield from values
            else:
                yield from (ast.BoolOp(op, [v for v in values if v is not left]) for left in values)
        case ast.UnaryOp(_, operand):
            yield operand
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() | float() as value):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.Constant(str() as value):
            yield ast.Constant("XX" + value)
        case ast.Call(function, arguments, keywords):
            yield from _other_calls(function, arguments, keywords)
        case ast.stmt():
            yield from _other_statements(node)


def _other_calls(function: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword]) -> Iterator[ast.expr]:
    match function:
        case ast.Name(name) if name in _CALLED:
            yield ast.Call(ast.Name(_CALLED[name], ast.Load()), arguments, [k for k in keywords if name != "sorted"])
        case ast.Attribute(value, ("any" | "all") as name):
            yield ast.Call(ast.Attribute(value, _CALLED[name], ast.Load()), arguments, keywords)
    for left in keywords:
        if left.arg != "strict":
            yield ast.Call(function, arguments, [k for k in keywords if k is not left])


def _other_statements(node: ast.stmt) -> Iterator[ast.stmt]:
    match node:
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield from (ast.Break(), ast.Pass())
        case ast.Return(value) if value is not None and not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Delete():
            yield ast.Pass()
        case ast.Assign(targets):
            parts = (part for target in targets for part in ast.walk(target))
            if any(isinstance(part, (ast.Attribute, ast.Subscript)) for part in parts):
                yield ast.Pass()


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _described(
    parent: ast.AST,
    field: str,
    index: int | None,
    node: Any,
    where: str,
    here: ast.AST,
    shown: ast.AST,
    *,
    inside: bool,
) -> Mutation:
    first = getattr(here, "lineno", 1)
    body = getattr(here, "body", None)
    last = body[0].lineno - 1 if isinstance(body, list) and body else getattr(here, "end_lineno", first)
    lines = range(first, max(first, last) + 1)
    old = _text(shown)
    before = replaced(parent, field, index, node)
    whole = isinstance(node, ast.stmt)
    new = _text(node if whole else shown)
    replaced(parent, field, index, before)
    return Mutation(where, inside, lines, _text(before) if whole else old, new, parent, field, index, node)


def replaced(parent: ast.AST, field: str, index: int | None, node: Any) -> Any:
    """Put a node into a place of the tree; return what was there."""
    if index is None:
        before = getattr(parent, field)
        setattr(parent, field, node)
    else:
        entries = getattr(parent, field)
        before, entries[index] = entries[index], node
    return before


def _text(node: ast.AST) -> str:
    """A node on one line; of a statement that has others inside, only what comes before them."""
    body = getattr(node, "body", None)
    text = ast.unparse(node)
    return text.split(":\n")[0] if isinstance(body, list) else " ".join(text.split())
