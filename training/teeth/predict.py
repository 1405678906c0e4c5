"""One film through the network as the product's worker does it: the same frame, the same shades, the same decoding."""
import numpy as np
import torch

from decode import find_teeth, number_teeth
from export import Finder
from films import HEIGHT, WIDTH
from network import Network
from shared.frame import place_in_frame
from shared.network_parts import load_weights


def load_finder(weights):
    return Finder(load_weights(Network(), weights)).eval()


def predict(finder, image, conditions, number=number_teeth):
    """The teeth of a film, with boxes in its own pixels, numbers, and the name of the condition."""
    frame, place = place_in_frame(image, WIDTH, HEIGHT)
    with torch.no_grad():
        classes, states, edges = (one[0].numpy() for one in finder(torch.from_numpy(frame)[None, None]))
    teeth = number(find_teeth(classes, edges, states))
    for tooth in teeth:
        tooth["box"] = place.to_film(tooth["box"])
        tooth["condition"] = conditions[int(np.argmax(tooth["states"]))]
    return teeth


def certainty(teeth):
    """How surely an image shows teeth in a plausible order: below a limit, the pack abstains from all of it."""
    return sum(t["confidence"] for t in teeth) / len(teeth) if teeth else 0.0
