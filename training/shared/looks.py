"""Changes that make a drawn film look as if another machine had taken it. Each takes its chances from `r`, in this order,
so that the same seed gives the same films. Images are `[row][column]`, about 0 to 1."""
import numpy as np
import torch
import torch.nn.functional as F


def blur(image, radius):
    """Mean over a square of 2 × radius + 1 pixels; the edge is continued. Any shape that ends with rows and columns."""
    size = 2 * radius + 1
    flat = image.reshape(-1, 1, *image.shape[-2:])
    across = F.avg_pool2d(F.pad(flat, [radius, radius, 0, 0], mode="replicate"), (1, size), 1)
    return F.avg_pool2d(F.pad(across, [0, 0, radius, radius], mode="replicate"), (size, 1), 1).reshape(image.shape)


def equalise(image, share):
    """A mixture with the film in which every shade is as frequent as the others."""
    flat = image.flatten()
    ranks = torch.empty_like(flat)
    ranks[flat.argsort()] = torch.linspace(0, 1, flat.numel())
    return image * (1 - share) + share * ranks.view_as(image)


def equalise_sometimes(image, r, chance):
    return equalise(image, float(r.uniform(0.3, 1))) if r.random() < chance else image


def sharpen_sometimes(image, r, least):
    """Half of the films with stronger edges or, where the amount is below 0, with weaker ones."""
    return image + float(r.uniform(least, 1.5)) * (image - blur(image, int(r.integers(1, 4)))) if r.random() < 0.5 else image


def add_noise(image, r, most):
    return image + torch.from_numpy(r.normal(0, float(r.uniform(0, most)), image.shape).astype(np.float32))


def add_clouds(image, r, clouds, chance):
    """Soft patches of other brightness: for each of `clouds` their size in pixels and the most that they add."""
    rows, columns = image.shape
    for size, most in clouds:
        if r.random() < chance:
            small = r.normal(0, float(r.uniform(0, most)), (1, 1, max(2, rows // size), max(2, columns // size)))
            image = image + F.interpolate(torch.from_numpy(small.astype(np.float32)), image.shape, mode="bicubic")[0, 0]
    return image


def add_shadows(image, r, fewer, high, wide, strength):
    """Up to `fewer` - 1 rectangles or ellipses, lighter or darker, as letters, bars, bands and things beside the jaw are.
    `high` and `wide` are the logarithms of the least and the largest size. Changes the image in place."""
    rows, columns = image.shape
    ys, xs = np.ogrid[0:rows, 0:columns]
    for _ in range(r.integers(0, fewer)):
        cy, cx = r.uniform(0, rows), r.uniform(0, columns)
        h, w = np.exp(r.uniform(*high)), np.exp(r.uniform(*wide))
        inside = (abs(ys - cy) < h / 2) & (abs(xs - cx) < w / 2) if r.random() < 0.5 else ((ys - cy) / h) ** 2 + ((xs - cx) / w) ** 2 < 0.25
        image[torch.from_numpy(inside)] += float(r.normal(0, strength))
