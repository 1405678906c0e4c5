"""Trains the finder of teeth on intra-oral films. Run by `training/run film`."""
import argparse
import json
import time

import torch
import torch.nn.functional as F

from film_network import FilmNetwork
from intraoral_films import IGNORED, IntraoralFilms
from train import iou, rate_at


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
    overlap = iou(edges.permute(0, 2, 3, 1)[inside], boxes.permute(0, 2, 3, 1)[inside].clamp(min=0)).mean()
    finding = F.binary_cross_entropy_with_logits(findings.permute(0, 2, 3, 1)[inside], present.permute(0, 2, 3, 1)[inside])
    return naming + (1 - overlap) + 0.4 * finding + 0.4 * viewing, naming, overlap, viewing


def main():
    options = argparse.ArgumentParser()
    options.add_argument("films")
    options.add_argument("out")
    options.add_argument("--minutes", type=float, default=30, help="of processor time; the rate is lowered by then")
    options.add_argument("--batch", type=int, default=8)
    options.add_argument("--rate", type=float, default=2.5e-3)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--start", default="", help="weights to go on from")
    chosen = options.parse_args()
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(1)
    films = IntraoralFilms(chosen.films, chosen.seed)
    network = FilmNetwork()
    if chosen.start:
        network.load_state_dict(torch.load(chosen.start))
    optimiser = torch.optim.AdamW(network.parameters(), lr=chosen.rate, weight_decay=1e-4)
    begun, shown, step, share = time.process_time(), [], 0, 0.0
    while share < 1:
        share = (time.process_time() - begun) / 60 / chosen.minutes
        for group in optimiser.param_groups:
            group["lr"] = chosen.rate * rate_at(min(1, share))
        images, targets, views = films.batch(chosen.batch)
        loss, *parts = loss_of(network(images), targets, views)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5)
        optimiser.step()
        step += 1
        shown.append([float(part) for part in parts])
        if step % 25 == 0 or share >= 1:
            last = shown[-25:]
            naming, overlap, viewing = (round(sum(one[i] for one in last) / len(last), 4) for i in range(3))
            films.reload()
            line = {"step": step, "films": len(films.rows), "naming": naming, "iou": overlap, "view": viewing, "seconds": round(time.process_time() - begun)}
            print(json.dumps(line), flush=True)
            torch.save(network.state_dict(), chosen.out)
    print("parameters", sum(p.numel() for p in network.parameters()))


if __name__ == "__main__":
    main()
