"""Shows what the finder makes of images that are no panoramic films: each should have few teeth or little certainty, so
that the limits of the manifest make the pack abstain. Blank images, noise and stripes are made here."""
import argparse
import os
import sys

import numpy as np

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from films import CONDITIONS
from make_pack import LEAST_CERTAINTY, LEAST_TEETH
from predict import certainty, load_finder, predict
from shared.files import read_image


def made_images():
    r = np.random.default_rng(1)
    yield "blank", np.full((300, 600), 128, np.float32)
    yield "noise", r.uniform(0, 255, (300, 600)).astype(np.float32)
    soft = r.uniform(0, 255, (20, 40)).astype(np.float32)
    yield "clouds", np.kron(soft, np.ones((15, 15), np.float32))
    yield "stripes", np.tile((np.arange(600) // 12 % 2 * 255).astype(np.float32), (300, 1))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("weights")
    options.add_argument("images", nargs="*")
    chosen = options.parse_args()
    finder, taken = load_finder(chosen.weights), 0
    every = [*made_images(), *((path, read_image(path)) for path in chosen.images)]
    for name, image in every:
        teeth = predict(finder, image, CONDITIONS)
        sure = certainty(teeth)
        abstains = len(teeth) < LEAST_TEETH or sure < LEAST_CERTAINTY
        taken += not abstains
        print(f"{name[-60:]:60} {len(teeth):3} teeth, certainty {sure:.2f}: {'abstains' if abstains else 'IS TAKEN FOR A FILM'}")
    print(f"{len(every) - taken} of {len(every)} abstain")


if __name__ == "__main__":
    main()
