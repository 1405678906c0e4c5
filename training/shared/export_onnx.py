"""Exports a network as the ONNX model of a pack. Weights keep their names, so that training can go on from a pack.

Each engine has an `export.py` that wraps its network: the model takes `image` `[1, 1, rows, columns]`, grey
values 0 to 1, and gives probabilities."""
import warnings

import onnx
import torch
from onnx import numpy_helper
from torch.onnx import TrainingMode

OPSET = 13


def export_model(module, shape, outputs, path):
    """Writes `module`, which takes an image of this shape and returns one tensor for each name of `outputs`."""
    module.eval()
    image = torch.rand(shape)
    # Reversing an axis is no constant, as the exporter keeps saying.
    warnings.filterwarnings("ignore", module="torch.onnx")
    torch.onnx.export(
        module, image, path, opset_version=OPSET, input_names=["image"], output_names=outputs,
        # Otherwise batch normalisation melts into the convolutions, and training could not go on from the pack.
        training=TrainingMode.PRESERVE, do_constant_folding=False,
    )
    model = onnx.load(path)
    clean(model)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return model


def clean(model):
    """Drops what only tells of the machine that exported the model: places in the source and names of its version."""
    for node in model.graph.node:
        node.doc_string = ""
    model.doc_string = model.graph.doc_string = ""
    model.producer_name, model.producer_version = "arcada", ""
    model.graph.name = "model"


def read_weights(path):
    """The weights of a model by their names, whatever they are stored as: where training goes on from."""
    model = onnx.load(path)
    arrays = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in model.graph.initializer}
    made = {node.output[0]: node for node in model.graph.node}
    for name, node in made.items():
        if node.op_type == "Mul" and all(one in made or one in arrays for one in node.input):
            cast = made.get(node.input[0])
            if cast is not None and cast.op_type == "Cast" and cast.input[0] in arrays and node.input[1] in arrays:
                arrays[name] = arrays[cast.input[0]].float() * arrays[node.input[1]].float()
    for name, node in made.items():
        if node.op_type == "Cast" and node.input[0] in arrays and name not in arrays:
            arrays[name] = arrays[node.input[0]].float()
    return arrays
