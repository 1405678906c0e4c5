"""Films with truth for training: reading, and changes that make each one look as if another machine had taken it."""
import numpy as np
import torch
import torch.nn.functional as F

from shared.boxes import Cells, middles_of_edges
from shared.files import DrawnFilms
from shared.looks import add_clouds, add_noise, add_shadows, blur, equalise_sometimes, sharpen_sometimes

WIDTH, HEIGHT, STRIDE = 512, 256, 4
PERMANENT = [10 * q + p for q in (1, 2, 3, 4) for p in range(1, 9)]
DECIDUOUS = [10 * q + p for q in (5, 6, 7, 8) for p in range(1, 6)]
# Class 0 is no tooth.
NUMBERS = PERMANENT + DECIDUOUS
CLASS_OF = {fdi: place + 1 for place, fdi in enumerate(NUMBERS)}
MIRRORED = {1: 2, 2: 1, 3: 4, 4: 3, 5: 6, 6: 5, 7: 8, 8: 7}
MIRROR = [0] + [CLASS_OF[MIRRORED[n // 10] * 10 + n % 10] for n in NUMBERS]
CONDITIONS = ["sound", "filled", "rootFilled", "crown", "implant", "pontic", "rootRemains", "unerupted"]
CROWNS = {"metalCrown", "ceramicCrown"}


def condition_of(tooth):
    kind = "unerupted" if tooth["unerupted"] else "crown" if tooth["condition"] in CROWNS else tooth["condition"]
    return CONDITIONS.index(kind)


class Films(DrawnFilms):
    """Draws random, changed films from a folder of `draw-films.ts`."""

    def __init__(self, folder, seed, without=()):
        """@param without changes that are left out, to measure what each is good for: `look` (exposure, noise, shadows), `layout`
        (distances and leans of real films), `shape` (smooth displacements)"""
        super().__init__(folder, seed)
        self.without = without

    def batch(self, size):
        made = [self.change(row) for row in self.choose(size)]
        images = torch.stack([image for image, _ in made])[:, None]
        return images, draw_targets([teeth for _, teeth in made])

    def change(self, row):
        """One film in the network's frame, and its teeth as (class, condition, box) in the network's pixels."""
        r = self.random
        pixels = torch.from_numpy(self.read(row).astype(np.float32) / 255)
        rows, columns = pixels.shape
        boxes = np.array([tooth["box"] for tooth in row["teeth"]], np.float32).reshape(-1, 4)
        classes = [(CLASS_OF[tooth["fdi"]], condition_of(tooth)) for tooth in row["teeth"]]
        # Scale, shift, shear and a small turn, written as a map from the network's pixels to the film's.
        middle, span, bite = teeth_place(boxes, classes, columns, rows)
        zoom_x = min(1.3, max(0.5, span / columns / r.uniform(0.42, 0.82)))
        zoom_y = zoom_x * r.uniform(0.85, 1.12)
        angle, shear = r.normal(0, 0.025), r.normal(0, 0.03)
        mirror = -1.0 if r.random() < 0.5 else 1.0
        free = max(0.0, 1 - span / columns / zoom_x) / 3
        shift = (middle[0] + r.normal(0, 0.5) * free * columns * zoom_x, middle[1] + r.normal(0.03, 0.06) * rows * zoom_y)
        apart = [(share, 0.0) for share, _ in APART] if "layout" in self.without else APART
        across = stretch(columns, middle[0], span / 2, apart, r)
        leans = (0.0, 0.0) if "layout" in self.without else (r.normal(*UPPER_LEAN), r.normal(*LOWER_LEAN))
        down = bend_jaws(rows, bite, r.uniform(0.8, 1.55), r.uniform(0.85, 1.25))
        a = np.array([[np.cos(angle), -np.sin(angle) + shear], [np.sin(angle), np.cos(angle)]])
        a = a @ np.diag([mirror * zoom_x * columns / WIDTH, zoom_y * rows / HEIGHT])
        ys, xs = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
        px, py = xs - WIDTH / 2 + 0.5, ys - HEIGHT / 2 + 0.5
        dx, dy = self.elastic()
        fx = a[0, 0] * (px + dx) + a[0, 1] * (py + dy) + shift[0]
        fy = a[1, 0] * (px + dx) + a[1, 1] * (py + dy) + shift[1]
        leaning = lambda x, y: lean_back((x - middle[0]) / max(span / 2, columns / 8), y - bite, *leans)
        sx, sy = np.interp(fx - leaning(fx, fy), *across), np.interp(fy, *down)
        grid = torch.from_numpy(np.stack([2 * sx / columns - 1, 2 * sy / rows - 1], -1).astype(np.float32))[None]
        image = F.grid_sample(pixels[None, None], grid, align_corners=False, padding_mode="zeros")[0, 0]
        inverse = np.linalg.inv(a)
        moved = []
        boxes = np.stack([np.interp(boxes[:, 0], *across[::-1]), np.interp(boxes[:, 1], *down[::-1]), np.interp(boxes[:, 2], *across[::-1]), np.interp(boxes[:, 3], *down[::-1])], 1)
        for (kind, condition), (left, top, right, bottom) in zip(classes, boxes):
            ends = [leaning((left + right) / 2, y) for y in (top, bottom)]
            left, right = left + min(ends), right + max(ends)
            edges = middles_of_edges(left, top, right, bottom) - shift
            points = edges @ inverse.T
            points = points + np.array([WIDTH / 2, HEIGHT / 2])
            x0, x1, y0, y1 = points[:, 0].min(), points[:, 0].max(), points[:, 1].min(), points[:, 1].max()
            cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
            if not (0 < cx < WIDTH and 0 < cy < HEIGHT):
                continue
            at = (int(min(HEIGHT - 1, cy)), int(min(WIDTH - 1, cx)))
            ox, oy = dx[at], dy[at]
            moved.append((MIRROR[kind] if mirror < 0 else kind, condition, (x0 - ox, y0 - oy, x1 - ox, y1 - oy)))
        return image if "look" in self.without else self.look(image), moved

    def elastic(self):
        """A smooth field of displacements, in the network's pixels."""
        r = self.random
        strength = 0.0 if "shape" in self.without else r.uniform(0, 5)
        field = torch.from_numpy(r.normal(0, 1, (1, 2, 4, 7)).astype(np.float32))
        wide = F.interpolate(field, (HEIGHT, WIDTH), mode="bicubic", align_corners=True)[0].numpy() * strength
        return wide[0], wide[1]

    def look(self, image):
        """Another exposure, sharpness and noise, with shadows and bands over the film."""
        r = self.random
        image = image.clamp(0, 1) ** float(r.uniform(0.6, 1.7))
        image = equalise_sometimes(image, r, 0.3)
        image = sharpen_sometimes(image, r, -0.3)
        if r.random() < 0.45:
            image = blur(image, 1)
        image = add_clouds(add_noise(image, r, 0.05), r, ((6, 0.06), (16, 0.08), (50, 0.2)), 0.5)
        add_shadows(image, r, 4, (1, 4.6), (1, 5.2), 0.2)
        return image


def teeth_place(boxes, classes, columns, rows):
    """The middle of the teeth, the width that they take, and the height between the rows, all in pixels of the film."""
    if len(boxes) == 0:
        return (columns / 2, rows / 2), columns / 2, rows / 2
    left, right = boxes[:, 0].min(), boxes[:, 2].max()
    upper = [NUMBERS[kind - 1] // 10 in (1, 2, 5, 6) for kind, _ in classes]
    ends = [box[3] for box, above in zip(boxes, upper) if above] + [box[1] for box, above in zip(boxes, upper) if not above]
    return ((left + right) / 2, (boxes[:, 1].min() + boxes[:, 3].max()) / 2), right - left, float(np.median(ends))


# By how much drawn teeth are moved apart (positive) or together, so that they lie as real ones do: the logarithm, at shares
# of the row's half width from the midline. Chosen so that the distances 1-1, 3-3, 4-4, 6-6 and 7-7 of changed films have the
# means of the development set, within 0.03 of the distance 7-7; and the row the same share of the frame's width.
APART = [(0.0, 0.08), (0.28, 0.06), (0.42, -0.05), (0.75, -0.14), (1.0, 0.0), (1.6, 0.05)]


def stretch(size, middle, half, apart_by, r):
    """A table from places of the changed film to those of the drawn one: front, premolars and molars wider or narrower."""
    film = np.linspace(-size, 2 * size, 601)
    apart = (film - middle) / max(half, size / 8)
    shares, logs = zip(*apart_by)
    both = np.array(logs) + r.normal(0, 0.14, len(logs))
    turned = r.normal(0, 0.06)
    slope = np.exp(np.interp(abs(apart), shares, both) + turned * np.clip(apart, -1, 1))
    drawn = np.concatenate([[0], np.cumsum((slope[1:] + slope[:-1]) / 2)]) * (film[1] - film[0])
    return middle + drawn - np.interp(middle, film, drawn), film


# Molars of real films lean with their roots to the back, which makes their boxes wider than those of drawn ones: the tangent
# of the angle that is added, its mean and spread. Chosen so that boxes have the mean width of the development set's.
UPPER_LEAN, LOWER_LEAN = (0.06, 0.06), (0.22, 0.09)


def lean_back(share, height, upper, lower):
    """How far to the right a place moves, at this share of the row's half width and this height below the bite, both may be
    arrays: the more, the farther from the bite, and the molars more than the front teeth."""
    molar = np.clip((abs(share) - 0.3) / 0.3, 0, 1)
    return np.sign(share) * molar * np.where(height > 0, lower * height, -upper * height)


def bend_jaws(size, bite, above, below):
    """The same for heights: `above` and `below` the bite, more than 1 makes teeth shorter."""
    film = np.linspace(-size, 2 * size, 601)
    apart = film - bite
    return bite + np.where(apart < 0, apart / above, apart / below), film


CELLS = Cells(HEIGHT // STRIDE, WIDTH // STRIDE, STRIDE, 0.46, 0.48, 1)


def draw_targets(batch):
    """For each cell of the network's output: class, condition, and the distances to the four edges of the tooth's box."""
    classes, conditions, edges = [], [], []
    for teeth in batch:
        owner, distances = CELLS.assign([box for _, _, box in teeth])
        classes.append(torch.tensor([0, *(kind for kind, _, _ in teeth)])[owner + 1])
        conditions.append(torch.tensor([0, *(condition for _, condition, _ in teeth)])[owner + 1])
        edges.append(distances)
    return torch.stack(classes), torch.stack(conditions), torch.stack(edges)
