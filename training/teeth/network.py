"""A small U-Net that says for each cell of 4 pixels which tooth it belongs to and where that tooth's box ends."""
import torch
from torch import nn

from films import CONDITIONS, NUMBERS
from shared.looks import blur
from shared.network_parts import block, standardise, stem


class Network(nn.Module):
    """Input: 1 × HEIGHT × WIDTH, grey values 0 to 1. Output, all at a quarter of its size: 1 + 52 classes (logits),
    conditions (logits), 4 distances in pixels to the left, top, right and bottom edge of the tooth's box."""

    def __init__(self):
        super().__init__()
        self.stem = stem(4, 16)
        self.down1 = block(16, 32, 2)
        self.down2 = block(32, 64, 2)
        self.down3 = block(64, 96, 2)
        self.down4 = block(96, 144, 2)
        # Far apart places of the jaw tell each other what they are.
        self.wide = nn.Sequential(
            nn.Conv2d(144, 144, 3, 1, 2, dilation=2), nn.ReLU(inplace=True), nn.Conv2d(144, 144, (1, 9), 1, (0, 4)), nn.ReLU(inplace=True)
        )
        self.up3 = block(240, 96)
        self.up2 = block(160, 48)
        self.up1 = block(80, 48)
        self.classes = nn.Conv2d(48, 1 + len(NUMBERS), 1)
        self.conditions = nn.Conv2d(48, len(CONDITIONS), 1)
        self.edges = nn.Conv2d(48, 4, 1)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, image):
        half = self.stem(to_channels(image))
        one = self.down1(half)
        two = self.down2(one)
        three = self.down3(two)
        four = self.down4(three)
        four = four + self.wide(four)
        three = self.up3(torch.cat([self.up(four), three], 1))
        two = self.up2(torch.cat([self.up(three), two], 1))
        one = self.up1(torch.cat([self.up(two), one], 1))
        return self.classes(one), self.conditions(one), nn.functional.softplus(self.edges(one)) * 8


def to_channels(image):
    """The film as the first layer sees it: standardised, standardised by its surroundings, and the position."""
    rows, columns = image.shape[-2:]
    xs = torch.linspace(-1, 1, columns).expand(image.shape)
    ys = torch.linspace(-1, 1, rows)[:, None].expand(image.shape)
    return torch.cat([standardise(image, lambda values: blur(values, 12)), xs, ys], 1)
