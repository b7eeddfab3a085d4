"""What documents cite, and whether the repository has it."""

import ast
import re
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

FILE = re.compile(r"(?<![\w/.*<-])(?:[\w.-]+/)*[\w-]+\.(?:py|md|ts|mjs|toml|mako)\b(?![\w*])")
"""A file of a kind that only the project has: users' own are tables, YAML, JSON and pictures."""

PLACE = re.compile(r"(?<![\w/.-])(?:src|docs|tests|web|benchmarks|examples|tools)/[\w./-]*\w")
MAKE = re.compile(r"(?:`|^)make ([a-z]+)(?=`|$| +#)", re.MULTILINE)
DECISION = re.compile(r"docs/decisions/(\d{4})")
DOTTED = re.compile(r"(?<![\w/.@-])deniable(?:\.[A-Za-z_]\w*)+")
RELATIVE = re.compile(r"`([a-z_]+(?:\.[a-z_]\w*)+)`")
CAMEL = re.compile(r"`([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
SAID = re.compile(r'""".*?"""|(?:^| )# [^\n]*', re.DOTALL | re.MULTILINE)
SAID_IN = dict.fromkeys((".ts", ".mjs"), re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL))

ELSEWHERE = re.compile(
    r"\b(?:MATH|SECURE-COUNT|ARCHITECTURE|KERNELS|PAPERS|STYLE)\b|\b[Ii]ssue #?\d+"
)
"""Documents and issues that somebody who has only the repository cannot open."""

ENDINGS = {"csv", "db", "example", "html", "js", "json", "parquet", "pem", "svg", "yaml", "yml"}
"""What a word with a dot in it ends with if it names somebody's own file, not a module."""

WRITTEN = frozenset({"analysis.py"})
"""What our commands write into other people\'s folders."""

OF_OTHERS = {"BernoulliNB", "DataFrame", "NaN"}


@dataclass(frozen=True)
class Repository:
    """The files of a repository by their paths, and the names that its package defines."""

    root: Path
    files: frozenset[str]

    @classmethod
    def of(cls, root: Path) -> "Repository":
        """All files that are tracked, or would be."""
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
        return cls(root, frozenset(n for n in done.stdout.splitlines() if (root / n).exists()))

    @cached_property
    def places(self) -> frozenset[str]:
        """Files, and the folders that they are in."""
        parents = {str(parent) for name in self.files for parent in Path(name).parents}
        return self.files | parents

    @cached_property
    def targets(self) -> frozenset[str]:
        """What `make` can be asked for."""
        text = (self.root / "Makefile").read_text(encoding="utf-8")
        return frozenset(re.findall(r"^([a-z]+):", text, re.MULTILINE))

    @cached_property
    def _basenames(self) -> frozenset[str]:
        return frozenset(Path(name).name for name in self.files)

    @cached_property
    def modules(self) -> dict[str, str]:
        """The text of every module of the package, by its dotted name."""
        found = {}
        for name in self.files:
            path = Path(name)
            if path.suffix == ".py" and path.parts[0] == "src":
                parts = path.with_suffix("").parts[1:]
                dotted = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
                found[dotted] = (self.root / name).read_text(encoding="utf-8")
        return found

    @cached_property
    def _packages(self) -> frozenset[str]:
        return frozenset(part for name in self.modules for part in name.split(".")[1:])

    @cached_property
    def _code(self) -> str:
        """The package without what it says to its readers."""
        return SAID.sub("", "\n".join(self.modules.values()))

    @cached_property
    def _texts(self) -> frozenset[str]:
        """Words in quotes: the package may give a dotted name to something that is no module."""
        return frozenset(re.findall(r'"([\w.]+)"', self._code))

    @cached_property
    def _names(self) -> frozenset[str]:
        """All names that the package's code has."""
        return frozenset(re.findall(r"[A-Za-z_]\w*", self._code))

    def has_file(self, name: str, beside: str) -> bool:
        """Whether a path means a file from the root, the package, the page or its own folder."""
        if Path(name).name in WRITTEN:
            return True
        if "/" not in name:
            return name in self._basenames
        if DECISION.fullmatch(name):
            return any(each.startswith(f"{name}-") for each in self.files)
        starts = ("", "src/deniable", "src", "web/src", "web", "tests", "docs", beside)
        return any(_joined(start, name) in self.places for start in starts)

    def has_name(self, dotted: str) -> bool:
        """Whether a dotted name is a module, or something in one."""
        if dotted in self._texts:
            return True
        parts = dotted.split(".")
        for cut in range(len(parts), 0, -1):
            module = self.modules.get(".".join(parts[:cut]))
            if module is not None:
                return cut == len(parts) or self._within(module, parts[cut:])
        return False

    def _within(self, module: str, parts: list[str]) -> bool:
        """Whether a module binds the first name, and the package knows the others."""
        if not any(parts[0] in _bound(statement) for statement in ast.parse(module).body):
            return False
        return all(part in self._names for part in parts[1:])

    def has_relative(self, dotted: str) -> bool:
        """Whether a dotted name that begins with a folder of the package ends somewhere."""
        first, *rest = dotted.split(".")
        if first not in self._packages or rest[-1] in ENDINGS:
            return True
        ends = [name for name in self.modules if name.endswith(f".{first}")]
        return any(self.has_name(".".join([name, *rest])) for name in ends)

    def has_class(self, name: str) -> bool:
        """Whether a name in camel case is one of the package's, or well known."""
        return name in self._names or name in OF_OTHERS


def _bound(statement: ast.stmt) -> set[str]:
    """Names in one statement of a module; a function that finds them late has them in quotes."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Expr():
            return set()
    return set(re.findall(r"\w+", ast.unparse(statement)))


def _joined(start: str, name: str) -> str:
    parts: list[str] = []
    for part in f"{start}/{name}".strip("/").split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in {".", ""}:
            parts.append(part)
    return "/".join(parts)


def leads_nowhere(text: str, repository: Repository, beside: str = "", *, code: bool) -> list[str]:
    """Everything that a text cites and the repository does not have, each once.

    `code`: the text is comments of code, in which a dotted name in backticks may begin with any
    folder of the package.
    """
    cited = [found.rstrip(".") for found in FILE.findall(text)]
    cited += PLACE.findall(text)
    wrong = [name for name in cited if not repository.has_file(name, beside)]
    wrong += [name for name in DOTTED.findall(text) if not repository.has_name(name)]
    wrong += [name for name in CAMEL.findall(text) if not repository.has_class(name)]
    wrong += [f"make {word}" for word in MAKE.findall(text) if word not in repository.targets]
    wrong += ELSEWHERE.findall(text)
    if code:
        wrong += [name for name in RELATIVE.findall(text) if not repository.has_relative(name)]
    else:
        wrong += [link for link in LINK.findall(text) if not _leads(link, text, repository, beside)]
    return list(dict.fromkeys(wrong))


def _leads(link: str, text: str, repository: Repository, beside: str) -> bool:
    if re.match(r"[a-z]+:", link):
        return True
    path, _, anchor = link.partition("#")
    name = _joined(beside, path)
    if path and name not in repository.places:
        return False
    if not anchor:
        return True
    page = (repository.root / name).read_text(encoding="utf-8") if path else text
    return anchor in anchors(page)


def anchors(page: str) -> set[str]:
    """Where a page can be entered: its headings, as GitHub names them."""
    headings = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def comments(path: Path) -> str:
    """What a file of code says to its readers: docstrings and comments."""
    text = path.read_text(encoding="utf-8")
    said = SAID if path.suffix == ".py" else SAID_IN.get(path.suffix, re.compile(r"#.*"))
    return "\n".join(found.group() for found in said.finditer(text))
