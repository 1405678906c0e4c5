"""The finder of landmarks as a pack's model: a film letterboxed into the frame goes in, grey from 0 to 1, and everything
else is inside, the search for the head's orientation too."""
import torch
from torch import nn

from network import CELLS, LANDMARKS, SIDE, STRIDE

# Mirrored or not, and turned counter-clockwise by quarters.
TURNS = [(flip, quarter) for flip in (False, True) for quarter in range(4)]


def oriented(image, flip, quarter):
    """Images [n, channels, side, side], mirrored or not and then turned."""
    image = image.flip(3) if flip else image
    if quarter == 1:
        return image.transpose(2, 3).flip(2)
    if quarter == 2:
        return image.flip(2, 3)
    return image.transpose(2, 3).flip(3) if quarter == 3 else image


def put_back(image, flip, quarter):
    """The other way round."""
    image = oriented(image, False, (4 - quarter) % 4)
    return image.flip(3) if flip else image


class Product(nn.Module):
    """`heatmap` [1, landmarks, cells, cells]: the peak of each is the certainty that this is a lateral cephalogram; a map of
    zeros where the place is too uncertain. `spread` [1, landmarks]: the radius around the peak, as a share of the frame, in
    which 9 of 10 true positions of the trial lay."""

    def __init__(self, network, calibration):
        super().__init__()
        self.network = network
        read = lambda name: torch.tensor([[float(calibration["landmarks"][landmark][name]) for landmark in LANDMARKS]])
        self.register_buffer("factor", read("factor"))
        self.register_buffer("least", read("least"))
        self.register_buffer("widest", read("widest"))
        self.steep, self.middle = calibration["judge"]

    def forward(self, image):
        views = torch.cat([oriented(image, flip, quarter) for flip, quarter in TURNS])
        seen = self.network.encode(views)
        judged = self.network.judge(seen[-1])
        best = judged.argmax(0, keepdim=True)
        logits = self.network.draw(*[part.index_select(0, best) for part in seen])
        certain = torch.sigmoid(self.steep * (judged.max() - self.middle))
        shares = torch.softmax(logits.flatten(2), -1)
        maps = shares.view(1, len(LANDMARKS), CELLS, CELLS)
        spread = self.least + self.factor * map_spread(maps)
        kept = (spread <= self.widest).float() * certain
        heat = (shares / shares.max(-1, keepdim=True)[0] * kept[..., None]).view(1, len(LANDMARKS), CELLS, CELLS)
        ways_back = torch.cat([put_back(heat, flip, quarter) for flip, quarter in TURNS])
        return ways_back.index_select(0, best), (spread / SIDE).clamp(max=1)


def map_spread(maps):
    """The root of the mean squared distance of each map's cells from its middle, in the frame's pixels."""
    axis = (torch.arange(CELLS).float() + 0.5) * STRIDE
    columns, rows = maps.sum(2), maps.sum(3)
    x, y = (columns * axis).sum(-1, keepdim=True), (rows * axis).sum(-1, keepdim=True)
    square = (columns * (axis - x) ** 2).sum(-1) + (rows * (axis - y) ** 2).sum(-1)
    return square.clamp(min=0).sqrt()
