"""Parses the derivatives of element-wise ops, which are one expression per operand. Other ops have a function in
compiler/transforms/autodiff.

  expression  = comparison { "&" comparison }
  comparison  = sum [ ("<" | "<=" | ">" | ">=" | "==") sum ]
  sum         = product { ("+" | "-") product }
  product     = unary { ("*" | "/") unary }
  unary       = ("-" | "!") unary | number | name | name "(" [expression { "," expression }] ")"
              | "(" expression ")"

Names are the op's operands and results, and the incoming gradient `g`. Functions are ops and those listed below. `no:
remedy` instead of an expression means that there is no derivative; the error message contains the remedy.
"""

import dataclasses
import re

# Functions that a rule may call in addition to ops, with their numbers of arguments.
FUNCTIONS = {"dtype": 1, "gammainc_slope": 2, "betainc_slope": 3}
TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(<=|>=|==|[-+*/<>&!(),]))")


class Malformed(Exception):
    """The error in an expression."""


@dataclasses.dataclass(frozen=True)
class Number:
    text: str


@dataclasses.dataclass(frozen=True)
class Name:
    name: str


@dataclasses.dataclass(frozen=True)
class Call:
    """A call of a function, or of an operator, whose name is its symbol."""

    function: str
    arguments: tuple


def tokens(text):
    position, result = 0, []
    while text[position:].strip():
        match = TOKEN.match(text, position)
        if not match:
            raise Malformed(f"unexpected '{text[position:].strip()[0]}'")
        result.append(match[0].strip())
        position = match.end()
    return result


class Parser:
    LEVELS = (("&",), ("<", "<=", ">", ">=", "=="), ("+", "-"), ("*", "/"))

    def __init__(self, text):
        self.rest = tokens(text)

    def peek(self):
        return self.rest[0] if self.rest else ""

    def take(self, *wanted):
        if self.peek() not in wanted:
            found = f"'{self.peek()}'" if self.rest else "the end"
            raise Malformed(f"expected '{wanted[0]}' before {found}")
        return self.rest.pop(0)

    def expression(self, level=0):
        if level == len(self.LEVELS):
            return self.unary()
        left = self.expression(level + 1)
        while self.peek() in self.LEVELS[level]:
            operator = self.rest.pop(0)
            left = Call(operator, (left, self.expression(level + 1)))
            if level == 1:
                break
        return left

    def unary(self):
        if not self.rest:
            raise Malformed("it ends where an operand is missing")
        token = self.rest.pop(0)
        if token in ("-", "!"):
            return Call(token, (self.unary(),))
        if token == "(":
            inner = self.expression()
            self.take(")")
            return inner
        if token[0].isdigit():
            return Number(token)
        if not (token[0].isalpha() or token[0] == "_"):
            raise Malformed(f"unexpected '{token}'")
        return self.call(token) if self.peek() == "(" else Name(token)

    def call(self, function):
        self.take("(")
        arguments = []
        while self.peek() != ")":
            arguments.append(self.expression())
            if self.peek() != ")":
                self.take(",", ")")
        self.take(")")
        return Call(function, tuple(arguments))


def remedy(text):
    """Returns the remedy of an entry without a derivative, else None."""
    return text.removeprefix("no: ") if text.startswith("no: ") else None


def parse(text):
    parser = Parser(text)
    result = parser.expression()
    if parser.rest:
        raise Malformed(f"unexpected '{parser.peek()}'")
    return result


def arities(ops):
    """Returns the numbers of arguments that each function may have. For ops these are the operands, with or without the
    attributes."""
    result = {name: {count} for name, count in FUNCTIONS.items()}
    for op in ops:
        operands, attributes = len(op.operands), len(op.attributes)
        result[op.name] = {operands, operands + 1, operands + attributes}
    return result


def check(expression, names, functions):
    """Raises Malformed for an unknown name or function."""
    if isinstance(expression, Name) and expression.name not in names:
        raise Malformed(f"unknown name '{expression.name}'")
    if not isinstance(expression, Call):
        return
    function, count = expression.function, len(expression.arguments)
    if function[0].isalpha():
        if function not in functions:
            raise Malformed(f"unknown function '{function}'")
        if count not in functions[function]:
            raise Malformed(f"'{function}' takes {' or '.join(map(str, sorted(functions[function])))} arguments, not {count}")
    for argument in expression.arguments:
        check(argument, names, functions)


def names_of(op):
    return {"g"} | {name for name, _ in [*op.operands, *op.results]}


def mentions(text, name):
    return re.search(rf"\b{name}\b", text) is not None
