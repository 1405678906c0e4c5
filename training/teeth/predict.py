"""One film through the network as the product's worker does it: the same frame, the same shades, the same decoding."""
import math

import numpy as np
import torch

from decode import find_teeth, number_teeth
from export import Finder, load_network
from films import HEIGHT, WIDTH


def load_finder(weights):
    return Finder(load_network(weights)).eval()


def read_film(path):
    """Grey values as they are, dense matter bright. Needs Pillow."""
    from PIL import Image

    image = Image.open(path)
    # Grey values of 16 bits are of the mode I, which a conversion to 8 bits would cut off at 255.
    return np.asarray(image if image.mode[0] in "IF" else image.convert("L"), np.float32)


def fit(image):
    """The film in the network's frame, with the way back to its own pixels."""
    frame, back = place_in_frame(image, WIDTH, HEIGHT)
    return torch.from_numpy(frame), back


def place_in_frame(image, width, height):
    """A film with its proportions in the middle of a frame, from 0 to 1 (`createInputTensor` with `fit: "contain"`)."""
    rows, columns = image.shape
    scale = min(width / columns, height / rows)
    wide, high = half_up(columns * scale), half_up(rows * scale)
    small = average(average(image, wide, 1), high, 0)
    low, top_shade = np.percentile(small, (1, 99))
    frame = np.zeros((height, width), np.float32)
    top, left = (height - high) // 2, (width - wide) // 2
    frame[top : top + high, left : left + wide] = np.clip((small - low) / ((top_shade - low) or 1), 0, 1)
    return frame, (columns / wide, rows / high, left, top)


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


def predict(finder, image, conditions, number=number_teeth):
    """The teeth of a film, with boxes in its own pixels, numbers, and the name of the condition."""
    frame, (across, down, left, top) = fit(image)
    with torch.no_grad():
        classes, states, edges = (one[0].numpy() for one in finder(frame[None, None]))
    teeth = number(find_teeth(classes, edges, states))
    for tooth in teeth:
        tooth["box"] = (tooth["box"] - np.array([left, top, left, top])) * np.array([across, down, across, down])
        tooth["condition"] = conditions[int(np.argmax(tooth["states"]))]
    return teeth


def certainty(teeth):
    """How surely an image shows teeth in a plausible order: below a limit, the pack abstains from all of it."""
    return sum(t["sure"] * t["confidence"] for t in teeth) / len(teeth) if teeth else 0.0
