"""Trains the finder of landmarks on drawn cephalograms. Run by `training/run ceph`."""
import json
import os
import sys
import time

import torch
import torch.nn.functional as F

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from films import Films, targets
from network import CELLS, LANDMARKS, STRIDE, Network
from shared.training_steps import DEVICE, begin, mean_of_last, save_weights, take_step, training_options


def mean_place(share):
    """The mean position of each map in the frame's pixels."""
    axis = (torch.arange(CELLS) + 0.5) * STRIDE
    return torch.stack([(share.sum(2) * axis).sum(-1), (share.sum(3) * axis).sum(-1)], -1)


def run(network, images, upright):
    """Maps of the upright heads alone, and the judgement of every film; in half precision, which takes half the time."""
    with torch.autocast(DEVICE, dtype=torch.bfloat16):
        seen = network.encode(images.to(DEVICE))
        judged = network.judge(seen[-1])
        heads = (upright > 0.5).to(DEVICE)
        logits = network.draw(*[part[heads] for part in seen])
    return logits.float().to("cpu"), judged.float().to("cpu")


def loss_of(output, points, upright, wide):
    logits, judged = output
    hills, seen = targets(points[upright > 0.5], wide)
    points = points[upright > 0.5]
    seen = seen.float()
    count = seen.sum().clamp(min=1)
    log_share = torch.log_softmax(logits.flatten(2), -1)
    maps = (-(hills.flatten(2) * log_share).sum(-1) * seen).sum() / count
    found = mean_place(log_share.exp().view_as(logits))
    away = ((found - points) ** 2).sum(-1).add(1e-4).sqrt()
    away = (away.clamp(max=60) * seen).sum() / count
    whole = F.binary_cross_entropy_with_logits(judged, upright)
    right = ((judged > 0) == (upright > 0.5)).float().mean()
    return maps + 0.15 * away + whole, {"maps": float(maps), "away": float(away), "right": float(right)}


def main():
    options = training_options(batch=8, rate=3e-3)
    options.add_argument("--others", nargs="*", default=[], help="folders of drawn films of other kinds")
    options.add_argument("--first", type=int, default=0, help="the number of the first film to train on")
    options.add_argument("--steps", type=int, default=2000)
    options.add_argument("--minutes", type=float, default=1e9)
    chosen = options.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(chosen.seed)
    films = Films(chosen.films, chosen.seed, chosen.others, chosen.first)
    network, optimiser = begin(Network, chosen)
    print(json.dumps({"parameters": sum(p.numel() for p in network.parameters()), "landmarks": len(LANDMARKS), "films": len(films.rows)}), flush=True)
    begun, shown = time.time(), []
    for step in range(1, chosen.steps + 1):
        # The share of the training that is over, by steps or by time: the rate rises for a tenth and then falls to nothing.
        done = max(step / chosen.steps, (time.time() - begun) / 60 / chosen.minutes)
        if done >= 1:
            break
        rise = min(1.0, step / 60) if chosen.start else min(1.0, step / 120)
        rate = chosen.rate * rise * 0.5 * (1 + torch.cos(torch.tensor(done * 3.14159)).item())
        images, points, upright = films.batch(chosen.batch)
        if upright.sum() < 2:
            continue
        loss, parts = loss_of(run(network, images, upright), points, upright, 1.6 - 0.7 * done if chosen.start else 2.0 - 1.1 * done)
        take_step(network, optimiser, loss, rate)
        shown.append(parts)
        if step % 25 == 0:
            line = {name: round(mean, 3) for name, mean in zip(parts, mean_of_last([part.values() for part in shown], 25))}
            print(json.dumps({"step": step, **line, "seconds": round(time.time() - begun)}), flush=True)
            save_weights(network, chosen.out)
            films.refresh()
    save_weights(network, chosen.out)


if __name__ == "__main__":
    main()
