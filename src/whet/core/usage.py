"""What an agent consumed."""

from whet.core.value import Value


class Usage(Value):
    """Tokens and money of one execution; ``cost_usd`` is None when nobody knows it. No tokens at
    all mean that the engine reports none: no model answers without."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float | None = None

    def __add__(self, other: "Usage") -> "Usage":
        costs = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cache_read_tokens=self.cache_read_tokens + other.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
            cost_usd=sum(costs) if costs else None,
        )

    def known(self, count: int) -> int | None:
        """A count of tokens for people and documents: None, not 0, where none were reported."""
        return count if self.total_tokens else None

    @property
    def total_tokens(self) -> int:
        """Every token that passed, cached or not."""
        return (
            self.input_tokens
            + self.output_tokens
            + self.cache_read_tokens
            + self.cache_write_tokens
        )
