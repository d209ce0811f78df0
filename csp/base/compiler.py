"""Compiling kernels with Numba, and a cache on disk where there is room for one."""

import gc
import io
import os
import pickle
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any

import numba
import numpy as np
from llvmlite.binding import parse_assembly, parse_bitcode
from numba import njit
from numba.core import event, typed_passes, types, untyped_passes
from numba.core.caching import FunctionCache, NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.serialize import dumps
from numba.core.typing.typeof import typeof_impl
from numba.np.numpy_support import from_dtype, map_layout

from . import instructions as _instructions  # noqa: F401 (kernels call them)
from .errors import InstanceError
from .safe_files import lock, replacing_bytes
from .stop import COMPILING

#: How long to wait for a process that compiles the same kernel; it may have been suspended.
_PATIENCE_SECONDS = 60.0


class _LoadedLibrary(JITCodeLibrary):
    """The machine code of a kernel; what its callers would include is parsed only if one of them is compiled."""

    _bitcode, _NOTHING = b"", parse_assembly("").as_bitcode()

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, kind, data = state
        if kind != "object":
            return super()._unserialize(codegen, state)
        library: Any = super()._unserialize(codegen, (name, kind, (data[0], cls._NOTHING)))
        library._shared_module, library._bitcode = None, data[1]
        return library

    def _get_module_for_linking(self) -> Any:
        if self._bitcode and self._shared_module is None:
            self._shared_module = parse_bitcode(self._bitcode)
        return super()._get_module_for_linking()

    def get_pointer_to_function(self, name: str) -> Any:
        # Numba knows only the functions of modules that it has parsed.
        known = super().get_pointer_to_function
        return self._codegen._engine.get_function_address(name) if self._bitcode else known(name)


class _SeparateLibrary(JITCodeLibrary):
    """The code of an inner kernel, which becomes machine code only as a part of its callers."""

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def serialize_using_object_code(self) -> Any:
        return self.serialize_using_bitcode()

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing: there is no machine code with a place for the environment."""


class _InnerLibrary(_SeparateLibrary):
    """The same without the passes of a whole module: those of its callers are enough."""

    def _optimize_final_module(self) -> None:
        pass


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(typed_passes.NativeLowering):
    _name = "kernel_lowering"

    def run_pass(self, state: Any) -> Any:
        library = state.pipeline.library_class
        if library is not None:
            state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        return super().run_pass(state)


class _Compiler(CompilerBase):
    """Numba's compiler without passes for what no kernel has; each pass costs time even where it changes nothing."""

    library_class: type[JITCodeLibrary] | None = None
    _NEEDLESS = (
        untyped_passes.WithLifting,
        untyped_passes.InlineClosureLikes,
        untyped_passes.RewriteDynamicRaises,
        untyped_passes.MakeFunctionToJitFunction,
        untyped_passes.InlineInlinables,
        untyped_passes.FindLiterallyCalls,
        untyped_passes.LiteralUnroll,
        untyped_passes.LiteralPropagationSubPipelinePass,
        typed_passes.NopythonRewrites,
        typed_passes.DumpParforDiagnostics,
    )

    def define_pipelines(self) -> list[PassManager]:
        manager = PassManager("kernel")
        for each, about in DefaultPassBuilder.define_nopython_pipeline(self.state).passes:
            if each not in self._NEEDLESS:
                manager.add_pass(_Lowering if each is typed_passes.NativeLowering else each, about)
        manager.finalize()
        return [manager]


class _SeparateCompiler(_Compiler):
    library_class = _SeparateLibrary


class _InnerCompiler(_Compiler):
    library_class = _InnerLibrary


def dispatcher(function: Callable[..., Any], *, is_separate: bool = False, **options: Any) -> Any:
    """Numba's dispatcher for a kernel, with the cache if there is a folder for it."""
    is_inner = "no_cpython_wrapper" in options
    compiler = _SeparateCompiler if is_separate else _InnerCompiler if is_inner else _Compiler
    # Wrappers for callers in C take a sixth of the time to compile, and there are no such callers.
    options |= {"nogil": True, "no_cfunc_wrapper": True, "_nrt": False, "pipeline_class": compiler}
    compiled: Any
    try:
        compiled = njit(cache=True, **options)(function)
    except RuntimeError:  # "cannot cache function ...: no locator available"
        compiled = njit(**options)(function)
        compiled._cache = _NoCache(function.__code__.co_filename)
    else:
        _Cache.replace(compiled)
    if hasattr(JITCodeLibrary, "_unserialize"):
        compiled.targetctx.codegen()._library_class = _LoadedLibrary
    # Kernels have no types of other packages, which Numba would look for in all that is installed.
    compiled._compilation_chain_init_hook = _nothing
    if is_inner:  # a call by Python would jump to a wrapper that there is not
        compiled._insert, compiled._compile_for_args = lambda *_: None, partial(_refuse, _name(function))
    as_called = compiled.get_call_template
    # A call with a constant would otherwise be compiled once more for each of its values.
    compiled.get_call_template = lambda args, kws: as_called(
        [*map(types.unliteral, args)], {name: types.unliteral(one) for name, one in kws.items()}
    )
    return compiled


def _nothing() -> None:
    """Do nothing."""


_array_type = typeof_impl.dispatch(np.ndarray)


@typeof_impl.register(np.ndarray)
def _(array: Any, context: Any) -> Any:
    """The type of an array; Numba would import `numpy.ma` to see whether it is masked."""
    if type(array) is np.ndarray and array.dtype.kind in "biuf":
        return types.Array(from_dtype(array.dtype), array.ndim, map_layout(array), readonly=not array.flags.writeable)
    return _array_type(array, context)


def _refuse(kernel: str, *arguments: object) -> None:
    raise TypeError(f"{kernel} is an inner kernel: only other kernels can call it")


class _NoCache(NullCache):
    """The cache of a kernel for which there is no folder; beside its module is where it would be."""

    def __init__(self, module: str) -> None:
        self._folder = os.path.join(os.path.dirname(module), "__pycache__")

    def save_overload(self, sig: Any, cres: Any) -> None:
        _warn_not_kept(self._folder, "neither it nor your own cache folder can be written")


#: What was warned about in this process: folders with damaged files, and "" if no kernels can be kept.
_WARNED: set[str] = set()


def _warn_not_kept(folder: str, why: str) -> None:
    """Warn that each process has to compile; of the many folders of a package, the first one is enough."""
    remedy = "each process compiles its kernels again. Set NUMBA_CACHE_DIR to a folder that has room"
    _warn_once("", f"the kernel cache {folder} is not used: {why}; {remedy}")


def _warn_once(about: str, message: str) -> None:
    if about not in _WARNED:
        _WARNED.add(about)
        warnings.warn(message, UserWarning, stacklevel=2)


class _KernelFiles:
    """The machine code of a kernel, a file for each signature and processor; it begins with a checksum.

    Numba reads its own files without a check: one that was cut short ends the work, and one with a wrong bit might run.
    """

    def __init__(self, folder: str, base: str, stamp: object) -> None:
        self.folder, self._base, self._made_from = folder, base, (numba.__version__, _FORM, stamp)

    @property
    def lock(self) -> str:
        """The file that is locked while the kernel is compiled."""
        return os.path.join(self.folder, f"{self._base}.lock")

    def _path(self, key: Any) -> str:
        return os.path.join(self.folder, f"{self._base}.{sha256(repr(key[:2]).encode()).hexdigest()[:16]}.nbc")

    def load(self, key: Any) -> Any:
        """What was saved for a key; None if there is nothing, or it was made from another source."""
        try:
            with open(self._path(key), "rb") as file:
                checksum, content = file.read(_CHECKSUM), file.read()
        except FileNotFoundError:
            return None
        if sha256(content).digest() != checksum:
            raise ValueError(f"{os.path.basename(self._path(key))} is damaged")
        parts = io.BytesIO(content)
        # In this order: what another version has saved may be impossible to load.
        if pickle.load(parts) != self._made_from or pickle.load(parts) != key:
            return None
        return pickle.load(parts)

    def save(self, key: Any, data: Any) -> None:
        """Save the data for a key."""
        content = b"".join(map(dumps, (self._made_from, key, data)))
        with replacing_bytes(self._path(key), noted=False) as file:
            file.write(sha256(content).digest() + content)


_CHECKSUM = sha256().digest_size
#: Another number when kernels are compiled in another way: what was saved before may not be loaded.
_FORM = 2


class _Cache(FunctionCache):
    """Numba's cache, which loads machine code without loading the compiler first, and compiles nothing twice.

    Before it looks for the file, Numba would import its implementations of all functions that it can compile, and
    scipy.linalg with them, which takes longer than all the rest.  Of processes that start together, the first one locks
    the kernel, compiles and saves it; the others wait and load it.  With Numba itself two that save different
    signatures at the same time could end up with each other's machine code.
    """

    _cache_file: Any

    @classmethod
    def replace(cls, compiled: Any) -> None:
        """Make this the cache of a function, unless its own one is not as we know it."""
        if type(compiled._cache) is FunctionCache and hasattr(FunctionCache, "_load_overload"):
            own: Any = compiled._cache
            own.__class__ = cls
            stamp = own._impl.locator.get_source_stamp()
            own._cache_file = _KernelFiles(own.cache_path, own._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        asked = os.environ.get("NUMBA_CACHE_DIR")
        if asked and not self.cache_path.startswith(os.path.abspath(asked)):
            _warn_once("", f"the kernel cache {asked} cannot be written; {self.cache_path} is used instead")
        found = self._loaded(sig, target_context)
        if found is None:
            _lock_kernel(_name(self._py_func), self._cache_file.lock)
            found = self._loaded(sig, target_context)
            if found is not None:
                _unlock_last()
        return found

    def _loaded(self, sig: Any, target_context: Any) -> Any:
        try:
            return self._load_overload(sig, target_context)
        except Exception as error:  # whatever a file may hold
            why = error.strerror if isinstance(error, OSError) else error
            message = f"the kernel cache {self.cache_path} cannot be read: {why}; its kernels are compiled again"
            _warn_once(self.cache_path, message)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            self._save_overload(sig, data)
        except (OSError, InstanceError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error).rpartition(": ")[2]
            _warn_not_kept(self.cache_path, f"it cannot be written: {why}")
        finally:
            _unlock_last()


# The locks of the kernels that this process is compiling, from caller to callee; None where there can be no lock.
# Numba compiles in one thread at a time.  No two processes wait for each other, since no kernel calls itself.
_LOCKS: list[int | None] = []


def _lock_kernel(kernel: str, path: str) -> None:
    COMPILING.start(kernel)
    try:
        _LOCKS.append(_locked(path))
    finally:
        COMPILING.end()


def _unlock_last() -> None:
    descriptor = _LOCKS.pop() if _LOCKS else None
    if descriptor is not None:
        os.close(descriptor)


def _locked(path: str, patience: float = _PATIENCE_SECONDS) -> int | None:
    """The descriptor of a file that is locked until it is closed; None if it cannot be locked."""
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:  # no room, or no permission
        return None
    end = time.monotonic() + patience
    while True:
        try:
            lock(descriptor)
            return descriptor
        except BlockingIOError:
            if time.monotonic() >= end:
                os.close(descriptor)
                return None
            time.sleep(0.02)
        except BaseException:
            os.close(descriptor)
            raise


def lock_aside(kernel: Any) -> bool:
    """Keep other processes from compiling in the background, beside the cache of a kernel; False if one does so."""
    cache = kernel._cache
    return isinstance(cache, _Cache) and _locked(os.path.join(cache.cache_path, "aside.lock"), 0.0) is not None


def _name(function: Any) -> str:
    return f"{function.__module__}.{function.__name__}"


class _Listener(event.Listener):
    """Keeps the time that compiling takes out of time limits, and the garbage collector out of compiling."""

    _collects = False

    def on_start(self, event: Any) -> None:
        if gc.isenabled() and not COMPILING.runs:
            gc.disable()  # it would look through all that the compiler has made, again and again
            self._collects = True
        COMPILING.start(_name(event.data["dispatcher"].py_func))

    def on_end(self, event: object) -> None:
        COMPILING.end()
        if self._collects and not COMPILING.runs:
            gc.enable()
            self._collects = False
        if sys.exc_info()[0] is not None:  # nothing will be saved: Ctrl-C, for instance
            _unlock_last()


event.register("numba:compile", _Listener())
