"""A film in a network's frame as the product scales it (`createInputTensor` with `fit: "contain"` and `gray-unit`), so that
what is measured in training is what the product gives. `frame_cases.py` writes cases that hold both to each other."""
import math

import numpy as np

# The product sorts up to so many values, and counts more of them in so many bins, at most so many values of them.
MOST_SORTED, BINS, MOST_COUNTED = 4096, 16_384, 1_000_000


class Place:
    """The place of a film in a frame: in the middle, with its own proportions."""

    def __init__(self, columns, rows, width, height):
        scale = min(width / columns, height / rows)
        self.wide = min(width, max(1, half_up(columns * scale)))
        self.high = min(height, max(1, half_up(rows * scale)))
        self.corner = np.array([(width - self.wide) // 2, (height - self.high) // 2])
        self.step = np.array([columns / self.wide, rows / self.high])

    def to_film(self, points):
        """Points or boxes of the frame, x before y, in pixels of the film."""
        points = np.asarray(points)
        return ((points.reshape(-1, 2) - self.corner) * self.step).reshape(points.shape)

    def to_frame(self, points):
        """The other way round."""
        points = np.asarray(points)
        return (points.reshape(-1, 2) / self.step + self.corner).reshape(points.shape)


def place_in_frame(image, width, height):
    """A film `[row][column]` of any grey values in a frame `[height][width]`, from 0 to 1 between the darkest and the
    brightest hundredth, on black; and its place there."""
    rows, columns = image.shape
    place = Place(columns, rows, width, height)
    small = average(average(image, place.wide, 1), place.high, 0)
    low, high = percentiles(small, (0.01, 0.99))
    left, top = place.corner
    frame = np.zeros((height, width), np.float32)
    frame[top : top + place.high, left : left + place.wide] = np.clip((small - low) / ((high - low) or 1.0), 0, 1)
    return frame, place


def half_up(value):
    return math.floor(value + 0.5)


def average(image, count, axis):
    """Means over the ranges of source pixels that touch each of `count` new ones, as `resampleByMean` has them."""
    length = image.shape[axis]
    step = length / count
    first = np.minimum(length - 1, np.floor(np.arange(count) * step)).astype(int)
    last = np.minimum(length - 1, np.maximum(first, np.ceil((np.arange(count) + 1) * step).astype(int) - 1))
    sums = np.concatenate([np.zeros_like(np.take(image, [0], axis), np.float64), np.cumsum(image, axis, dtype=np.float64)], axis)
    shape = [1, 1]
    shape[axis] = count
    return ((np.take(sums, last + 1, axis) - np.take(sums, first, axis)) / (last - first + 1).reshape(shape)).astype(np.float32)


def percentiles(image, shares):
    """The values below which these shares of all are, by the product's rule for few and for many values."""
    values = image.ravel().astype(np.float64)
    if len(values) <= MOST_SORTED:
        ordered = np.sort(values)
        return [float(ordered[half_up(share * (len(values) - 1))]) for share in shares]
    low, span = values.min(), float(np.ptp(values)) or 1.0
    counted = values[:: math.ceil(len(values) / MOST_COUNTED)]
    below = np.cumsum(np.bincount(((counted - low) * (BINS / span)).astype(int), minlength=BINS + 1)[:BINS])
    # As many whole bins as lie below the rank.
    return [float(low + np.searchsorted(below, share * (len(counted) - 1), side="right") * span / BINS) for share in shares]
