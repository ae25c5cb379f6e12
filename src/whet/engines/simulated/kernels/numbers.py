"""Tasks about numbers and their order."""

from whet.engines.simulated.kernels.kernel import Kernel, cues

FIBONACCI = Kernel(
    name="fibonacci",
    cues=cues(r"fibonacci|斐波那契|斐波拉契"),
    doc=(
        "Return the Fibonacci number at a position, counting from 0.",
        "返回斐波那契数列指定位置的数，位置从 0 开始。",
    ),
    efficient="""\
def fibonacci(position‹: int›)‹ -> int›:
    <doc>
    <errors>
    <guards>
    <asked>
    previous, current = 0, 1
    for _ in range(position):
        previous, current = current, previous + current
    return previous
""",
    naive="""\
def fibonacci(position‹: int›)‹ -> int›:
    <doc>
    <errors>
    <guards>
    <asked>
    if position <= 1:
        return position
    return fibonacci(position - 1) + fibonacci(position - 2)
""",
    guards="""\
if position < 0:
    raise ValueError(f"position must not be negative, got {position}")
""",
    errors="""\
try:
    position = int(position)
except (TypeError, ValueError) as error:
    raise TypeError(f"position must be a whole number, got {position!r}") from error
""",
    asked="""\
if position in (0, 1):
    return position
""",
    smoke=("assert fibonacci(1) == 1", "assert fibonacci(10) == 55"),
    names={"position": "n", "previous": "a", "current": "b"},
)

PRIMES = Kernel(
    name="primes_up_to",
    cues=cues(r"\bprimes?\b|质数|素数"),
    doc=(
        "Return all primes up to a limit, smallest first.",
        "返回不超过上限的所有质数，从小到大。",
    ),
    efficient="""\
def primes_up_to(limit‹: int›)‹ -> list[int]›:
    <doc>
    <errors>
    <guards>
    <asked>
    candidates = [True] * (limit + 1)
    for number in range(2, int(limit**0.5) + 1):
        if candidates[number]:
            multiples = range(number * number, limit + 1, number)
            candidates[number * number :: number] = [False] * len(multiples)
    return [number for number in range(2, limit + 1) if candidates[number]]
""",
    naive="""\
def primes_up_to(limit‹: int›)‹ -> list[int]›:
    <doc>
    <errors>
    <guards>
    <asked>
    candidates = []
    for number in range(2, limit + 1):
        divisors = 0
        for divisor in range(1, number + 1):
            if number % divisor == 0:
                divisors += 1
        if divisors == 2:
            candidates.append(number)
    return candidates
""",
    guards="""\
if limit < 0:
    raise ValueError(f"limit must not be negative, got {limit}")
""",
    errors="""\
try:
    limit = int(limit)
except (TypeError, ValueError) as error:
    raise TypeError(f"limit must be a whole number, got {limit!r}") from error
""",
    asked="""\
if limit < 2:
    return []
""",
    smoke=("assert primes_up_to(10) == [2, 3, 5, 7]", "assert primes_up_to(2) == [2]"),
    names={
        "limit": "n",
        "candidates": "l",
        "number": "i",
        "multiples": "m",
        "divisors": "c",
        "divisor": "j",
    },
)

SORT = Kernel(
    name="sort_values",
    cues=cues(r"\bsort(?:s|ed|ing)?\b|排序"),
    doc=(
        "Return the values in ascending order; the input stays as it is.",
        "返回升序排列的新列表，不改动传入的数据。",
    ),
    efficient="""\
def sort_values(values‹: list[int | None]›)‹ -> list[int]›:
    <doc>
    <guards>
    <asked>
    <try>
    ordered = sorted(values)
    <except>
    return ordered
""",
    naive="""\
def sort_values(values‹: list[int | None]›)‹ -> list[int]›:
    <doc>
    <guards>
    <asked>
    <try>
    ordered = list(values)
    for start in range(len(ordered)):
        for index in range(len(ordered) - 1 - start):
            if ordered[index] > ordered[index + 1]:
                ordered[index], ordered[index + 1] = ordered[index + 1], ordered[index]
    <except>
    return ordered
""",
    guards="""\
if values is None:
    raise ValueError("values must be a list")
if not values:
    return []
""",
    errors="""\
except TypeError as error:
    raise TypeError(f"values cannot be compared with each other: {error}") from error
""",
    asked="""\
values = [value for value in values if value is not None]
""",
    smoke=("assert sort_values([3, 1, 2, 1]) == [1, 1, 2, 3]",),
    names={"values": "x", "value": "v", "ordered": "res", "start": "i", "index": "j"},
)

BINARY_SEARCH = Kernel(
    name="binary_search",
    cues=cues(r"binary[- ]search|二分(?:查找|搜索|法)|折半查找"),
    doc=(
        "Return the index of a target in a sorted list, or -1 if it is not there.",
        "返回目标值在有序列表中的下标，找不到时返回 -1。",
    ),
    efficient="""\
def binary_search(values‹: list[int]›, target‹: int›)‹ -> int›:
    <doc>
    <guards>
    <asked>
    lower, upper = 0, len(values) - 1
    <try>
    while lower < upper:
        middle = (lower + upper) // 2
        if values[middle] < target:
            lower = middle + 1
        else:
            upper = middle
    <except>
    return lower if values and values[lower] == target else -1
""",
    naive="""\
def binary_search(values‹: list[int]›, target‹: int›, offset‹: int› = 0)‹ -> int›:
    <doc>
    <guards>
    <asked>
    if not values:
        return -1
    middle = len(values) // 2
    <try>
    if values[middle] > target:
        return binary_search(values[:middle], target, offset)
    if values[middle] < target:
        return binary_search(values[middle + 1 :], target, offset + middle + 1)
    <except>
    return offset + middle
""",
    guards="""\
if values is None:
    raise ValueError("values must be a sorted list")
""",
    errors="""\
except TypeError as error:
    raise TypeError(f"target cannot be compared with the values: {error}") from error
""",
    asked="""\
if not values or target < values[0] or target > values[-1]:
    return -1
""",
    smoke=(
        "assert binary_search([1, 3, 5, 7], 5) == 2",
        "assert binary_search([1, 3, 5, 7], 4) == -1",
    ),
    names={
        "values": "x",
        "target": "t",
        "lower": "a",
        "upper": "b",
        "middle": "m",
        "offset": "o",
    },
)

MERGE_INTERVALS = Kernel(
    name="merge_intervals",
    cues=cues(
        r"(?:merg|overlap)\w* (?:\w+ ){0,3}intervals?|intervals? (?:\w+ ){0,3}(?:merg|overlap)|区间"
    ),
    doc=(
        "Join intervals that overlap or touch and return them in order.",
        "合并重叠或相接的区间，按起点排序返回。",
    ),
    efficient="""\
def merge_intervals(intervals‹: list[tuple[int, int]]›)‹ -> list[tuple[int, int]]›:
    <doc>
    <guards>
    <asked>
    merged‹: list[tuple[int, int]]› = []
    <try>
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    <except>
    return merged
""",
    naive="""\
def merge_intervals(intervals‹: list[tuple[int, int]]›)‹ -> list[tuple[int, int]]›:
    <doc>
    <guards>
    <asked>
    merged = [tuple(interval) for interval in intervals]
    <try>
    for _ in range(len(merged)):
        for left in list(merged):
            for right in list(merged):
                if left is not right and left in merged and right in merged:
                    if left[0] <= right[1] and right[0] <= left[1]:
                        merged.remove(left)
                        merged.remove(right)
                        merged.append((min(left[0], right[0]), max(left[1], right[1])))
    merged = sorted(merged)
    <except>
    return merged
""",
    guards="""\
if intervals is None:
    raise ValueError("intervals must be a list of pairs")
if not intervals:
    return []
""",
    errors="""\
except (TypeError, ValueError) as error:
    raise ValueError(f"each interval needs a start and an end: {error}") from error
""",
    asked="""\
intervals = [(min(pair), max(pair)) for pair in intervals]
""",
    smoke=("assert merge_intervals([(5, 8), (1, 3), (2, 4)]) == [(1, 4), (5, 8)]",),
    names={
        "intervals": "x",
        "interval": "p",
        "merged": "res",
        "start": "s",
        "end": "e",
        "pair": "p",
        "left": "a",
        "right": "b",
    },
)
