"""The one place of JIT options, and the few machine instructions that Python cannot say."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import carray  # type: ignore[attr-defined]
from numba.core import cgutils, config, types
from numba.core.errors import TypingError
from numba.core.event import Event, Listener, register
from numba.extending import intrinsic


class _SayOnceThatWeCompile(Listener):
    """Tells the user, once, why the first call on a machine takes long."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: Event) -> None:
        function = event.data["dispatcher"].py_func
        if not self.said and function.__module__.startswith("h2pc."):
            self.said = True
            print(
                "h2pc: compiling its kernels, once on this machine (about a minute) …",
                file=sys.stderr,
                flush=True,
            )

    def on_end(self, event: Event) -> None:
        pass


def _forget_kernels_older_than_their_sources() -> None:
    """Remove cached machine code made before the last edit of any kernel.

    numba compares a kernel with its own file only; a kernel that calls one in another file would
    stay stale after an edit there.
    """
    folder = Path(__file__).parent
    with suppress(OSError):
        newest = max(source.stat().st_mtime for source in folder.glob("*.py"))
        for index in (folder / "__pycache__").glob("*.nb[ic]"):
            if index.stat().st_mtime < newest:
                index.unlink(missing_ok=True)


_forget_kernels_older_than_their_sources()
register("numba:compile", _SayOnceThatWeCompile())

JIT_DISABLED = bool(config.DISABLE_JIT)  # type: ignore[attr-defined]


def kernel(*signatures: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function for the given signatures, keep it on disk, and release the GIL in it.

    Without signatures it is compiled when first called: for kernels that take a ``Sample``, whose
    only variants are bytes and 16-bit codes, and few users ever meet the second.
    """
    return numba.njit(list(signatures) or None, cache=True, nogil=True, error_model="numpy")


def part(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a piece of a kernel: it is called from kernels only."""
    options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(function, nogil=True, error_model="numpy", **options)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a piece of a kernel into its callers.

    For what is called once a question, and is small: a call would copy all words of the sample.
    """
    return part(function, forceinline=True)


def only_part(function: Callable[..., Any]) -> Any:
    """Make a piece of a kernel part of the text of its one caller, which is compiled sooner so."""
    return part(function, inline="always")


def address_of(function: Any, kinds: tuple[Any, ...]) -> int:
    """Return where a kernel's code for these types of arguments begins; compile it if need be."""
    function.compile(kinds)
    compiled = function.overloads[kinds]
    address: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    return address


def call_of(kinds: Callable[[Any], tuple[Any, ...]], result: Any = types.int64) -> Any:
    """Return ``call(address, arguments)`` for code that returns numbers of a type.

    A kernel that is called by name becomes a part of its caller, and is compiled with it anew;
    called by its address it stays where it is. ``kinds`` returns the types that the code was
    compiled for, given the type of the first argument: nothing else is let through.
    """

    @intrinsic
    def call(typing_context: Any, address: Any, arguments: Any) -> Any:
        if tuple(arguments.types) != kinds(arguments.types[0]):
            raise TypingError(f"arguments of another type than declared: {arguments.types}")

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            convention = context.call_conv
            code = convention.get_function_type(result, arguments.types)
            function = builder.inttoptr(args[0], code.as_pointer())
            values = cgutils.unpack_tuple(builder, args[1], len(arguments.types))
            status, returned = convention.call_function(
                builder, function, result, arguments.types, values
            )
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return returned

        return result(types.int64, arguments), codegen

    return call


def _bit_intrinsic(emit: Callable[[Any, Any], Any]) -> Any:
    @intrinsic
    def bit_function(typing_context: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return emit(builder, args[0])

        return types.int64(types.uint64), codegen

    return bit_function


if JIT_DISABLED:

    def popcount(word: int) -> int:
        """Return the number of bits set."""
        return int(word).bit_count()

    def lowest_bit(word: int) -> int:
        """Return the position of the lowest bit set; ``word`` is not 0."""
        return (int(word) & -int(word)).bit_length() - 1

    def scrambled(word: Any, factor: Any, more: Any) -> Any:
        """Return ``word * factor + more``, as far as a word holds it."""
        return np.uint64((int(word) * int(factor) + int(more)) % (1 << 64))

else:

    @inlined
    def scrambled(word: Any, factor: Any, more: Any) -> Any:
        """Return ``word * factor + more``, as far as a word holds it."""
        return word * factor + np.uint64(more)

    popcount = _bit_intrinsic(lambda builder, word: builder.ctpop(word))
    lowest_bit = _bit_intrinsic(
        lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 1))
    )


def _cast_intrinsic(source: Any, result: Any, bits: Any) -> Any:
    @intrinsic
    def cast(typing_context: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.bitcast(args[0], bits)

        return result(source), codegen

    return cast


bits_of = _cast_intrinsic(types.float64, types.uint64, ir.IntType(64))
real_of = _cast_intrinsic(types.uint64, types.float64, ir.DoubleType())


def _pointer_intrinsic() -> Any:
    @intrinsic
    def pointer_to(typing_context: Any, address: Any, dtype: Any) -> Any:
        pointer = types.CPointer(dtype.dtype)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(pointer))

        return pointer(types.int64, dtype), codegen

    return pointer_to


pointer_to = _pointer_intrinsic()  # to values of a dtype at an address


def _exchange_intrinsic() -> Any:
    @intrinsic
    def exchange(typing_context: Any, pointer: Any, expected: Any, new: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            outcome = builder.cmpxchg(*args, ordering="acq_rel", failordering="acquire")
            return builder.extract_value(outcome, 1)

        return types.boolean(pointer, pointer.dtype, pointer.dtype), codegen

    return exchange


if JIT_DISABLED:

    def borrowed(array: Any) -> Any:
        """Return the array itself."""
        return array

    unowned = borrowed

    def exchanged(array: Any, expected: int, new: int) -> bool:
        """Put a new value in place of the expected one; whether it was there."""
        if array[0] != expected:
            return False
        array[0] = new
        return True

    def beyond(array: Any, offset: int) -> Any:
        """Return the array from ``offset`` on."""
        return array[offset:]

    def kept_alive(_owners: Any) -> int:
        """Return 0."""
        return 0

else:

    @part
    def borrowed(array: Any) -> Any:
        """Return the address of a flat array: passing it around counts no references.

        It is indexed as the array, from 0 on, and unchecked. The array itself must outlive it: see
        :func:`kept_alive`.
        """
        return pointer_to(np.int64(array.ctypes.data), array.dtype)

    @part
    def unowned(array: Any) -> Any:
        """Return the same array, with its shape, without an owner; else as :func:`borrowed`."""
        return carray(pointer_to(np.int64(array.ctypes.data), array.dtype), array.shape)

    exchanged = _exchange_intrinsic()  # as one step, whatever other threads do

    @intrinsic
    def beyond(typing_context: Any, pointer: Any, offset: Any) -> Any:
        """Return the address ``offset`` values further."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.gep(args[0], [args[1]])

        return pointer(pointer, types.int64), codegen

    @part
    def kept_alive(_owners: Any) -> int:
        """Return 0; arrays live at least until they are named here."""
        return 0
