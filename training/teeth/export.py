"""The finder of teeth as a model of a pack: from grey values to probabilities, averaged with the mirrored film."""
import torch

from films import MIRROR

OUTPUTS = ["classes", "conditions", "edges"]


class Finder(torch.nn.Module):
    """Takes one film and gives its three maps."""

    def __init__(self, network):
        super().__init__()
        self.network = network
        self.register_buffer("mirror", torch.tensor(MIRROR))
        self.register_buffer("sides", torch.tensor([2, 1, 0, 3]))

    def forward(self, image):
        logits, states, edges = self.network(torch.cat([image, image.flip(3)], 0))
        chances, states = torch.softmax(logits, 1), torch.softmax(states, 1)
        classes = (chances[:1] + chances[1:].index_select(1, self.mirror).flip(3)) / 2
        conditions = (states[:1] + states[1:].flip(3)) / 2
        return classes, conditions, (edges[:1] + edges[1:].index_select(1, self.sides).flip(3)) / 2
