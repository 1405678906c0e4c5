"""Trains the finder of teeth on drawn films. Run by `training/run teeth`."""
import json
import os
import sys
import time

import torch
import torch.nn.functional as F

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from films import Films
from network import Network
from shared.boxes import overlap_of_edges
from shared.training_steps import begin, look_at, mean_of_last, rate_at, save_weights, take_step, training_options


def loss_of(output, target):
    logits, states, edges = output
    classes, conditions, boxes = target
    # Teeth are a fifth of a film: cells of teeth count more.
    weight = torch.ones(logits.shape[1])
    weight[0] = 0.25
    numbering = F.cross_entropy(logits, classes, weight=weight)
    inside = classes > 0
    if not inside.any():
        return numbering, numbering, torch.zeros(())
    found = edges.permute(0, 2, 3, 1)[inside]
    true = boxes.permute(0, 2, 3, 1)[inside].clamp(min=0)
    overlap = overlap_of_edges(found, true)
    states = F.cross_entropy(states.permute(0, 2, 3, 1)[inside], conditions[inside])
    return numbering + (1 - overlap).mean() + 0.2 * states, numbering, overlap.mean()


def main():
    options = training_options(batch=4, rate=2e-3)
    options.add_argument("--steps", type=int, default=6000)
    options.add_argument("--minutes", type=float, default=0, help="stop after so long, with the rate lowered by then")
    options.add_argument("--without", nargs="*", default=[], choices=["look", "layout", "shape"], help="changes of the drawn films to leave out")
    chosen = options.parse_args()
    torch.manual_seed(chosen.seed)
    films = Films(chosen.films, chosen.seed, chosen.without)
    network, optimiser = begin(Network, chosen)
    begun, shown, step, share = time.time(), [], 0, 0.0
    while share < 1:
        share = max(step / chosen.steps, (time.time() - begun) / 60 / chosen.minutes if chosen.minutes else 0)
        images, target = films.batch(chosen.batch)
        loss, numbering, overlap = loss_of(look_at(network, images), target)
        take_step(network, optimiser, loss, chosen.rate * rate_at(min(1, share)))
        step += 1
        shown.append((float(numbering), float(overlap)))
        if step % 100 == 0 or share >= 1:
            numbering, overlap = mean_of_last(shown, 100)
            line = {"step": step, "numbering": round(numbering, 4), "iou": round(overlap, 4), "seconds": round(time.time() - begun)}
            print(json.dumps(line), flush=True)
            save_weights(network, chosen.out)
            films.reload()
    print("parameters", sum(p.numel() for p in network.parameters()))


if __name__ == "__main__":
    main()
