"""Parts of every training: its options, the course of the rate, and one step."""
import argparse
import math

import torch


# A graphics processor where there is one. Films and losses stay on the processor: only the network moves.
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def training_options(batch, rate):
    """@param batch, rate what is taken unless something else is asked for"""
    options = argparse.ArgumentParser()
    options.add_argument("films")
    options.add_argument("out")
    options.add_argument("--batch", type=int, default=batch)
    options.add_argument("--rate", type=float, default=rate)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--start", default="", help="weights to go on from")
    return options


def begin(make_network, chosen):
    """The network, with the weights to go on from if there are any, and its optimiser."""
    network = make_network()
    if chosen.start:
        network.load_state_dict(torch.load(chosen.start, map_location="cpu"))
    network.to(DEVICE)
    return network, torch.optim.AdamW(network.parameters(), lr=chosen.rate, weight_decay=1e-4)


def look_at(network, images):
    """What the network gives for these films, back on the processor."""
    return tuple(one.to("cpu") for one in network(images.to(DEVICE)))


def save_weights(network, path):
    """Weights that a machine without a graphics processor reads, too."""
    torch.save({name: value.cpu() for name, value in network.state_dict().items()}, path)


def rate_at(share):
    """Rises over the first twentieth, then falls along a cosine to a hundredth."""
    return share / 0.05 + 0.01 if share < 0.05 else 0.01 + 0.99 * (1 + math.cos(math.pi * (share - 0.05) / 0.95)) / 2


def take_step(network, optimiser, loss, rate):
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 5)
    optimiser.step()


def mean_of_last(rows, count):
    """The mean of each column over the last rows."""
    last = rows[-count:]
    return [sum(column) / len(last) for column in zip(*last)]
