"""Exports the finder of landmarks as a product's model: a film letterboxed into the frame goes in, grey from 0 to 1, and
everything else is inside, the search for the head's orientation too."""
import argparse
import json
import warnings

import torch
from torch import nn

from network import CELLS, LANDMARKS, SIDE, STRIDE, Network

TURNS = [(flip, quarter) for flip in (False, True) for quarter in range(4)]


def oriented(image, flip, quarter):
    """The frame mirrored or not, and turned by quarters."""
    image = image.flip(3) if flip else image
    if quarter == 1:
        return image.transpose(2, 3).flip(2)
    if quarter == 2:
        return image.flip(2, 3)
    return image.transpose(2, 3).flip(3) if quarter == 3 else image


def origins():
    """For each orientation: which cell of the oriented frame shows each cell of the frame as it came in."""
    own = torch.arange(CELLS * CELLS).view(1, 1, CELLS, CELLS)
    tables = []
    for flip, quarter in TURNS:
        came_from = oriented(own, flip, quarter).flatten()
        table = torch.empty(CELLS * CELLS, dtype=torch.long)
        table[came_from] = torch.arange(CELLS * CELLS)
        tables.append(table)
    return torch.stack(tables)


class Product(nn.Module):
    """`heatmap` [1, landmarks, cells, cells]: at most the certainty that this is such a film. `spread` [1, landmarks]: the
    radius around the peak, as a share of the frame, in which 9 of 10 true positions of the trial lay."""

    def __init__(self, network, calibration):
        super().__init__()
        self.network = network
        self.register_buffer("origins", origins())
        read = lambda name: torch.tensor([calibration["landmarks"][landmark][name] for landmark in LANDMARKS])
        self.register_buffer("factor", read("factor"))
        self.register_buffer("least", read("least"))
        self.widest = calibration["widest"]
        self.scale, self.shift = calibration["judge"]

    def forward(self, image):
        views = torch.cat([oriented(image, flip, quarter) for flip, quarter in TURNS])
        half, one, two, three, four = self.network.encode(views)
        judged = self.network.judge(four)
        best = judged.argmax(0, keepdim=True)
        pick = lambda values: values.index_select(0, best)
        logits = self.network.draw(pick(half), pick(one), pick(two), pick(three), pick(four))
        certain = torch.sigmoid(self.scale * judged.max() + self.shift)
        shares = torch.softmax(logits.flatten(2), -1)
        maps = shares.view(1, len(LANDMARKS), CELLS, CELLS)
        axis = (torch.arange(CELLS).float() + 0.5) * STRIDE
        columns, rows = maps.sum(2), maps.sum(3)
        x, y = (columns * axis).sum(-1, keepdim=True), (rows * axis).sum(-1, keepdim=True)
        square = (columns * (axis - x) ** 2).sum(-1) + (rows * (axis - y) ** 2).sum(-1)
        spread = self.least + self.factor * square.clamp(min=0).sqrt()
        kept = (spread <= self.widest).float()
        heat = shares / shares.max(-1, keepdim=True)[0] * (certain * kept)[..., None]
        heat = heat.index_select(2, self.origins.index_select(0, best)[0])
        return heat.view(1, len(LANDMARKS), CELLS, CELLS), spread / SIDE


def main():
    options = argparse.ArgumentParser()
    options.add_argument("weights")
    options.add_argument("calibration")
    options.add_argument("out")
    chosen = options.parse_args()
    warnings.filterwarnings("ignore")
    network = Network()
    network.load_state_dict(torch.load(chosen.weights))
    with open(chosen.calibration) as file:
        product = Product(network, json.load(file)).eval()
    torch.onnx.export(
        product, torch.rand(1, 1, SIDE, SIDE), chosen.out, opset_version=13, input_names=["image"], output_names=["heatmap", "spread"]
    )


if __name__ == "__main__":
    main()
