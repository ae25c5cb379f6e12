"""Kinds of columns that are the same in every database."""

from sqlalchemy import BigInteger, Integer, String

Word = String().with_variant(String(collation="C"), "postgresql")
"""Text that is compared and sorted by its bytes, whatever language the server speaks."""

Count = Integer().with_variant(BigInteger(), "postgresql")
"""A whole number of 64 bits, as SQLite has them."""
