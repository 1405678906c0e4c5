"""Trains the finder of teeth on drawn films. Run by `training/run teeth`."""
import argparse
import json
import math
import time

import torch
import torch.nn.functional as F

from films import Films
from network import Network


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
    overlap = iou(found, true)
    states = F.cross_entropy(states.permute(0, 2, 3, 1)[inside], conditions[inside])
    return numbering + (1 - overlap).mean() + 0.2 * states, numbering, overlap.mean()


def iou(a, b):
    """Of two boxes around the same point, each as the distances to its four edges."""
    wide = torch.minimum(a[:, 0], b[:, 0]) + torch.minimum(a[:, 2], b[:, 2])
    high = torch.minimum(a[:, 1], b[:, 1]) + torch.minimum(a[:, 3], b[:, 3])
    both = wide * high
    area = lambda box: (box[:, 0] + box[:, 2]) * (box[:, 1] + box[:, 3])
    return both / (area(a) + area(b) - both + 1e-3)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("films")
    options.add_argument("out")
    options.add_argument("--steps", type=int, default=6000)
    options.add_argument("--batch", type=int, default=4)
    options.add_argument("--rate", type=float, default=2e-3)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--start", default="", help="weights to go on from")
    options.add_argument("--minutes", type=float, default=0, help="stop after so long, with the rate lowered by then")
    options.add_argument("--without", nargs="*", default=[], choices=["look", "layout", "shape"], help="changes of the drawn films to leave out")
    chosen = options.parse_args()
    torch.manual_seed(chosen.seed)
    films = Films(chosen.films, chosen.seed, chosen.without)
    network = Network()
    if chosen.start:
        network.load_state_dict(torch.load(chosen.start))
    optimiser = torch.optim.AdamW(network.parameters(), lr=chosen.rate, weight_decay=1e-4)
    begun, shown, step, share = time.time(), [], 0, 0.0
    while share < 1:
        share = max(step / chosen.steps, (time.time() - begun) / 60 / chosen.minutes if chosen.minutes else 0)
        for group in optimiser.param_groups:
            group["lr"] = chosen.rate * rate_at(min(1, share))
        images, target = films.batch(chosen.batch)
        loss, numbering, overlap = loss_of(network(images), target)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5)
        optimiser.step()
        step += 1
        shown.append((float(numbering), float(overlap)))
        if step % 100 == 0 or share >= 1:
            last = shown[-100:]
            means = [sum(one[i] for one in last) / len(last) for i in (0, 1)]
            line = {"step": step, "numbering": round(means[0], 4), "iou": round(means[1], 4), "seconds": round(time.time() - begun)}
            print(json.dumps(line), flush=True)
            torch.save(network.state_dict(), chosen.out)
            films.reload()
    print("parameters", sum(p.numel() for p in network.parameters()))


def rate_at(share):
    """Rises over the first twentieth, then falls along a cosine to a hundredth."""
    return share / 0.05 + 0.01 if share < 0.05 else 0.01 + 0.99 * (1 + math.cos(math.pi * (share - 0.05) / 0.95)) / 2


if __name__ == "__main__":
    main()
