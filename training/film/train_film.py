"""Trains the finder of teeth on intra-oral films. Run by `training/run film`."""
import json
import os
import sys
import time

import torch
import torch.nn.functional as F

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from film_network import FilmNetwork
from intraoral_films import IGNORED, IntraoralFilms
from shared.boxes import overlap_of_edges
from shared.training_steps import begin, look_at, mean_of_last, rate_at, save_weights, take_step, training_options


def loss_of(output, targets, views):
    kinds, findings, edges, view = output
    classes, present, boxes = targets
    weight = torch.ones(kinds.shape[1])
    weight[0] = 0.4
    naming = F.cross_entropy(kinds, classes, weight=weight, ignore_index=IGNORED)
    viewing = F.cross_entropy(view, views)
    inside = classes > 0
    if not inside.any():
        return naming + 0.3 * viewing, naming, torch.zeros(()), viewing
    overlap = overlap_of_edges(edges.permute(0, 2, 3, 1)[inside], boxes.permute(0, 2, 3, 1)[inside].clamp(min=0)).mean()
    finding = F.binary_cross_entropy_with_logits(findings.permute(0, 2, 3, 1)[inside], present.permute(0, 2, 3, 1)[inside])
    return naming + (1 - overlap) + 0.4 * finding + 0.4 * viewing, naming, overlap, viewing


def upright_at(share):
    """Upright films alone for a third of the time, then more and more in all four directions: a network that must tell
    jaws and directions at once learns neither for long."""
    return min(1.0, max(0.0, 2.0 - 3 * share))


def main():
    options = training_options(batch=8, rate=2.5e-3)
    options.add_argument("--minutes", type=float, default=30, help="of processor time; the rate is lowered by then")
    chosen = options.parse_args()
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(1)
    films = IntraoralFilms(chosen.films, chosen.seed)
    network, optimiser = begin(FilmNetwork, chosen)
    begun, shown, step, share = time.process_time(), [], 0, 0.0
    while share < 1:
        share = (time.process_time() - begun) / 60 / chosen.minutes
        films.upright = upright_at(share)
        images, targets, views = films.batch(chosen.batch)
        loss, *parts = loss_of(look_at(network, images), targets, views)
        take_step(network, optimiser, loss, chosen.rate * rate_at(min(1, share)))
        step += 1
        shown.append([float(part) for part in parts])
        if step % 25 == 0 or share >= 1:
            naming, overlap, viewing = (round(mean, 4) for mean in mean_of_last(shown, 25))
            films.reload()
            line = {"step": step, "films": len(films.rows), "naming": naming, "iou": overlap, "view": viewing, "seconds": round(time.process_time() - begun)}
            print(json.dumps(line), flush=True)
            save_weights(network, chosen.out)
    print("parameters", sum(p.numel() for p in network.parameters()))


if __name__ == "__main__":
    main()
