"""Reads the C header into the model of tools/scripts/c_header.py.

The header is written in a part of C that other languages can follow: numbers of a fixed width, opaque
pointers, plain structs, callbacks and functions, each in one form. Anything else is a HeaderError that
names its line and the remedy.
"""

import dataclasses
import pathlib
import re

from c_header import (SCALARS, Alias, Constant, Enum, Field, Function, Handle, Header, SizeCheck, Struct,
                      Type)

POINTED_TO = {"void", "char"}  # types that only pointers have


class HeaderError(Exception):
    """Something that the header must not have. The text names the line and the remedy."""


def read(path):
    """Returns the Header of a file. HeaderError for what the model has no place for."""
    return parse(pathlib.Path(path).read_text(encoding="utf-8"), path)


def parse(text, path="the header"):
    """Returns the Header of a text; `path` is what errors call it."""
    return _Parser(text, path).header()


TOKEN = re.compile(r"""(?P<space>\s+) | (?P<comment>/\*.*?\*/) | (?P<directive>\#(?:\\\n|[^\n])*) |
                       (?P<word>[A-Za-z_]\w*) | (?P<number>0x[0-9a-fA-F]+u?|\d+u?) |
                       (?P<sign>==|[{}()\[\];,=*?:-])""", re.DOTALL | re.VERBOSE)
MACRO = re.compile(r"#define (FR_\w+) (.+)", re.DOTALL)
CONDITION = re.compile(r"^\s*#\s*(if|endif)", re.MULTILINE)
# What these keep from other compilers and from C++ declares nothing for bindings.
SKIPPED = ("#ifdef __cplusplus", "#ifndef FR_API")
UNSIGNED = re.compile(r"\b(0x[0-9a-fA-F]+|\d+)u\b")
ARITHMETIC = re.compile(r"[\w\s()+*<-]+")


@dataclasses.dataclass(frozen=True)
class _Token:
    text: str
    line: int
    end_line: int


class _Parser:
    def __init__(self, text, path):
        self.text, self.path = text, path
        self.guard = None
        self.constants = {}  # the values so far, by name
        self.known = {}  # the declarations so far that are types, by name
        self.names = set()
        self.comments = {}  # by the line on which they end
        self.trailing = {}  # those that follow something on their line, by that line
        self.found = []
        self.tokens, self.next = [], 0

    def header(self):
        self._tokenize()
        while self.next < len(self.tokens):
            self.found.append(self._declaration())
        header = Header(self.found)
        self._check_padding(header)
        self._check_sizes(header)
        return header

    def _fail(self, line, what, remedy):
        raise HeaderError(f"{self.path}:{line}: {what}; {remedy}")

    # ---- Tokens ----

    def _tokenize(self):
        at, line = 0, 1
        while at < len(self.text):
            match = TOKEN.match(self.text, at)
            if match is None:
                rest = self.text[at:].splitlines()[0]
                self._fail(line, f"'{rest}' is not understood",
                           "comments are /* */; teach tools/scripts/c_header.py what else is needed")
            at, end_line = match.end(), line + match[0].count("\n")
            if match.lastgroup == "directive" and match[0].rstrip() in SKIPPED:
                at = self._end_of_condition(match.start(), line)
                end_line = line + self.text.count("\n", match.start(), at)
            elif match.lastgroup == "directive":
                self._directive(match[0].replace("\\\n", " ").strip(), line)
            elif match.lastgroup == "comment":
                self._comment(match, line, end_line)
            elif match.lastgroup != "space":
                self.tokens.append(_Token(match[0], line, end_line))
            line = end_line

    def _end_of_condition(self, begin, line):
        depth = 0
        for match in CONDITION.finditer(self.text, begin):
            depth += 1 if match[1] == "if" else -1
            if depth == 0:
                return match.end()
        self._fail(line, "this #if has no #endif", "add it")

    def _comment(self, match, line, end_line):
        text = " ".join(re.sub(r"^\s*\*(?= |$)", "", each).strip()
                        for each in match[0][2:-2].splitlines()).strip()
        before = self.text[self.text.rfind("\n", 0, match.start()) + 1:match.start()]
        (self.trailing.setdefault(line, text) if before.strip() else
         self.comments.setdefault(end_line, text))

    def _directive(self, text, line):
        words = text.split()
        if words[0] in ("#include", "#endif"):
            return
        if words[0] == "#ifndef" and self.guard is None:
            self.guard = words[1]
            return
        if words == ["#define", self.guard]:
            return
        match = MACRO.fullmatch(re.sub(r"/\*.*?\*/", "", text).strip())
        if match is None:
            self._fail(line, f"'{text}' is not understood", "the header has macros "
                       "'#define FR_NAME number', and no #if that declares something on some targets")
        # Stands among the tokens, so that it is declared in its place.
        comment = re.search(r"/\*(.*?)\*/", text)
        self.trailing.setdefault(line, comment[1].strip() if comment else "")
        self.tokens.append(_Token(f"#{match[1]} {match[2]}", line, line))

    # ---- Declarations ----

    def _declaration(self):
        token = self._take()
        if token.text.startswith("#"):
            return self._macro(token)
        if token.text == "typedef":
            return self._typedef(token)
        if token.text == "enum":
            return self._enum(token)
        if token.text == "FR_API":
            return self._callable(token, self._type(), is_callback=False)
        self._fail(token.line, f"'{token.text}' begins nothing that is known",
                   "declare typedef, enum, #define FR_NAME number, or FR_API and a function")

    def _macro(self, token):
        name, value = token.text[1:].split(" ", 1)
        return self._constant(name, value, token.line)

    def _constant(self, name, written, line):
        try:
            if ARITHMETIC.fullmatch(written) is None:
                raise ValueError
            value = eval(UNSIGNED.sub(r"\1", written), {"__builtins__": {}}, self.constants)
        except (ValueError, NameError, SyntaxError, TypeError):
            self._fail(line, f"{name} is '{written}'",
                       "write a number, or a sum or product of numbers and of constants above")
        self._name(name, line)
        self.constants[name] = value
        return Constant(name, value, self.trailing.get(line, ""))

    def _typedef(self, begin):
        if self._peek().text == "struct":
            return self._struct(begin)
        type_ = self._type()
        name = self._take()
        if self._peek().text == "(":
            self.next -= 1
            return self._callable(begin, type_, is_callback=True)
        if self._peek().text == "[":
            return self._size_check(name)
        if type_.name not in SCALARS or type_.pointers or type_.is_const:
            self._fail(begin.line, f"{name.text} stands for '{type_}'",
                       f"an alias is one of {', '.join(SCALARS)}")
        self._expect(";")
        return self._known(Alias(name.text, type_.name, self._comment_of(begin)), begin.line)

    def _struct(self, begin):
        self._expect("struct")
        tag = self._take()
        if self._peek().text != "{":
            self._expect(tag.text)
            self._expect(";")
            return self._known(Handle(tag.text, self._comment_of(begin)), begin.line)
        self._expect("{")
        members = []
        while self._peek().text != "}":
            member = self._field(";")
            if member.name in (each.name for each in members):
                self._fail(self._previous().line, f"{tag.text} has two members {member.name}", "rename one")
            members.append(member)
        self._expect("}")
        self._expect(tag.text)
        self._expect(";")
        return self._known(Struct(tag.text, tuple(members), self._comment_of(begin), begin.line), begin.line)

    def _field(self, end):
        first = self._peek()
        type_ = self._value_type()
        name, count = self._take(), None
        if self._peek().text == "[":
            self._expect("[")
            count = self._count()
            self._expect("]")
        self._expect(end)
        comment = self.trailing.get(self._previous().line) or self.comments.get(first.line - 1, "")
        return Field(name.text, type_, count, comment)

    def _count(self):
        token = self._take()
        text = token.text.rstrip("u")
        count = self.constants.get(text) if text in self.constants else int(text, 0) if text.isdigit() else 0
        if not count:
            self._fail(token.line, f"'{token.text}' is no length of an array",
                       "write a positive number, or a constant of the header above")
        return count

    def _enum(self, begin):
        self._expect("{")
        constants = []
        while self._peek().text != "}":
            name = self._take()
            self._expect("=", "give each enumerator its number, which never changes")
            value = self._take()
            constants.append(self._constant(name.text, value.text, value.line))
            if self._peek().text != "}":
                self._expect(",")
        self._expect("}")
        self._expect(";")
        return Enum(tuple(constants), self._comment_of(begin))

    def _callable(self, begin, result, is_callback):
        if result.name in self._structs() and not result.pointers:
            self._fail(begin.line, f"a function returns '{result}'", "return an frResult, and it by a pointer")
        name = self._take()
        self._expect("(")
        parameters = []
        if self._peek().text == "void" and self.tokens[self.next + 1].text == ")":
            self._take()
        while self._peek().text != ")":
            parameters.append(self._parameter())
            if self._peek().text != ")":
                self._expect(",")
        self._expect(")")
        self._expect(";")
        function = Function(name.text, result, tuple(parameters), self._comment_of(begin), is_callback)
        if is_callback:
            return self._known(function, begin.line)
        self._name(name.text, begin.line)
        return function

    def _parameter(self):
        type_ = self._value_type()
        name = self._take()
        if self._peek().text != "[":
            if not type_.pointers and type_.name in self._structs():
                self._fail(name.line, f"{name.text} is a {type_.name} by value",
                           "pass a pointer: many languages cannot pass structs")
            return Field(name.text, type_)
        self._expect("[")
        count = self._count()
        self._expect("]")
        return Field(name.text, type_, count)

    def _size_check(self, name):
        self._expect("[")
        self._expect("sizeof")
        self._expect("(")
        struct = self._take()
        for text in (")", "=="):
            self._expect(text)
        size = self._count()
        for text in ("?", "1", ":", "-", "1", "]", ";"):
            self._expect(text)
        if struct.text not in self._structs():
            self._fail(struct.line, f"{struct.text} is no struct of the header", "correct the name")
        return SizeCheck(name.text, struct.text, size)

    # ---- Types ----

    def _type(self):
        is_const = self._peek().text == "const"
        if is_const:
            self._take()
        token, pointers = self._take(), 0
        if token.text not in SCALARS and token.text not in POINTED_TO and token.text not in self.known:
            self._fail(token.line, f"the type '{token.text}' is unknown",
                       f"declare it above, or use {', '.join(SCALARS)}")
        while self._peek().text == "*":
            self._take()
            pointers += 1
            if self._peek().text == "const":  # of a pointer; bindings do not need it
                self._take()
        return Type(token.text, is_const, pointers)

    def _value_type(self):
        """Returns the type of a member or a parameter: one of which there are values."""
        line = self._peek().line
        type_ = self._type()
        declared = self.known.get(type_.name)
        if not type_.pointers and (type_.name in POINTED_TO or isinstance(declared, (Handle, Function))):
            self._fail(line, f"there are no values of the type '{type_.name}'", "use a pointer")
        return type_

    def _structs(self):
        return [name for name, each in self.known.items() if isinstance(each, Struct)]

    # ---- Laws ----

    def _check_padding(self, header):
        for struct in header.structs.values():
            unnamed = header.layout(struct).size - sum(map(header.size, struct.members))
            if unnamed and header.is_portable(struct):
                self._fail(struct.line, f"{struct.name} has {unnamed} bytes without a name",
                           "call them `reserved`, so that its layout is that of every target")

    def _check_sizes(self, header):
        for check in header.of(SizeCheck):
            size = header.layout(header.structs[check.struct]).size
            if size != check.size:
                self._fail(header.structs[check.struct].line,
                           f"{check.struct} has {size} bytes, and {check.name} says {check.size}", "correct one")

    # ---- Helpers ----

    def _known(self, declaration, line):
        self._name(declaration.name, line)
        self.known[declaration.name] = declaration
        return declaration

    def _name(self, name, line):
        if name in self.names:
            self._fail(line, f"{name} is declared twice", "rename one")
        self.names.add(name)

    def _comment_of(self, begin):
        return self.comments.get(begin.line - 1) or self.trailing.get(self._previous().line, "")

    def _peek(self):
        if self.next == len(self.tokens):
            self._fail(self._previous().line, "the header ends within a declaration", "complete it")
        return self.tokens[self.next]

    def _take(self):
        token = self._peek()
        self.next += 1
        return token

    def _previous(self):
        return self.tokens[self.next - 1]

    def _expect(self, text, remedy=""):
        token = self._take()
        if token.text != text:
            self._fail(token.line, f"'{token.text}' is where '{text}' is expected",
                       remedy or "write it as the other declarations of its kind")
