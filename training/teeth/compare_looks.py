"""Compares drawn films with real ones by grey values, sharpness and local contrast: mean and spread of each figure.

Usage: compare_looks.py FILMS IMAGES [COUNT]. FILMS is a folder of draw-films.ts, IMAGES one of real films."""
import glob
import os
import sys

import numpy as np
import torch

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from films import HEIGHT, WIDTH
from shared.files import read_image, read_pgm
from shared.frame import place_in_frame
from shared.looks import blur


def measure(image):
    """Figures of one film in the network's frame."""
    frame, _ = place_in_frame(image, WIDTH, HEIGHT)
    inner = torch.from_numpy(frame)[HEIGHT // 8 : -HEIGHT // 8, WIDTH // 10 : -WIDTH // 10]
    low, high = np.quantile(inner.numpy(), [0.01, 0.99])
    level = ((inner - low) / max(0.05, high - low)).clamp(0, 1)
    out = {f"grey {share} %": float(np.quantile(level.numpy(), share / 100)) for share in (5, 25, 50, 75, 95)}
    power = np.abs(np.fft.fft2((level - level.mean()).numpy())) ** 2
    rows, columns = power.shape
    period = np.hypot(np.fft.fftfreq(rows)[:, None], np.fft.fftfreq(columns)[None])
    for name, near, far in (("over 32 px", 0.0, 1 / 32), ("8 to 32 px", 1 / 32, 1 / 8), ("3 to 8 px", 1 / 8, 1 / 3), ("under 3 px", 1 / 3, 1)):
        out[f"power {name}"] = float(np.log10(power[(period > near) & (period <= far)].sum() / power.sum() + 1e-9))
    spread = (blur(level * level, 12) - blur(level, 12) ** 2).clamp(min=0).sqrt()
    for share in (25, 50, 75):
        out[f"local contrast {share} %"] = float(np.quantile(spread.numpy(), share / 100))
    steep = torch.hypot(level[1:, :-1] - level[:-1, :-1], level[:-1, 1:] - level[:-1, :-1])
    out["gradient 90 %"] = float(np.quantile(steep.numpy(), 0.9))
    return out


def main():
    folder, images, count = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 116
    drawn = [measure(read_pgm(path)) for path in sorted(glob.glob(f"{folder}/*.pgm"))[:count]]
    paths = sorted(glob.glob(f"{images}/*.jpg"))[:count]
    real = [measure(read_image(path)) for path in paths]
    print(f"| figure | drawn ({len(drawn)}) | real ({len(real)}) | apart, in spreads of the drawn |\n| - | - | - | - |")
    for name in drawn[0]:
        a, b = np.array([one[name] for one in drawn]), np.array([one[name] for one in real])
        print(f"| {name} | {a.mean():.3f} ± {a.std():.3f} | {b.mean():.3f} ± {b.std():.3f} | {(b.mean() - a.mean()) / a.std():.1f} |")


if __name__ == "__main__":
    main()
