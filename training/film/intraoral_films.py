"""Drawn intra-oral films for training: reading, and changes that make each one look as if another device had taken it."""
import io

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image

from shared.boxes import Cells, middles_of_edges
from shared.files import DrawnFilms
from shared.looks import add_clouds, add_noise, add_shadows, blur, equalise_sometimes, sharpen_sometimes

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


class IntraoralFilms(DrawnFilms):
    """Draws random, changed films from a folder of `draw-films.ts`."""

    # The share of films that lie upright beyond the quarter that chance gives.
    upright = 0.0

    def batch(self, size):
        made = [self.change(row) for row in self.choose(size)]
        images = torch.stack([one[0] for one in made])[:, None]
        return images, draw_targets([one[1] for one in made]), torch.tensor([one[2] for one in made])

    def change(self, row):
        """One film in the network's frame, its teeth as (class, findings, box) there, and its view: region × turn."""
        r = self.random
        pixels = torch.from_numpy(self.read(row).astype(np.float32) / 255)
        rows, columns = pixels.shape
        mirrored, turn = r.random() < 0.5, int(r.integers(0, 4))
        lies = (4 - row["turned"]) % 4 if mirrored else row["turned"]
        if r.random() < self.upright:
            turn = (4 - lies) % 4
        turned = lies + turn
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
        image = equalise_sometimes(image, r, 0.25)
        image = sharpen_sometimes(image, r, -0.4)
        if r.random() < 0.35:
            image = blur(image, int(r.integers(1, 3)))
        image = add_clouds(add_noise(image, r, 0.05), r, ((8, 0.08), (24, 0.08), (64, 0.08)), 0.4)
        add_shadows(image, r, 3, (1, 4.4), (1, 4.4), 0.2)
        image = image.clamp(0, 1)
        if r.random() < 0.4:
            image = compress(image, int(r.integers(25, 90)))
        low, high = np.quantile(image.numpy()[::3, ::3], [0.0, 1.0])
        return (image - float(low)) / float(max(high - low, 0.05)) * inside


def to_grid(to_film, middle, columns, rows):
    ys, xs = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    px, py = xs - SIZE / 2 + 0.5, ys - SIZE / 2 + 0.5
    sx = to_film[0, 0] * px + to_film[0, 1] * py + middle[0]
    sy = to_film[1, 0] * px + to_film[1, 1] * py + middle[1]
    return np.stack([2 * sx / columns - 1, 2 * sy / rows - 1], -1).astype(np.float32)


def move(tooth, to_frame, middle):
    """A tooth in the frame: (class, findings, box); None where next to nothing of it is left."""
    left, top, right, bottom = tooth["box"]
    points = (middles_of_edges(left, top, right, bottom) - middle) @ to_frame.T + SIZE / 2
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


ELLIPSES = Cells(CELLS, CELLS, STRIDE, 0.48, 0.5, 2)


def draw_targets(batch):
    """For each cell: the class, the findings, and the distances to the four edges of the tooth's box."""
    classes, findings, edges = [], [], []
    for teeth in batch:
        owner, distances = ELLIPSES.assign([box for _, _, box in teeth])
        classes.append(torch.tensor([0, *(kind for kind, _, _ in teeth)])[owner + 1])
        findings.append(torch.tensor([[0.0] * len(FINDINGS), *(found for _, found, _ in teeth)])[owner + 1].permute(2, 0, 1))
        edges.append(distances)
    return torch.stack(classes), torch.stack(findings), torch.stack(edges)
