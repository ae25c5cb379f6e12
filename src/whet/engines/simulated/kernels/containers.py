"""Tasks about lists and caches."""

from whet.engines.simulated.kernels.kernel import Kernel, cues

FLATTEN = Kernel(
    name="flatten",
    cues=cues(r"\bflatten\w*|nested lists?|展平|扁平化|拍平|嵌套列表"),
    doc=(
        "Return the items of a nested list as one flat list, in order.",
        "把嵌套列表按原有顺序展开为一层。",
    ),
    efficient="""\
def flatten(nested‹: list[object]›)‹ -> list[object]›:
    <doc>
    <errors>
    <guards>
    <asked>
    flat‹: list[object]› = []
    waiting = [iter(nested)]
    while waiting:
        for item in waiting[-1]:
            if isinstance(item, list):
                waiting.append(iter(item))
                break
            flat.append(item)
        else:
            waiting.pop()
    return flat
""",
    naive="""\
def flatten(nested‹: list[object]›)‹ -> list[object]›:
    <doc>
    <errors>
    <guards>
    <asked>
    flat = []
    for item in nested:
        if isinstance(item, list):
            flat = flat + flatten(item)
        else:
            flat = flat + [item]
    return flat
""",
    guards="""\
if nested is None:
    raise ValueError("nested must be a list")
if not nested:
    return []
""",
    errors="""\
try:
    nested = list(nested)
except TypeError as error:
    raise TypeError(f"nested must be a list: {error}") from error
""",
    asked="""\
if isinstance(nested, (str, bytes)):
    return [nested]
""",
    smoke=("assert flatten([1, [2, [3, []]], 4]) == [1, 2, 3, 4]",),
    names={"nested": "x", "flat": "res", "waiting": "st", "item": "i"},
)

LRU_CACHE = Kernel(
    name="LRUCache",
    cues=cues(r"\bLRU\b|least recently used|最近最少使用|缓存"),
    doc=(
        "A cache that drops the entry that was not used for the longest time.",
        "容量有限的缓存，装满后淘汰最久未使用的条目。",
    ),
    imports="from collections import OrderedDict\n",
    efficient="""\
class LRUCache:
    <doc>

    def __init__(self, capacity‹: int›)‹ -> None›:
        <errors>
        <guards>
        self.capacity = capacity
        self.entries‹: OrderedDict[str, object]› = OrderedDict()

    def put(self, key‹: str›, value‹: object›)‹ -> None›:
        self.entries[key] = value
        self.entries.move_to_end(key)
        if len(self.entries) > self.capacity:
            self.entries.popitem(last=False)

    def get(self, key‹: str›, default‹: object› = None)‹ -> object›:
        <asked>
        value = self.entries.get(key, default)
        return value
""",
    naive="""\
class LRUCache:
    <doc>

    def __init__(self, capacity‹: int›)‹ -> None›:
        <errors>
        <guards>
        self.capacity = capacity
        self.entries = OrderedDict()

    def put(self, key‹: str›, value‹: object›)‹ -> None›:
        remaining = OrderedDict()
        for known in self.entries:
            for other in self.entries:
                if known == other and known != key:
                    remaining[known] = self.entries[known]
        remaining[key] = value
        while len(remaining) > self.capacity:
            remaining.popitem(last=False)
        self.entries = remaining

    def get(self, key‹: str›, default‹: object› = None)‹ -> object›:
        <asked>
        value = self.entries.get(key, default)
        return value
""",
    guards="""\
if capacity < 1:
    raise ValueError(f"capacity must be at least 1, got {capacity}")
""",
    errors="""\
try:
    capacity = int(capacity)
except (TypeError, ValueError) as error:
    raise TypeError(f"capacity must be a whole number, got {capacity!r}") from error
""",
    asked="""\
if key in self.entries:
    self.entries.move_to_end(key)
""",
    smoke=(
        "cache = LRUCache(1)",
        'cache.put("a", 1)',
        'cache.put("b", 2)',
        'assert cache.get("a") is None',
        'assert cache.get("b") == 2',
    ),
    names={
        "capacity": "n",
        "key": "k",
        "value": "v",
        "default": "d",
        "remaining": "r",
        "known": "x",
        "other": "y",
    },
)
