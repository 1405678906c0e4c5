"""The finder of teeth on intra-oral films as a model of a pack: from grey values to probabilities, averaged with the
mirrored film."""
import torch

from film_network import FilmNetwork
from intraoral_films import FINDINGS, REGIONS
from shared.network_parts import load_weights

OUTPUTS = ["classes", "conditions", "edges", "view"]


class FilmFinder(torch.nn.Module):
    """Takes one film and gives three maps and the view. `least`: for each finding the probability that counts as one half;
    None: the finding is never told."""

    def __init__(self, network, least=None):
        super().__init__()
        self.network = network
        gains = [0.0 if one is None else 0.5 / one for one in least or [0.5] * len(FINDINGS)]
        self.register_buffer("gains", torch.tensor(gains).view(1, len(FINDINGS), 1, 1))
        self.register_buffer("sides", torch.tensor([2, 1, 0, 3]))
        # In the mirror a film that is turned to the right is turned to the left.
        mirrored = [4 * region + turn for region in range(len(REGIONS)) for turn in (0, 3, 2, 1)]
        self.register_buffer("turns", torch.tensor(mirrored))

    def forward(self, image):
        kinds, findings, edges, view = self.network(torch.cat([image, image.flip(3)], 0))
        kinds, findings, view = torch.softmax(kinds, 1), torch.sigmoid(findings), torch.softmax(view, 1)
        both = lambda maps: (maps[:1] + maps[1:].flip(3)) / 2
        edges = (edges[:1] + edges[1:].index_select(1, self.sides).flip(3)) / 2
        return both(kinds), (both(findings) * self.gains).clamp(max=1), edges, (view[:1] + view[1:].index_select(1, self.turns)) / 2


def load_film_finder(path, least=None):
    return FilmFinder(load_weights(FilmNetwork(), path), least).eval()
