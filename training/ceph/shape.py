"""How the landmarks of a head lie to each other, from the truth of drawn films: a mean and modes of variation in the frame.
It pulls a landmark whose map is doubtful to where the others expect it. Run by `training/run ceph`: shape.py FILMS OUT."""
import os
import sys

import numpy as np

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from films import read_truth
from network import LANDMARKS, SIDE
from shared.files import write_json

MODES = 26
# mm of a pixel of the frame: films of 180 to 300 mm.
SIZES = (0.85, 1.45)


def learn_shape(folder, copies=4, seed=0):
    """Mean [2 × landmarks] and modes [2 × landmarks, MODES], each as long as its standard deviation; and what is left."""
    random = np.random.default_rng(seed)
    poses = []
    for row in read_truth(folder):
        points = np.array([row["landmarks"][name] for name in LANDMARKS], float)
        if row["faces"] == "left":
            points[:, 0] *= -1
        points = (points - points.mean(0)) * row["mm"]
        for _ in range(copies):
            angle, size = random.normal(0, 0.08), random.uniform(*SIZES)
            c, s = np.cos(angle), np.sin(angle)
            poses.append((points @ np.array([[c, s], [-s, c]]) / size + SIDE / 2 + random.normal(0, 18, 2)).ravel())
    poses = np.array(poses)
    mean = poses.mean(0)
    values, vectors = np.linalg.eigh(np.cov(poses.T))
    values, vectors = values[::-1], vectors[:, ::-1]
    left = float(values[MODES:].sum() / len(mean))
    return mean, vectors[:, :MODES] * np.sqrt(values[:MODES]), left


if __name__ == "__main__":
    mean, modes, left = learn_shape(sys.argv[1])
    write_json(sys.argv[2], {"mean": mean.round(3).tolist(), "modes": modes.round(4).tolist(), "left": round(left, 4)}, None)
