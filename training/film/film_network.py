"""A small U-Net for intra-oral films: for each cell of 8 pixels the kind of tooth, its box and its findings; for the
whole film the region and how it is turned."""
import torch
from torch import nn

from intraoral_films import FINDINGS, KINDS, REGIONS
from shared.looks import blur
from shared.network_parts import block, standardise, stem


class FilmNetwork(nn.Module):
    """Input: `[n, 1, 192, 192]`, grey values 0 to 1. Output: classes (logits), findings (logits) and 4 distances in
    pixels for each cell; regions × turns (logits) for the film."""

    def __init__(self):
        super().__init__()
        self.stem = stem(2, 16)
        self.down1 = block(16, 24, 2)
        self.down2 = block(24, 56, 2)
        self.down3 = block(56, 96, 2)
        self.down4 = block(96, 128, 2)
        # Teeth and bone far apart tell each other which jaw they belong to.
        self.wide = nn.Sequential(nn.Conv2d(128, 128, 3, 1, 2, dilation=2), nn.ReLU(inplace=True), nn.Conv2d(128, 128, 1), nn.ReLU(inplace=True))
        self.view = nn.Linear(256, 4 * len(REGIONS))
        self.up3 = block(224, 80)
        self.up2 = block(136, 64)
        self.cells = nn.Conv2d(64, 1 + len(KINDS) + len(FINDINGS) + 4, 1)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, image):
        one = self.down1(self.stem(to_channels(image)))
        two = self.down2(one)
        three = self.down3(two)
        four = self.down4(three)
        four = four + self.wide(four)
        view = self.view(torch.cat([four.mean((2, 3)), four.amax((2, 3))], 1))
        three = self.up3(torch.cat([self.up(four), three], 1))
        cells = self.cells(self.up2(torch.cat([self.up(three), two], 1)))
        kinds, findings, edges = torch.split(cells, [1 + len(KINDS), len(FINDINGS), 4], 1)
        return kinds, findings, nn.functional.softplus(edges) * 16, view


def to_channels(image):
    """The film as the first layer sees it: standardised, and standardised by its surroundings. No position: a film may
    lie in any direction."""
    return standardise(image, lambda values: blur(values, 12))
