"""Drawn cephalograms for training: reading, and changes that make each one look as if another machine had taken it."""
import glob
import os

import numpy as np
import torch
import torch.nn.functional as F

from network import CELLS, LANDMARKS, SIDE, STRIDE
from shared.files import read_pgm, read_rows
from shared.frame import place_in_frame
from shared.looks import add_clouds, add_noise, add_shadows, blur, equalise_sometimes, sharpen_sometimes


def read_truth(folder):
    return read_rows(folder, "ceph.jsonl")


def read_film(folder, row, scale=lambda pixels: pixels):
    """A film's grey values, scaled, and its landmarks, both looking to the right."""
    pixels = scale(read_pgm(os.path.join(folder, row["film"] + ".pgm")))
    points = np.array([row["landmarks"][name] for name in LANDMARKS], np.float32)
    if row["faces"] == "left":
        pixels = pixels[:, ::-1].copy()
        points[:, 0] = pixels.shape[1] - points[:, 0]
    return pixels, points


def to_unit(pixels):
    """From 0 to 1 between the darkest and the brightest hundredth of a film."""
    low, high = np.percentile(pixels[::3, ::3], [1, 99])
    return np.clip((pixels.astype(np.float32) - low) / max(1, high - low), 0, 1)


class Films:
    """Draws random, changed films; a part of them are no upright heads that look to the right."""

    def __init__(self, folder, seed, others=(), first=0):
        self.folder, self.first = folder, first
        self.refresh()
        # Those after the 400th are for measuring.
        self.others = [sorted(glob.glob(os.path.join(other, "*.pgm")))[:400] for other in others]
        self.random = np.random.default_rng(seed)

    def refresh(self):
        """Takes up the films that have been drawn since."""
        self.rows = [row for row in read_truth(self.folder) if int(row["film"]) >= self.first]

    def batch(self, size):
        made = [self.make() for _ in range(size)]
        return torch.stack([m[0] for m in made])[:, None], torch.stack([m[1] for m in made]), torch.tensor([m[2] for m in made])

    def make(self):
        """One film of the frame, its landmarks in the frame's pixels, and 1 where it is an upright head."""
        r = self.random
        if r.random() < 0.1:
            return self.look(self.make_other()), torch.full((len(LANDMARKS), 2), -1e4), 0.0
        image, points = self.change(*read_film(self.folder, self.rows[r.integers(0, len(self.rows))], to_unit))
        image = self.look(image)
        chance = r.random()
        if chance < 0.74:
            return image, points, 1.0
        points = torch.full_like(points, -1e4)
        if chance < 0.78:
            # As a head seen from the front is: the same on both sides.
            return torch.maximum(image, image.flip(1)) if r.random() < 0.5 else (image + image.flip(1)) / 2, points, 0.0
        image = image.flip(1) if chance < 0.88 else image
        turns = int(r.integers(0, 4)) if chance < 0.88 else int(r.integers(1, 4))
        return torch.rot90(image, turns, (0, 1)), points, 0.0

    def make_other(self):
        """Another kind of film, or none."""
        r = self.random
        if self.others and r.random() < 0.7:
            kind = self.others[r.integers(0, len(self.others))]
            frame, _ = place_in_frame(read_pgm(kind[r.integers(0, len(kind))]), SIDE, SIDE)
            return torch.rot90(torch.from_numpy(frame), int(r.integers(0, 4)) if r.random() < 0.4 else 0, (0, 1))
        grid = int(r.integers(2, 40))
        small = torch.from_numpy(r.normal(0.5, r.uniform(0, 0.5), (1, 1, grid, grid)).astype(np.float32))
        return F.interpolate(small, (SIDE, SIDE), mode="bicubic", align_corners=False)[0, 0].clamp(0, 1)

    def change(self, unit, points):
        r = self.random
        pixels = torch.from_numpy(unit)
        rows, columns = pixels.shape
        zoom = max(rows, columns) / SIDE * float(np.exp(r.normal(0, 0.11)))
        wide = float(np.exp(r.normal(0, 0.025)))
        angle, shear = (r.normal(0, 0.09) if r.random() < 0.8 else r.uniform(-0.4, 0.4)), r.normal(0, 0.025)
        a = np.array([[np.cos(angle), -np.sin(angle) + shear], [np.sin(angle), np.cos(angle)]]) @ np.diag([zoom * wide, zoom / wide])
        shift = np.array([columns / 2 + r.normal(0, 0.04) * columns, rows / 2 + r.normal(0, 0.04) * rows])
        ys, xs = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
        px, py = xs - SIDE / 2 + 0.5, ys - SIDE / 2 + 0.5
        field = torch.from_numpy(r.normal(0, 1, (1, 2, 5, 5)).astype(np.float32))
        dx, dy = F.interpolate(field, (SIDE, SIDE), mode="bicubic", align_corners=True)[0].numpy() * r.uniform(0, 2.2)
        sx = a[0, 0] * (px + dx) + a[0, 1] * (py + dy) + shift[0]
        sy = a[1, 0] * (px + dx) + a[1, 1] * (py + dy) + shift[1]
        if zoom > 1.3:
            # A coarse film is the mean of the finer one's pixels.
            pixels = F.avg_pool2d(F.pad(pixels[None, None], (0, 1, 0, 1), mode="replicate"), 2, 1)[0, 0]
        grid = torch.from_numpy(np.stack([2 * sx / columns - 1, 2 * sy / rows - 1], -1).astype(np.float32))[None]
        image = F.grid_sample(pixels[None, None], grid, align_corners=False, padding_mode="zeros")[0, 0]
        moved = (points - shift) @ np.linalg.inv(a).T + SIDE / 2
        for _ in range(2):
            # The place at which the bent frame shows this point.
            at = np.clip(moved.round().astype(int), 0, SIDE - 1)
            straight = (points - shift) @ np.linalg.inv(a).T + SIDE / 2
            moved = straight - np.stack([dx[at[:, 1], at[:, 0]], dy[at[:, 1], at[:, 0]]], 1)
        return image, torch.from_numpy(moved.astype(np.float32))

    def look(self, image):
        """Another exposure, sharpness and noise, with shadows and bands over the film."""
        r = self.random
        image = image.clamp(0, 1) ** float(np.exp(r.normal(0, 0.35)))
        image = equalise_sometimes(image, r, 0.25)
        image = sharpen_sometimes(image, r, -0.4)
        if r.random() < 0.45:
            image = blur(image, int(r.integers(1, 3)))
        if r.random() < 0.25:
            # The dense parts run together, as on an overexposed or old film.
            image = image.clamp(max=float(r.uniform(0.5, 0.95)))
        image = add_clouds(add_noise(image, r, 0.04), r, ((5, 0.06), (14, 0.06), (40, 0.06)), 0.5)
        add_shadows(image, r, 4, (0.5, 4.4), (0.5, 4.4), 0.15)
        return image.clamp(0, 1)


def targets(points, wide):
    """A small hill over the cells for each landmark, and which landmarks lie on the frame."""
    cells = points / STRIDE
    axis = torch.arange(CELLS) + 0.5
    x = torch.exp(-((axis - cells[..., 0:1]) ** 2) / (2 * wide * wide))
    y = torch.exp(-((axis - cells[..., 1:2]) ** 2) / (2 * wide * wide))
    hills = y[..., :, None] * x[..., None, :]
    seen = ((points > 1) & (points < SIDE - 1)).all(-1)
    return hills / (hills.sum((-1, -2), keepdim=True) + 1e-9), seen
