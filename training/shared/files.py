"""Reads and writes what lies in folders: films, their truth, and figures as JSON."""
import json
import os

import numpy as np


def read_pgm(path):
    """Grey values of 8 bits, `[row][column]`."""
    with open(path, "rb") as file:
        data = file.read()
    head, body = data.split(b"\n", 1)
    _, columns, rows, _ = head.split()
    return np.frombuffer(body, np.uint8).reshape(int(rows), int(columns))


def write_pgm(path, pixels):
    rows, columns = pixels.shape
    with open(path, "wb") as file:
        file.write(b"P5 %d %d 255\n" % (columns, rows) + pixels.astype(np.uint8).tobytes())


def read_image(path):
    """Grey values of an image file as they are, dense matter bright, as floats. Needs Pillow."""
    from PIL import Image

    image = Image.open(path)
    # Grey values of 16 bits are of the mode I, which a conversion to 8 bits would cut off at 255.
    return np.asarray(image if image.mode[0] in "IF" else image.convert("L"), np.float32)


def read_rows(folder, name="teeth.jsonl"):
    """The truth of a folder of films, in the order of their names. A last line that is still being written is left out."""
    with open(os.path.join(folder, name)) as file:
        rows = [json.loads(line) for line in file if line.endswith("\n")]
    return sorted(rows, key=lambda row: row["film"])


def read_json(path):
    with open(path) as file:
        return json.load(file)


def write_json(path, content, indent=2):
    with open(path, "w") as file:
        json.dump(content, file, indent=indent)


class DrawnFilms:
    """The films of a folder of `draw-films.ts`, each read once, and a source of chance for choosing and changing them."""

    def __init__(self, folder, seed):
        self.folder = folder
        self.random = np.random.default_rng(seed)
        self.cache = {}
        self.reload()

    def reload(self):
        """Takes in the films that were drawn since."""
        self.rows = read_rows(self.folder)

    def read(self, row):
        if row["film"] not in self.cache:
            self.cache[row["film"]] = read_pgm(os.path.join(self.folder, row["film"] + ".pgm"))
        return self.cache[row["film"]]

    def choose(self, size):
        return [self.rows[at] for at in self.random.integers(0, len(self.rows), size)]
