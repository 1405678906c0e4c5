"""Writes `film-cases.json`: drawn answers of a model, and the teeth and the view that `decode_film.py` finds in them. The
product's test draws the same answers by the same formula and must find the same. Run it after each change of
`decode_film.py`."""
import json
import os
import random
import sys

import numpy as np

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from decode_film import find_teeth, name_of, read_view
from intraoral_films import CELLS, KINDS, REGIONS, SIZE, STRIDE


def draw_answer(teeth):
    """An ellipse of cells for each tooth; the one whose middle is nearest, relative to its size, has the cell."""
    kinds = np.zeros((1 + len(KINDS), CELLS, CELLS), np.float32)
    kinds[0] = 1
    conditions = np.zeros((2, CELLS, CELLS), np.float32)
    edges = np.zeros((4, CELLS, CELLS), np.float32)
    nearest = np.ones((CELLS, CELLS))
    for tooth in teeth:
        left, top, right, bottom = tooth["box"]
        for row in range(CELLS):
            for column in range(CELLS):
                x, y = (column + 0.5) * STRIDE, (row + 0.5) * STRIDE
                far = ((2 * x - left - right) / (right - left)) ** 2 + ((2 * y - top - bottom) / (bottom - top)) ** 2
                if far >= nearest[row, column]:
                    continue
                nearest[row, column] = far
                chance = tooth["strength"] * (1 - 0.4 * far)
                kinds[:, row, column] = 0
                kinds[0, row, column] = 1 - chance
                kinds[1 + tooth["kind"], row, column] = chance * 0.8
                kinds[1 + (tooth["kind"] + 1) % len(KINDS), row, column] = chance * 0.2
                conditions[:, row, column] = tooth["conditions"]
                wobble = ((row * 7 + column * 3) % 5 - 2) * 0.8
                edges[:, row, column] = x - left + wobble, y - top + wobble, right - x + wobble, bottom - y + wobble
    return kinds, conditions, edges


def row_of_teeth(r, upright, middle):
    teeth, at = [], r.uniform(-12, 6)
    while at < SIZE - 20:
        wide, high = r.uniform(26, 52), r.uniform(70, 110)
        across = [max(0, at), min(SIZE, at + wide)]
        along = [max(0, middle - high / 2), min(SIZE, middle + high / 2)]
        box = [across[0], along[0], across[1], along[1]] if upright else [along[0], across[0], along[1], across[1]]
        teeth.append(
            {
                "box": [round(v, 1) for v in box],
                "strength": round(r.uniform(0.6, 0.99), 2),
                "kind": r.randrange(len(KINDS)),
                "conditions": [r.choice((0.05, 0.9)), r.choice((0.02, 0.02, 0.85))],
            }
        )
        at += wide + r.uniform(1, 6)
    return teeth


def cases():
    sure = [0.002] * 12
    yield "nothing", [], sure
    for at, upright in enumerate((True, False)):
        r = random.Random(at)
        view = list(sure)
        view[5 * at + 1] = 0.978
        yield ("upright" if upright else "on its side"), row_of_teeth(r, upright, 96), view
    r = random.Random(7)
    view = list(sure)
    view[8], view[10] = 0.6, 0.38
    yield "bitewing, and the turn is uncertain", row_of_teeth(r, True, 45) + row_of_teeth(r, True, 150), view


def main():
    out = []
    for name, teeth, view in cases():
        kinds, conditions, edges = draw_answer(teeth)
        (turn, sure), (region, certain) = read_view(view)
        found = [
            {"kind": name_of(t), "box": [round(float(v), 2) for v in t["box"]], "findings": [round(float(v), 3) for v in t["findings"]]}
            for t in find_teeth(kinds, conditions, edges)
        ]
        answer = {"turned": turn, "sure": round(sure, 3), "region": region, "certain": round(certain, 3), "found": found}
        out.append({"name": name, "teeth": teeth, "view": view, **answer})
        print(name, len(teeth), "drawn", len(found), "found")
    lines = ",\n".join(json.dumps(case) for case in out)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "film-cases.json")
    with open(path, "w") as file:
        file.write(f'{{ "cells": {CELLS}, "stride": {STRIDE}, "cases": [\n{lines}\n] }}\n')


assert len(REGIONS) == 3
if __name__ == "__main__":
    main()
