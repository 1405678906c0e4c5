"""Films with the truth of their teeth, from where they are marked: real ones, drawn ones, and an owner's archive."""
import os

import numpy as np

from shared.files import read_image, read_json, read_pgm, read_rows

# Conditions of drawn films as the marks of real ones call them.
STATES = {"rootRemains": "root", "metalCrown": "crown", "ceramicCrown": "crown"}


def marked_films(path, images):
    """Real films that people marked: `development-set.json` and the folder of its images."""
    for film in read_json(path)["films"]:
        yield film, lambda film=film: read_image(os.path.join(images, film["film"] + ".jpg"))


def drawn_films(folder):
    """A folder of `draw-films.ts` or `read_archive.py`."""
    for row in read_rows(folder):
        teeth = [{"fdi": t["fdi"], "box": t["box"], "state": states_of(t)} for t in row["teeth"]]
        read = lambda row=row: read_pgm(os.path.join(folder, row["film"] + ".pgm")).astype(np.float32)
        yield {"film": row["film"], "teeth": teeth}, read


def states_of(tooth):
    condition = STATES.get(tooth["condition"], tooth["condition"])
    return ([] if condition == "sound" else [condition]) + (["unerupted"] if tooth["unerupted"] else [])
