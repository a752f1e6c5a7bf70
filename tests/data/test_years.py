"""Years as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outflank.data import describe_years, parse_years
from outflank.errors import DataError

years = st.integers(1977, 9999)


@given(years, years)
def test_a_range_has_both_its_ends(a: int, b: int) -> None:
    first, last = min(a, b), max(a, b)
    parsed = parse_years(f"{first}-{last}")
    assert (parsed[0], parsed[-1], len(parsed)) == (first, last, last - first + 1)


@given(years)
def test_one_year_is_a_range_of_itself(year: int) -> None:
    assert list(parse_years(str(year))) == [year]


@given(years)
def test_without_a_first_year_a_range_begins_in_1977(year: int) -> None:
    assert parse_years(f"-{year}") == parse_years(f"1977-{year}")


@pytest.mark.parametrize("text", [" 1977 - 2015 ", "1977–2015", "1977-2015\n"])
def test_spaces_and_the_printed_dash_are_taken(text: str) -> None:
    assert parse_years(text) == range(1977, 2016)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("abc", "years 'abc': accepted are 2004, 1977-2015 and -2000"),
        ("", "years '': accepted are 2004, 1977-2015 and -2000"),
        ("77-99", "years '77-99': accepted are 2004, 1977-2015 and -2000"),
        ("٢٠٠٤", "years '٢٠٠٤': accepted are 2004, 1977-2015 and -2000"),
        ("1950-1960", "years 1950-1960: the WThor database begins in 1977"),
        ("2010-2005", "years 2010-2005: the first year is after the last"),
    ],
)
def test_what_is_wrong_is_named(text: str, problem: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_years(text)
    assert str(caught.value) == problem


@given(st.text())
def test_any_text_is_a_range_or_an_error_for_people(text: str) -> None:
    try:
        parsed = parse_years(text)
    except DataError:
        return
    assert parsed[0] >= 1977


@given(st.sets(years))
def test_described_years_are_read_back(wanted: set[int]) -> None:
    parts = describe_years(wanted).split(", ") if wanted else []
    assert {year for part in parts for year in parse_years(part)} == wanted


def test_years_in_succession_are_described_as_a_range() -> None:
    assert describe_years([2004, 1977, 1979, 1978]) == "1977-1979, 2004"
