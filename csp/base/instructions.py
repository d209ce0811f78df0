"""Processor operations that Numba does not offer: on the bits of a word, and on several words at a time.

Kernels find them in `bit_words`, which does not import Numba.  All of it is portable LLVM code: eight words take one
register where registers are that wide, and two or four elsewhere.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.cgutils import alloca_once_value, for_range
from numba.extending import intrinsic

from . import bit_words
from .bit_words import FEWEST_GROUPS


def _instruction(function: Any) -> Any:
    """Make the operation of the same name; callers omit the first parameter, which belongs to the compiler."""
    operation = getattr(bit_words, function.__name__)
    operation.made = intrinsic(function)
    return operation


_LANES = 8
_WORD = ir.IntType(64)
_VECTOR, _PAIR = ir.VectorType(_WORD, _LANES), ir.VectorType(_WORD, 2)


def _place(context: Any, builder: Any, signature: Any, arguments: Any, number: int) -> Any:
    """The address of the first word of the array that is argument `number`."""
    return context.make_array(signature.args[number])(context, builder, arguments[number]).data


def _number(value: int) -> Any:
    return ir.Constant(_WORD, value)


def _indices(lanes: list[int]) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), lanes)


def _spread(builder: Any, word: Any) -> Any:
    """A word in all lanes."""
    one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), _indices([0] * _LANES))


def _load(builder: Any, kind: Any, data: Any, at: Any) -> Any:
    """A vector of the words from index `at` on; `at` need not be a multiple of its length."""
    load = builder.load(builder.bitcast(builder.gep(data, [at]), kind.as_pointer()))
    load.align = 8
    return load


@_instruction
def lowest(context: Any, word: Any) -> Any:
    """The position of the lowest bit that is set; the word must not be 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@_instruction
def ones(context: Any, word: Any) -> Any:
    """The number of bits that are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@_instruction
def write_unions(context: Any, unions: Any, at: Any, sets: Any, first: Any) -> Any:
    """Write the unions of all subsets of six sets; the sets take two words each, from ``sets[first]`` on.

    The union for subset c (as bits) is written to ``unions[at + 2 * c]`` and the next word.
    """
    signature = types.void(unions, types.uint64, sets, types.uint64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        to, sets = (_place(context, builder, signature, arguments, i) for i in (0, 2))
        member = []
        for k in range(6):
            pair = _load(builder, _PAIR, sets, builder.add(arguments[3], _number(2 * k)))
            member.append(builder.shuffle_vector(pair, pair, _indices([0, 1] * (_LANES // 2))))
        row = ir.Constant(_VECTOR, [0] * _LANES)
        for k in range(2):
            among = ir.Constant(_VECTOR, [-(lane >> k + 1 & 1) for lane in range(_LANES)])
            row = builder.or_(row, builder.and_(member[k], among))
        rows = [row]
        for k in range(2, 6):
            rows += [builder.or_(row, member[k]) for row in rows]
        for k, row in enumerate(rows):
            place = builder.gep(to, [builder.add(arguments[1], _number(_LANES * k))])
            builder.store(row, builder.bitcast(place, _VECTOR.as_pointer())).align = 8
        return context.get_dummy_value()

    return signature, generate


@_instruction
def union_of_groups(context: Any, unions: Any, word: Any, groups: Any) -> Any:
    """The union of what `write_unions` has written, 128 words for each six bits, for the lowest bits of `word`.

    `groups` is the number of sixes of bits, at least `FEWEST_GROUPS` and at most 11.
    """
    signature = types.UniTuple(types.uint64, 2)(unions, types.uint64, types.uint64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = _place(context, builder, signature, arguments, 0)
        met = alloca_once_value(builder, ir.Constant(_PAIR, [0, 0]))

        def add(group: int) -> None:
            bits = builder.and_(builder.lshr(arguments[1], _number(6 * group)), _number(63))
            at = builder.add(builder.shl(bits, _number(1)), _number(128 * group))
            builder.store(builder.or_(builder.load(met), _load(builder, _PAIR, data, at)), met)

        for group in range(FEWEST_GROUPS):
            add(group)
        for group in range(FEWEST_GROUPS, 11):
            with builder.if_then(builder.icmp_unsigned(">", arguments[2], _number(group)), likely=True):
                add(group)
        found = builder.load(met)
        words = [builder.extract_element(found, ir.Constant(ir.IntType(32), i)) for i in (0, 1)]
        return context.make_tuple(builder, signature.return_type, words)

    return signature, generate


@_instruction
def which(context: Any, words: Any, first: Any, lower: Any, upper: Any, split: Any) -> Any:
    """The lanes, as bits, whose ``words[first + lane]`` meets `lower`, or from lane `split` on `upper`."""
    signature = types.uint64(words, types.uint64, types.uint64, types.uint64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        eight = _load(builder, _VECTOR, _place(context, builder, signature, arguments, 0), arguments[1])
        lower, upper, split = (_spread(builder, argument) for argument in arguments[2:])
        lane = ir.Constant(_VECTOR, list(range(_LANES)))
        word = builder.select(builder.icmp_signed(">=", lane, split), upper, lower)
        some = builder.icmp_unsigned("!=", builder.and_(eight, word), ir.Constant(_VECTOR, [0] * _LANES))
        return builder.zext(builder.bitcast(some, ir.IntType(_LANES)), _WORD)

    return signature, generate


def _union_count(context: Any, builder: Any, signature: Any, arguments: Any, target: bool) -> Any:
    """The loop of `count_union` and `write_union`: the bits set in either of two runs of words, eight at a time."""
    *places, blocks = arguments
    data = [_place(context, builder, signature, arguments, i) for i in range(0, len(places), 2)]
    total = alloca_once_value(builder, ir.Constant(_VECTOR, [0] * _LANES))
    name = f"llvm.ctpop.v{_LANES}i64"
    count = builder.module.globals.get(name) or ir.Function(builder.module, ir.FunctionType(_VECTOR, [_VECTOR]), name)
    with for_range(builder, blocks) as loop:
        step = builder.mul(loop.index, _number(_LANES))
        at = [builder.add(places[2 * i + 1], step) for i in range(len(data))]
        both = builder.or_(*(_load(builder, _VECTOR, data[i], at[i]) for i in (-2, -1)))
        if target:
            place = builder.bitcast(builder.gep(data[0], [at[0]]), _VECTOR.as_pointer())
            builder.store(both, place).align = 8
        builder.store(builder.add(builder.load(total), builder.call(count, [both])), total)
    lanes = builder.load(total)
    number = _number(0)
    for lane in range(_LANES):
        number = builder.add(number, builder.extract_element(lanes, ir.Constant(ir.IntType(32), lane)))
    return number


@_instruction
def count_union(context: Any, first: Any, at: Any, second: Any, place: Any, blocks: Any) -> Any:
    """The number of bits set in either of ``first[at:]`` and ``second[place:]``, for `blocks` times eight words."""
    signature = types.uint64(first, types.uint64, second, types.uint64, types.uint64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _union_count(context, builder, signature, arguments, target=False)

    return signature, generate


@_instruction
def write_union(context: Any, target: Any, to: Any, first: Any, at: Any, second: Any, place: Any, blocks: Any) -> Any:
    """Write the union that `count_union` counts to ``target[to:]``, and return the number of its bits."""
    signature = types.uint64(target, types.uint64, first, types.uint64, second, types.uint64, types.uint64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _union_count(context, builder, signature, arguments, target=True)

    return signature, generate


@_instruction
def prefetch(context: Any, words: Any, at: Any) -> Any:
    """Ask memory for a word that will be read soon."""
    signature = types.void(words, types.uint64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        data = _place(context, builder, signature, arguments, 0)
        place = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
        ask = builder.module.globals.get("llvm.prefetch") or ir.Function(builder.module, kind, "llvm.prefetch")
        builder.call(ask, [place, ir.Constant(flag, 0), ir.Constant(flag, 3), ir.Constant(flag, 1)])
        return context.get_dummy_value()

    return signature, generate


@_instruction
def shared_word(context: Any, words: Any, at: Any) -> Any:
    """A word that another thread may be writing; what is read after it is not older than it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.gep(_place(context, builder, signature, arguments, 0), [arguments[1]])
        return builder.load_atomic(place, "acquire", 8)

    return types.uint64(words, types.uint64), generate


@_instruction
def share_word(context: Any, words: Any, at: Any, word: Any) -> Any:
    """Write a word that another thread may be reading; who reads it finds all that was written before."""
    signature = types.void(words, types.uint64, types.uint64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.gep(_place(context, builder, signature, arguments, 0), [arguments[1]])
        builder.store_atomic(arguments[2], place, "release", 8)
        return context.get_dummy_value()

    return signature, generate


@_instruction
def replace_word(context: Any, words: Any, at: Any, old: Any, new: Any) -> Any:
    """Replace a word unless another thread has changed it from `old`; whether it was replaced."""
    signature = types.boolean(words, types.uint64, types.uint64, types.uint64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.gep(_place(context, builder, signature, arguments, 0), [arguments[1]])
        done = builder.cmpxchg(place, arguments[2], arguments[3], "acq_rel", "acquire")
        return builder.extract_value(done, 1)

    return signature, generate
