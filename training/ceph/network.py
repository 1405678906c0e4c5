"""A small U-Net that says for each landmark in which cell of 2 pixels it lies, and whether the film is a head that stands
upright and looks to the right."""
import torch
import torch.nn.functional as F
from torch import nn

from shared.network_parts import block, standardise, stem

SIDE, STRIDE = 192, 2
CELLS = SIDE // STRIDE
LANDMARKS = [
    "S", "N", "Or", "Po", "Ba", "Pt", "ANS", "PNS", "A", "U1", "U1a", "L1", "L1a", "U6", "L6", "B", "Pog", "Gn", "Me", "Go",
    "Ar", "Co", "NS", "Prn", "Sn", "Ls", "Li", "Si", "PogS", "MeS",
]


def mean_around(image, radius):
    """The mean of the square around each pixel, whose part beyond the edge does not count."""
    across = F.avg_pool2d(image, (1, 2 * radius + 1), 1, (0, radius), count_include_pad=False)
    return F.avg_pool2d(across, (2 * radius + 1, 1), 1, (radius, 0), count_include_pad=False)


def to_channels(image):
    """Grey values [n, 1, h, w] from 0 to 1 as the network sees them: standardised, standardised by their surroundings, and
    the position."""
    xs = torch.linspace(-1, 1, SIDE)[None, None, None].expand(1, 1, SIDE, SIDE)
    xs, ys = xs.expand(image.shape[0], 1, SIDE, SIDE), xs.transpose(2, 3).expand(image.shape[0], 1, SIDE, SIDE)
    return torch.cat([standardise(image, lambda values: mean_around(values, 9)), xs, ys], 1)


class Network(nn.Module):
    def __init__(self, wide=(16, 28, 40, 64, 80)):
        super().__init__()
        a, b, c, d, e = wide
        self.stem = stem(4, a)
        self.down1, self.down2, self.down3, self.down4 = block(a, b, 2), block(b, c, 2), block(c, d, 2), block(d, e, 2)
        self.context = nn.Sequential(nn.Conv2d(e, e, 3, 1, 2, dilation=2), nn.ReLU(inplace=True), nn.Conv2d(e, e, 3, 1, 1), nn.ReLU(inplace=True))
        self.up3, self.up2 = block(e + d, d), block(d + c, c)
        # The fine detail of the stem, four pixels as channels of one.
        self.detail = nn.Sequential(nn.Conv2d(4 * a, b, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True))
        self.up1 = block(c + 2 * b, 36)
        self.maps = nn.Conv2d(36, 4 * len(LANDMARKS), 1)
        self.upright = nn.Linear(e, 1)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")

    def encode(self, image):
        half = self.stem(to_channels(image))
        one = self.down1(half)
        two = self.down2(one)
        three = self.down3(two)
        four = self.down4(three)
        four = four + self.context(four)
        return half, one, two, three, four

    def judge(self, four):
        return self.upright(four.mean((2, 3)))[:, 0]

    def draw(self, half, one, two, three, four):
        x = self.up3(torch.cat([self.up(four), three], 1))
        x = self.up2(torch.cat([self.up(x), two], 1))
        x = self.up1(torch.cat([self.up(x), one, self.detail(F.pixel_unshuffle(half, 2))], 1))
        return F.pixel_shuffle(self.maps(x), 2)

    def forward(self, image):
        """Logits of the cells for each landmark [n, landmarks, cells, cells], and of the whole film [n]."""
        seen = self.encode(image)
        return self.draw(*seen), self.judge(seen[-1])
