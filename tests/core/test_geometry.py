"""Matrices: turned upside down, one after the other, and boxes that they place."""

from __future__ import annotations

import pytest

from cardgen.core.geometry import IDENTITY, Box, Matrix

MATRIX = Matrix(1.1, 0.2, 0.3, 0.9, 5, 7)
POINTS = ((0.0, 0.0), (30.0, 0.0), (0.0, 50.0), (70.0, 90.0))


@pytest.mark.parametrize(("x", "y"), POINTS)
def test_a_correction_is_turned_upside_down_with_the_page(x: float, y: float) -> None:
    """A point that moves down and right on the page does so in the PDF, where y runs upwards."""
    height = 200.0
    across, down = MATRIX.map(x, y)
    assert MATRIX.flip(height).map(x, height - y) == pytest.approx((across, height - down))


@pytest.mark.parametrize(("x", "y"), POINTS)
def test_one_matrix_after_the_other(x: float, y: float) -> None:
    after = Matrix(0, 1, -1, 0, 3, 4)
    assert MATRIX.then(after).map(x, y) == pytest.approx(after.map(*MATRIX.map(x, y)))
    assert MATRIX.then(IDENTITY) == MATRIX


def test_a_box_that_is_turned() -> None:
    assert Matrix(0, 1, -1, 0, 0, 0).place(Box(1, 2, 4, 8)) == (-8, 1, -2, 4)
    assert Matrix(-2, 0, 0, 1, 0, 5).place(Box(1, 2, 4, 8)) == (-8, 7, -2, 13)
