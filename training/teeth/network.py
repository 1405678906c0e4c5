"""A small U-Net that says for each cell of 4 pixels which tooth it belongs to and where that tooth's box ends."""
import torch
from torch import nn

from films import NUMBERS


def block(inside, outside, stride=1):
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
        nn.Conv2d(outside, outside, 3, 1, 1, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class Network(nn.Module):
    """Input: 4 × HEIGHT × WIDTH. Output: 1 + 52 classes (logits) and 4 distances in pixels, both at a quarter."""

    def __init__(self, wide=24):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(4, wide, 5, 2, 2, bias=False), nn.BatchNorm2d(wide), nn.ReLU(inplace=True))
        self.down1 = block(wide, wide * 2, 2)
        self.down2 = block(wide * 2, wide * 3, 2)
        self.down3 = block(wide * 3, wide * 4, 2)
        self.down4 = block(wide * 4, wide * 5, 2)
        # Far apart places of the jaw tell each other what they are.
        self.wide = nn.Sequential(
            nn.Conv2d(wide * 5, wide * 5, 3, 1, 2, dilation=2), nn.ReLU(inplace=True), nn.Conv2d(wide * 5, wide * 5, (1, 9), 1, (0, 4)), nn.ReLU(inplace=True)
        )
        self.up3 = block(wide * 9, wide * 4)
        self.up2 = block(wide * 7, wide * 3)
        self.up1 = block(wide * 5, wide * 3)
        self.classes = nn.Conv2d(wide * 3, 1 + len(NUMBERS), 1)
        self.edges = nn.Conv2d(wide * 3, 4, 1)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, image):
        half = self.stem(image)
        one = self.down1(half)
        two = self.down2(one)
        three = self.down3(two)
        four = self.down4(three)
        four = four + self.wide(four)
        three = self.up3(torch.cat([self.up(four), three], 1))
        two = self.up2(torch.cat([self.up(three), two], 1))
        one = self.up1(torch.cat([self.up(two), one], 1))
        return self.classes(one), nn.functional.softplus(self.edges(one)) * 8
