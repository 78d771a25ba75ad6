"""The only door to numba: the decorators, the switches and the cache folder.

The same source runs compiled and, with ``NUMBA_DISABLE_JIT=1``, as ordinary Python. numba's own cache
does not notice an edit in another file nor a changed flag, so the cache folder is named by a hash of
all engine sources, of the versions and of every flag, *before* numba is imported. Compiling takes a
file lock: two processes that compile at once can write a wrong index.
"""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import platformdirs

F = TypeVar("F", bound=Callable[..., Any])

DISABLED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
_ROOT = Path(__file__).resolve().parent.parent
_ENGINE_FOLDERS = ("simlab", "strategies")
_USES_JIT = re.compile(r"^from simlab(?:\.jit import| import .*\bjit\b)", re.MULTILINE)
_IMPORT = re.compile(r"^from ((?:simlab|strategies)[\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)


def engine_sources() -> list[Path]:
    """Every file of ours whose text can change compiled code, in a fixed order.

    Those that use this module, and what they import: constants of plain files are frozen into the code.
    """
    modules = {
        ".".join(path.relative_to(_ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for folder in _ENGINE_FOLDERS
        for path in (_ROOT / folder).rglob("*.py")
    }
    texts = {name: path.read_text(encoding="utf-8") for name, path in modules.items()}
    waiting = [name for name, text in texts.items() if _USES_JIT.search(text)]
    found = set(waiting)
    while waiting:
        for module, names in _IMPORT.findall(texts[waiting.pop()]):
            imported = {module, *(f"{module}.{name}" for name in re.findall(r"\w+", names))}
            new = (imported & modules.keys()) - found
            found |= new
            waiting += new
    return [modules[name] for name in sorted(found)]


def source_hash() -> str:
    """A hash of the engine's text: names and contents of its files."""
    digest = hashlib.sha256()
    for path in engine_sources():
        digest.update(path.relative_to(_ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _flags() -> str:
    skip = {"NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS"}  # joblib sets the latter in its worker processes
    return ";".join(
        f"{name}={value}"
        for name, value in sorted(os.environ.items())
        if name.startswith("NUMBA_") and name not in skip
    )


def cache_folder() -> Path:
    """The folder of compiled code for exactly these sources, versions and flags."""
    key = hashlib.sha256()
    versions = [version(package) for package in ("numba", "llvmlite", "numpy")]
    for part in (source_hash(), sys.version, *versions, _flags()):
        key.update(part.encode() + b"\0")
    base = os.environ.get("SIMLAB_CACHE_DIR") or platformdirs.user_cache_dir("simlab")
    return Path(base) / "compiled" / key.hexdigest()[:20]


def _writable_cache() -> Path:
    """The cache folder, or a copy of it for this command alone where nothing can be written to it."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):  # what numba tries, too
            return folder
    except OSError as error:
        reason = error.strerror
    base = tempfile.mkdtemp(prefix="simlab-")
    atexit.register(shutil.rmtree, base, ignore_errors=True)
    print(
        f"simlab: {folder} can't be written ({reason}), so what is compiled is kept for this command alone;"
        " SIMLAB_CACHE_DIR names another folder",
        file=sys.stderr,
    )
    os.environ["SIMLAB_CACHE_DIR"] = base  # for worker processes
    copy = cache_folder()
    if folder.is_dir():
        shutil.copytree(folder, copy)
    copy.mkdir(parents=True, exist_ok=True)
    return copy


if not DISABLED:
    CACHE = _writable_cache()
    os.environ["NUMBA_CACHE_DIR"] = str(CACHE)
    import warnings

    import llvmlite.binding
    import llvmlite.ir
    import numba
    import numba.extending
    from numba import types
    from numba.core import cgutils
    from numba.np import arrayobj

    numba.config.CACHE_DIR = str(CACHE)  # type: ignore[attr-defined]
    warnings.filterwarnings("ignore", category=numba.NumbaExperimentalFeatureWarning)

    _wrapped_index = arrayobj.fix_integer_index
    _compiling: list[str] = []  # the top packages of the kernels that are being compiled

    def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        if _compiling and _compiling[-1] in _ENGINE_FOLDERS:
            return context.cast(builder, index, kind, types.intp)
        return _wrapped_index(context, builder, kind, index, size)

    # No index of ours is negative (the bounds-checked tests see to it), so the wraparound that numba puts
    # before each of them is left out, 8 % of the time of a game. A plug-in keeps it.
    arrayobj.fix_integer_index = _index


def _widened(kind: Any) -> Any:
    """int64 for every integer, literal and truth value; other types as they are."""
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer | types.Boolean) else kind


def inner(function: F) -> F:
    """Compile on first use, called from compiled code only; makes no arrays.

    Integer arguments of any width arrive as int64, so that there is one signature a function: numba
    would compile another copy for int8, int16, each literal and so on (a test asserts it). Without
    numba's reference counts, which every call with an array would pay for with two atomic operations.
    """
    return _inner(function, counted=False)


def allocating(function: F) -> F:
    """As `inner`, for the few functions that make arrays: not below a decision."""
    return _inner(function, counted=True)


def blank(dtype: Any, plain: Callable[[Any, int], Any]) -> Callable[[int], Any]:
    """A function for `allocating` ones that makes so many records of `dtype`, to be filled before use.

    Compiled they are 0 in every field; uncompiled they are `plain(dtype, n)`.
    """
    if DISABLED:
        return lambda n: plain(dtype, n)

    def make(n: int) -> Any:
        return np.zeros(n, dtype)

    return allocating(make)


def _njit(counted: bool, *, cache: bool = False) -> Any:
    make: Any = numba.njit  # numba's types don't know _nrt: whether code counts references to arrays
    return make(nogil=True, error_model="numpy", cache=cache, _nrt=counted)


def _inner(function: F, *, counted: bool) -> F:
    if DISABLED:
        return function
    dispatcher = _njit(counted)(function)
    template = dispatcher.get_call_template

    def widened_template(args: Any, kwargs: Any) -> Any:
        return template(tuple(map(_widened, args)), {name: _widened(kind) for name, kind in kwargs.items()})

    dispatcher.get_call_template = widened_template
    return dispatcher  # type: ignore[no-any-return]


def plain(function: F) -> F:
    """The plain Python form of a function of ours, for Python code: called compiled, an inner function
    would first be compiled anew in each process.
    """
    return getattr(function, "py_func", function)


def entry(signature: Callable[[], Any], *, allocates: bool = False) -> Callable[[F], F]:
    """Compile at import under one explicit signature, cached on disk: the kernels that Python calls.

    `signature` is a function, so that nothing of numba is needed where compilation is off; `allocates`
    says that the kernel itself makes arrays.
    """

    def decorate(function: F) -> F:
        if DISABLED:
            return function
        with _locked(function):
            try:
                return _compiled(function, signature(), allocates)
            except numba.core.errors.NumbaError:
                raise  # the code is wrong, not the cache
            except Exception:  # a truncated file raises whatever its reader meets
                wipe_cache()
                return _compiled(function, signature(), allocates)

    return decorate


def _compiled(function: F, signature: Any, counted: bool) -> F:
    dispatcher = _njit(counted, cache=True)(function)
    _compiling.append(function.__module__.partition(".")[0])
    try:
        dispatcher.compile(signature)
    except OSError:  # such as a full disk: what was compiled is there all the same
        if not dispatcher.signatures:
            raise
    finally:
        _compiling.pop()
    dispatcher.disable_compile()
    return dispatcher  # type: ignore[no-any-return]


def linked(kernel: F) -> Callable[[tuple[Any, ...]], Any]:
    """An entry kernel as another one calls it, with its arguments in a tuple: by its address, so that it
    isn't compiled again into the caller. Arguments must have the types of its signature, integers apart.
    """
    if DISABLED:
        return lambda arguments: kernel(*arguments)
    dispatcher: Any = kernel
    kinds, result = dispatcher.nopython_signatures[0].args, dispatcher.nopython_signatures[0].return_type
    made = dispatcher.overloads[kinds]
    # by name: an address in the code would be wrong in the next process that takes it from the cache
    symbol = f"{dispatcher.py_func.__module__}.{dispatcher.py_func.__qualname__}"
    address = made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name)
    llvmlite.binding.add_symbol(symbol, address)

    @numba.extending.intrinsic  # type: ignore[misc]
    def call(_: Any, arguments: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            given = cgutils.unpack_tuple(builder, values[0])
            given = [
                context.cast(builder, *each) for each in zip(given, signature.args[0], kinds, strict=True)
            ]
            takes = [context.get_value_type(kind) for kind in kinds]
            function_type = llvmlite.ir.FunctionType(context.get_value_type(result), takes)
            return builder.call(cgutils.get_or_insert_function(builder.module, function_type, symbol), given)

        return result(arguments), code

    return call  # type: ignore[no-any-return]


@contextmanager
def _locked(function: Callable[..., Any]) -> Iterator[None]:
    """One process at a time: two that compile a function at once can leave an index to the wrong code."""
    with (CACHE / f"{function.__module__}.{function.__qualname__}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def announced(say: Callable[[], None]) -> Iterator[None]:
    """Have `say` called before the first function that is compiled; what lies in the cache isn't."""
    if DISABLED:
        yield
        return
    from numba.core import event

    class First(event.Listener):  # type: ignore[misc]
        told = False

        def on_start(self, _: Any) -> None:
            if not self.told:
                self.told = True
                say()

        def on_end(self, _: Any) -> None:
            """Nothing more to say."""

    with event.install_listener("numba:compile", First()):
        yield


@cache
def record_array(dtype: Any) -> Any:
    """numba's type of a one-dimensional array of `dtype` records."""
    return types.Array(numba.from_dtype(dtype), 1, "C")


def integers(bits: int = 64) -> Any:
    """numba's type of a one-dimensional array of signed integers."""
    return types.Array(getattr(types, f"int{bits}"), 1, "C")


def integers_2d(bits: int = 64) -> Any:
    """numba's type of a two-dimensional array of signed integers, rows contiguous."""
    return types.Array(getattr(types, f"int{bits}"), 2, "C")


def int64() -> Any:
    """numba's type of one integer."""
    return types.int64


def function(signature: Any) -> Any:
    """numba's type of a first-class function, as a block takes one strategy a seat."""
    return types.FunctionType(signature)


def tuple_of(kind: Any, length: int) -> Any:
    """numba's type of a tuple of `length` values of one kind."""
    return types.UniTuple(kind, length)


def wipe_cache() -> None:
    """Remove this engine's compiled code, the lock file apart."""
    for path in CACHE.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
