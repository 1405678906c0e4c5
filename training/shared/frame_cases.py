"""Writes `frame-cases.json`: drawn films, and some pixels of the frames in which `frame.py` puts them. The product's test
draws the same films by the same formula and must make the same frames. Run it after each change of `frame.py`."""
import json
import os
import sys

import numpy as np

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from shared.frame import place_in_frame

# Columns and rows of the film and of the frame, and the largest grey value.
CASES = {
    "a film wider than its frame": (61, 29, 24, 20, 255),
    "a film higher than its frame, of 16 bits": (29, 61, 24, 20, 65_535),
    "a size that lies between two pixels": (32, 25, 16, 16, 255),
    "a film smaller than its frame": (9, 7, 32, 32, 255),
    "a film of one row": (400, 1, 16, 16, 255),
    "a frame of more pixels than are sorted": (233, 144, 96, 96, 255),
    "one shade": (20, 10, 16, 16, 0),
}
# So many pixels of a frame are kept at most.
KEPT = 400


def draw_film(columns, rows, most):
    """A few shades that rise over the film, with a pattern that no scaling leaves alone."""
    ys, xs = np.mgrid[0:rows, 0:columns].astype(np.int64)
    return (((xs * xs + 3 * ys * ys + xs * ys) % 251 + 2 * xs) % 1021 * most // 1021).astype(np.float32)


def main():
    out = []
    for name, (columns, rows, width, height, most) in CASES.items():
        frame, place = place_in_frame(draw_film(columns, rows, most), width, height)
        every = -(-frame.size // KEPT)
        # An uneven step, so that pixels of all columns are kept.
        every += every > 1 and every % 2 == 0
        pixels = [round(float(value), 4) for value in frame.ravel()[::every]]
        back = [round(float(value), 4) for value in place.to_film([0, 0, width, height])]
        out.append({"name": name, "film": [columns, rows], "frame": [width, height], "most": most, "every": every, "pixels": pixels, "inFilm": back})
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "frame-cases.json")
    with open(path, "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(case) for case in out) + "\n]\n")


if __name__ == "__main__":
    main()
