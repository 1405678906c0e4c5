"""Drawn intra-oral films for training: reading, and changes that make each one look as if another device had taken it."""
import io
import json
import os
import sys

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "teeth"))
from films import blur, equalise, read_pgm  # noqa: E402

SIZE, STRIDE = 192, 8
CELLS = SIZE // STRIDE
FORMS = ["incisor", "canine", "premolar", "molar"]
JAWS = ["upper", "lower"]
# Class 0 is no tooth.
KINDS = [(jaw, form) for jaw in JAWS for form in FORMS]
REGIONS = ["upperPeriapical", "lowerPeriapical", "bitewing"]
FINDINGS = ["restoration", "implant"]
RESTORED = {"filled", "rootFilled", "metalCrown", "ceramicCrown"}
IGNORED = -100


def kind_of(fdi):
    quadrant, place = divmod(fdi, 10)
    jaw = "upper" if quadrant in (1, 2, 5, 6) else "lower"
    form = "incisor" if place < 3 else "canine" if place == 3 else "molar" if place > 5 or quadrant > 4 else "premolar"
    return 1 + KINDS.index((jaw, form))


def contain(columns, rows):
    """Scale and margins with which a film fits into the network's frame; the product does the same."""
    scale = min(SIZE / columns, SIZE / rows)
    wide, high = max(1, round(columns * scale)), max(1, round(rows * scale))
    return wide, high, (SIZE - wide) // 2, (SIZE - high) // 2


def fit(pixels):
    """A film in the network's frame, 0 to 1 between the darkest and the brightest hundredth, as the product scales it."""
    rows, columns = pixels.shape
    wide, high, left, top = contain(columns, rows)
    frame = torch.zeros(SIZE, SIZE)
    small = F.interpolate(pixels[None, None], (high, wide), mode="bilinear", align_corners=False, antialias=True)[0, 0]
    low, high_grey = np.quantile(small.numpy(), [0.01, 0.99])
    frame[top : top + high, left : left + wide] = ((small - float(low)) / float(max(high_grey - low, 1e-3))).clamp(0, 1)
    return frame


class IntraoralFilms:
    """Draws random, changed films from a folder of `draw-films.ts`."""

    def __init__(self, folder, seed):
        self.folder = folder
        self.random = np.random.default_rng(seed)
        self.cache = {}
        self.rows = []
        self.reload()

    def reload(self):
        """Takes in the films that were drawn since; the last line may still be incomplete."""
        with open(os.path.join(self.folder, "teeth.jsonl")) as file:
            lines = [line for line in file if line.endswith("\n")]
        self.rows = sorted((json.loads(line) for line in lines), key=lambda row: row["film"])

    def read(self, row):
        if row["film"] not in self.cache:
            self.cache[row["film"]] = read_pgm(os.path.join(self.folder, row["film"] + ".pgm"))
        return self.cache[row["film"]]

    def batch(self, size):
        made = [self.change(self.rows[i]) for i in self.random.integers(0, len(self.rows), size)]
        images = torch.stack([one[0] for one in made])[:, None]
        return images, draw_targets([one[1] for one in made]), torch.tensor([one[2] for one in made])

    def change(self, row):
        """One film in the network's frame, its teeth as (class, findings, box) there, and its view: region × turn."""
        r = self.random
        pixels = torch.from_numpy(self.read(row).astype(np.float32) / 255)
        rows, columns = pixels.shape
        mirrored, turn = r.random() < 0.5, int(r.integers(0, 4))
        turned = ((4 - row["turned"]) % 4 if mirrored else row["turned"]) + turn
        wide, high = (columns, rows) if turn % 2 == 0 else (rows, columns)
        scale = min(SIZE / wide, SIZE / high) * r.uniform(0.93, 1.22)
        angle = r.normal(0, 0.03)
        quarter = np.linalg.matrix_power(np.array([[0.0, 1.0], [-1.0, 0.0]]), turn)
        lean = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        to_film = np.diag([-1.0 if mirrored else 1.0, 1.0]) @ quarter @ lean @ np.diag([1.0, np.exp(r.normal(0, 0.06))]) / scale
        slack = np.array([wide, high]) * scale / 2
        shift = r.uniform(-1, 1, 2) * np.maximum(0.02 * SIZE, np.abs(slack - SIZE / 2)) * 0.8
        middle = np.array([columns / 2, rows / 2]) - to_film @ shift
        grid = torch.from_numpy(to_grid(to_film, middle, columns, rows))[None]
        image = F.grid_sample(pixels[None, None], grid, align_corners=False, padding_mode="zeros")[0, 0]
        inside = ((grid[0].abs() < 1).all(-1)).float()
        to_frame = np.linalg.inv(to_film)
        teeth = [moved for tooth in row["teeth"] if (moved := move(tooth, to_frame, middle))]
        return self.look(image, inside), teeth, REGIONS.index(row["region"]) * 4 + turned % 4

    def look(self, image, inside):
        """Another exposure, sharpness and noise, with letters and shadows; what lies outside the film stays dark."""
        r = self.random
        image = image.clamp(0, 1) ** float(r.uniform(0.6, 1.7))
        if r.random() < 0.25:
            image = equalise(image, float(r.uniform(0.3, 1)))
        if r.random() < 0.5:
            image = image + float(r.uniform(-0.4, 1.5)) * (image - blur(image, int(r.integers(1, 4))))
        if r.random() < 0.35:
            image = blur(image, int(r.integers(1, 3)))
        image = image + torch.from_numpy(r.normal(0, float(r.uniform(0, 0.05)), image.shape).astype(np.float32))
        for size in (8, 24, 64):
            if r.random() < 0.4:
                small = r.normal(0, float(r.uniform(0, 0.08)), (1, 1, max(2, SIZE // size), max(2, SIZE // size)))
                image = image + F.interpolate(torch.from_numpy(small.astype(np.float32)), image.shape, mode="bicubic")[0, 0]
        for _ in range(r.integers(0, 3)):
            self.shadow(image)
        image = image.clamp(0, 1)
        if r.random() < 0.4:
            image = compress(image, int(r.integers(25, 90)))
        low, high = np.quantile(image.numpy()[::3, ::3], [0.0, 1.0])
        return (image - float(low)) / float(max(high - low, 0.05)) * inside

    def shadow(self, image):
        r = self.random
        cy, cx = r.uniform(0, SIZE, 2)
        h, w = np.exp(r.uniform(1, 4.4, 2))
        ys, xs = np.ogrid[0:SIZE, 0:SIZE]
        here = (abs(ys - cy) < h / 2) & (abs(xs - cx) < w / 2) if r.random() < 0.5 else ((ys - cy) / h) ** 2 + ((xs - cx) / w) ** 2 < 0.25
        image[torch.from_numpy(here)] += float(r.normal(0, 0.2))


def to_grid(to_film, middle, columns, rows):
    ys, xs = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    px, py = xs - SIZE / 2 + 0.5, ys - SIZE / 2 + 0.5
    sx = to_film[0, 0] * px + to_film[0, 1] * py + middle[0]
    sy = to_film[1, 0] * px + to_film[1, 1] * py + middle[1]
    return np.stack([2 * sx / columns - 1, 2 * sy / rows - 1], -1).astype(np.float32)


def move(tooth, to_frame, middle):
    """A tooth in the frame: (class, findings, box); None where next to nothing of it is left."""
    left, top, right, bottom = tooth["box"]
    # The middles of the edges, not the corners: the box of a turned tooth would grow.
    edges = np.array([[left, (top + bottom) / 2], [right, (top + bottom) / 2], [(left + right) / 2, top], [(left + right) / 2, bottom]])
    points = (edges - middle) @ to_frame.T + SIZE / 2
    x0, y0 = points.min(0)
    x1, y1 = points.max(0)
    area = (x1 - x0) * (y1 - y0)
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(SIZE, x1), min(SIZE, y1)
    if x1 - x0 < 4 or y1 - y0 < 4:
        return None
    seen = tooth["seen"] * (x1 - x0) * (y1 - y0) / area
    # Nobody can be blamed for a sliver, or for the tooth that a bridge only looks like.
    is_clear = seen > 0.12 and tooth["condition"] != "pontic"
    findings = (float(tooth["condition"] in RESTORED), float(tooth["condition"] == "implant"))
    return kind_of(tooth["fdi"]) if is_clear else IGNORED, findings, (x0, y0, x1, y1)


def compress(image, quality):
    buffer = io.BytesIO()
    Image.fromarray((image.numpy() * 255).astype(np.uint8)).save(buffer, "JPEG", quality=quality)
    return torch.from_numpy(np.asarray(Image.open(buffer), np.float32) / 255)


def draw_targets(batch):
    """For each cell: the class, the findings, and the distances to the four edges of the tooth's box."""
    classes = torch.zeros(len(batch), CELLS, CELLS, dtype=torch.long)
    findings = torch.zeros(len(batch), len(FINDINGS), CELLS, CELLS)
    edges = torch.zeros(len(batch), 4, CELLS, CELLS)
    nearest = torch.full((len(batch), CELLS, CELLS), 1e9)
    xs = ((torch.arange(CELLS) + 0.5) * STRIDE)[None].expand(CELLS, CELLS)
    ys = xs.T
    for at, teeth in enumerate(batch):
        for kind, found, (left, top, right, bottom) in teeth:
            # An ellipse inside the box: at its corners the neighbours are.
            distance = ((xs - (left + right) / 2) / (0.48 * (right - left) + 2)) ** 2 + ((ys - (top + bottom) / 2) / (0.5 * (bottom - top) + 2)) ** 2
            mine = (distance < 1) & (distance < nearest[at])
            nearest[at][mine] = distance[mine]
            classes[at][mine] = kind
            findings[at][:, mine] = torch.tensor(found)[:, None]
            edges[at][:, mine] = torch.stack([xs - left, ys - top, right - xs, bottom - ys])[:, mine]
    return classes, findings, edges
