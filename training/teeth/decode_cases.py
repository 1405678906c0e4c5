"""Writes `decode-cases.json`: drawn votes, and the teeth that `decode.py` finds in them. The product's test draws the same
votes by the same formula and must find the same teeth. Run it after each change of `decode.py`."""
import json
import os
import random
import sys

import numpy as np

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from decode import LOWER, LOWER_DECIDUOUS, UPPER, UPPER_DECIDUOUS, find_teeth, number_teeth, positions, width_of
from films import CLASS_OF, NUMBERS, STRIDE

ROWS, COLUMNS = 64, 128
HERE = os.path.dirname(os.path.abspath(__file__))


def draw_votes(teeth):
    """An ellipse of cells for each tooth; the one whose middle is nearest, relative to its size, has the cell."""
    classes = np.zeros((1 + len(NUMBERS), ROWS, COLUMNS), np.float32)
    classes[0] = 1
    edges = np.zeros((4, ROWS, COLUMNS), np.float32)
    nearest = np.full((ROWS, COLUMNS), 1.0)
    for tooth in teeth:
        left, top, right, bottom = tooth["box"]
        for row in range(ROWS):
            for column in range(COLUMNS):
                x, y = (column + 0.5) * STRIDE, (row + 0.5) * STRIDE
                far = ((2 * x - left - right) / (right - left)) ** 2 + ((2 * y - top - bottom) / (bottom - top)) ** 2
                if far >= nearest[row, column]:
                    continue
                nearest[row, column] = far
                chance = tooth["strength"] * (1 - 0.5 * far)
                classes[:, row, column] = 0
                classes[0, row, column] = 1 - chance
                for fdi, share in tooth["shares"]:
                    classes[CLASS_OF[fdi], row, column] = chance * share
                wobble = ((row * 7 + column * 3) % 5 - 2) * 0.6
                edges[:, row, column] = x - left + wobble, y - top + 2 * wobble, right - x + wobble, bottom - y + wobble
    return classes, edges


def draw_row(r, row, y, missing):
    """A row of teeth with the given share missing; some votes go to a neighbour's number."""
    full = positions(row)
    scale, start = r.uniform(3.0, 3.4), 256 - full[-1] * 1.6
    teeth = []
    for place, fdi in enumerate(row):
        if r.random() < missing:
            continue
        x, half = start + full[place] * scale + r.uniform(-2, 2), width_of(fdi) * scale / 2 * r.uniform(0.85, 1.0)
        high = r.uniform(28, 38)
        other = row[min(len(row) - 1, max(0, place + r.choice((-1, 1))))]
        lost = r.choice((0.0, 0.1, 0.3, 0.6))
        shares = [[fdi, round(1 - lost, 2)]] + ([[other, round(lost, 2)]] if lost and other != fdi else [])
        box = [round(v, 1) for v in (x - half, y - high, x + half, y + high)]
        teeth.append({"box": box, "strength": round(r.uniform(0.6, 0.99), 2), "shares": shares})
    return teeth


def cases():
    yield "nothing", []
    for at, missing in enumerate((0.0, 0.1, 0.3, 0.6)):
        r = random.Random(at)
        yield f"{round(100 * missing)} % missing", draw_row(r, UPPER, 90, missing) + draw_row(r, LOWER, 165, missing)
    r = random.Random(9)
    mixed = draw_row(r, UPPER, 70, 0.5) + draw_row(r, UPPER_DECIDUOUS, 135, 0.2) + draw_row(r, LOWER_DECIDUOUS, 205, 0.2)
    yield "mixed dentition", mixed
    r = random.Random(11)
    yield "more teeth than places", draw_row(r, UPPER, 90, 0.0) + [
        {"box": [x, 70, x + 11, 110], "strength": 0.95, "shares": [[18, 1.0]]} for x in (18, 33, 48)
    ]


def main():
    out = []
    for name, teeth in cases():
        found = number_teeth(find_teeth(*draw_votes(teeth), np.ones((1, ROWS, COLUMNS), np.float32)))
        found.sort(key=lambda t: (t["fdi"], t["box"][0]))
        kept = [{"fdi": t["fdi"], "confidence": round(t["confidence"], 4), "box": [round(float(v), 2) for v in t["box"]]} for t in found]
        out.append({"name": name, "teeth": teeth, "found": kept})
        print(name, len(teeth), "drawn", len(found), "found")
    lines = ",\n".join(json.dumps(case) for case in out)
    with open(os.path.join(HERE, "decode-cases.json"), "w") as file:
        file.write(f'{{ "rows": {ROWS}, "columns": {COLUMNS}, "stride": {STRIDE}, "numbers": {json.dumps(NUMBERS)}, "cases": [\n{lines}\n] }}\n')


if __name__ == "__main__":
    main()
