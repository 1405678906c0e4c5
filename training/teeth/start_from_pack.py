"""Takes the weights out of a pack, so that training can go on from them."""
import argparse
import io
import json
import os
import sys
import zipfile

import torch

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from network import Network
from shared.export_onnx import read_weights

LARGEST = 64 * 1024 * 1024


def main():
    options = argparse.ArgumentParser()
    options.add_argument("pack")
    options.add_argument("out")
    options.add_argument("--version-file", default="")
    chosen = options.parse_args()
    with zipfile.ZipFile(chosen.pack) as pack:
        for name in ("manifest.json", "model.onnx"):
            if pack.getinfo(name).file_size > LARGEST:
                sys.exit(f"{name} is larger than {LARGEST} bytes")
        told = json.loads(pack.read("manifest.json"))
        weights = read_weights(io.BytesIO(pack.read("model.onnx")))
    if told.get("task") != "tooth-votes@1":
        sys.exit("This pack is no finder of teeth by votes.")
    network = Network()
    state = network.state_dict()
    for name, value in state.items():
        if name.endswith("num_batches_tracked"):
            continue
        given = weights.get("network." + name)
        if given is None or given.shape != value.shape:
            sys.exit(f"The pack has no weights for {name}: another network made it.")
        state[name] = given.float()
    torch.save(state, chosen.out)
    if chosen.version_file:
        with open(chosen.version_file, "w") as file:
            file.write(told["version"])


if __name__ == "__main__":
    main()
