"""The finder of landmarks as a pack's model: a film letterboxed into the frame goes in, grey from 0 to 1, and everything
else is inside, the search for the head's orientation too."""
import torch
from torch import nn

from network import CELLS, LANDMARKS, SIDE, STRIDE

OUTPUTS = ["heatmap", "spread"]
# The maps are read sharper than they are, and a coordinate's variance is this part of the map's, and at least as much.
SHARPER, OF_SPREAD = 2.0, 0.4
# Width of the hill that tells a position, in cells.
HILL = 1.5
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


class Finder(nn.Module):
    """Positions from maps: the mean of each map, pulled by what the other landmarks tell of the head's shape."""

    def __init__(self, shape):
        super().__init__()
        self.register_buffer("mean", torch.tensor(shape["mean"]).view(1, -1))
        self.register_buffer("modes", torch.tensor(shape["modes"]))
        self.register_buffer("one", torch.eye(self.modes.shape[1]))
        self.left = float(shape["left"])

    def forward(self, logits):
        """Positions [1, landmarks, 2] and how far off each may be [1, landmarks], in the frame's pixels; not calibrated."""
        maps = torch.softmax(SHARPER * logits.flatten(2), -1).view(1, len(LANDMARKS), CELLS, CELLS)
        axis = (torch.arange(CELLS).float() + 0.5) * STRIDE
        lines = torch.stack([maps.sum(2), maps.sum(3)], 2)
        found = (lines * axis).sum(-1)
        variance = OF_SPREAD * (lines * (axis - found[..., None]) ** 2).sum(-1) + OF_SPREAD
        found, variance = found.view(1, -1), variance.view(1, -1)
        weight = 1 / (variance + self.left)
        # Bayes: the shape's modes have a normal prior, each coordinate a normal error.
        inverse = invert(self.one + self.modes.t() @ (weight.t() * self.modes), self.one)
        amounts = ((weight * (found - self.mean)) @ self.modes) @ inverse
        expected = self.mean + amounts @ self.modes.t()
        doubt = ((self.modes @ inverse) * self.modes).sum(1)[None]
        # The map gives the rest that the modes leave over, as far as it can be trusted.
        trust = self.left / (self.left + variance)
        places = expected + trust * (found - expected)
        doubt = (doubt + self.left * (1 - trust)).view(1, len(LANDMARKS), 2).sum(-1).clamp(min=0).sqrt()
        return places.view(1, len(LANDMARKS), 2), doubt


def invert(matrix, one):
    """The inverse of a symmetric positive matrix by sweeps (Beaton 1964): ONNX has no operator for it."""
    for at in range(len(one)):
        unit = one[:, at : at + 1]
        others = 1 - unit
        column = matrix @ unit
        pivot = (unit * column).sum()
        rest = column * others
        # The row and the column of the pivot are written anew: what is left of them by subtraction is rounding.
        matrix = (matrix - column @ column.t() / pivot) * (others @ others.t())
        matrix = matrix + (rest @ unit.t() + unit @ rest.t() - unit @ unit.t()) / pivot
    return -matrix


class Product(nn.Module):
    """`heatmap` [1, landmarks, cells, cells]: a hill at each position, as high as it is certain that this is a lateral
    cephalogram; nothing where the place is too doubtful or beyond the frame. `spread` [1, landmarks]: the radius, as a share
    of the frame, in which 9 of 10 true positions of the trial lay."""

    def __init__(self, network, shape, calibration):
        super().__init__()
        self.network, self.finder = network, Finder(shape)
        read = lambda name: torch.tensor([[float(calibration["landmarks"][landmark][name]) for landmark in LANDMARKS]])
        self.register_buffer("factor", read("factor"))
        self.register_buffer("least", read("least"))
        self.register_buffer("widest", read("widest"))
        self.steep, self.middle = calibration["judge"]
        self.shift = float(calibration["shift"])

    def forward(self, image):
        views = torch.cat([oriented(image, flip, quarter) for flip, quarter in TURNS])
        seen = self.network.encode(views)
        judged = self.network.judge(seen[-1])
        best = judged.argmax(0, keepdim=True)
        places, doubt = self.finder(self.network.draw(*[part.index_select(0, best) for part in seen]))
        certain = torch.sigmoid(self.steep * (judged.max() - self.middle))
        spread = ((self.least + self.factor * doubt) ** 2 + self.shift**2).sqrt()
        inside = (places - SIDE / 2).abs().max(-1)[0] < SIDE / 2 - 1
        kept = ((spread <= self.widest) & inside).float() * certain
        heat = self.hills(places / STRIDE) * kept[..., None, None]
        ways_back = torch.cat([put_back(heat, flip, quarter) for flip, quarter in TURNS])
        return ways_back.index_select(0, best), (spread / SIDE).clamp(max=1)

    def hills(self, cells):
        axis = torch.arange(CELLS).float() + 0.5
        lines = torch.exp(-((axis - cells[..., None]) ** 2) / (2 * HILL * HILL))
        lines = lines / lines.max(-1, keepdim=True)[0]
        return lines[:, :, 1, :, None] * lines[:, :, 0, None, :]
