"""Parts of the networks. The names of their weights are those of trained weights and of packs."""
import torch
from torch import nn


def block(inside, outside, stride=1):
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
        nn.Conv2d(outside, outside, 3, 1, 1, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


def stem(channels, outside):
    return nn.Sequential(nn.Conv2d(channels, outside, 5, 2, 2, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True))


def standardise(image, mean_around):
    """Films `[n, 1, rows, columns]` of any exposure as two channels: standardised, and standardised by their surroundings.
    `mean_around` gives the mean of the surroundings of each pixel."""
    mean = image.mean((1, 2, 3), keepdim=True)
    spread = ((image - mean) ** 2).mean((1, 2, 3), keepdim=True).sqrt()
    whole = (image - mean) / (spread + 1e-4)
    local = image - mean_around(image)
    local = local / (mean_around(local * local).clamp(min=0).sqrt() + 0.02)
    return torch.cat([whole.clamp(-4, 4), local.clamp(-4, 4)], 1)


def load_weights(network, path):
    """The network with the weights of a file, ready to look at films."""
    network.load_state_dict(torch.load(path, map_location="cpu"))
    return network.eval()
