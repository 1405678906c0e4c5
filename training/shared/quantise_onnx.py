"""Makes a model small: its weights as whole numbers of 8 bits with a scale for each output channel, or as floats of 16
bits. The model computes in floats of 32 bits as before; the runtime restores the weights once, when it loads the model."""
import argparse

import numpy as np
import onnx
from onnx import helper, numpy_helper

KINDS = ["int8", "dequantise", "fp16", "fp32"]
# Smaller tensors are not worth their scales.
LEAST = 256


def quantise(model, kind):
    """@param kind `int8`, `dequantise` (int8 by DequantizeLinear), `fp16` or `fp32`"""
    if kind == "fp32":
        return model
    kept, nodes = [], []
    for one in model.graph.initializer:
        weights = numpy_helper.to_array(one)
        if weights.dtype != np.float32 or weights.size < LEAST or weights.ndim < 2:
            kept.append(one)
        elif kind == "fp16":
            kept.append(numpy_helper.from_array(weights.astype(np.float16), one.name + ".half"))
            nodes.append(helper.make_node("Cast", [one.name + ".half"], [one.name], to=onnx.TensorProto.FLOAT))
        else:
            small, scale = to_int8(weights)
            kept.append(numpy_helper.from_array(small, one.name + ".int8"))
            if kind == "dequantise":
                kept.append(numpy_helper.from_array(scale.reshape(-1), one.name + ".scale"))
                nodes.append(helper.make_node("DequantizeLinear", [one.name + ".int8", one.name + ".scale"], [one.name], axis=0))
            else:
                kept.append(numpy_helper.from_array(scale, one.name + ".scale"))
                nodes.append(helper.make_node("Cast", [one.name + ".int8"], [one.name + ".cast"], to=onnx.TensorProto.FLOAT))
                nodes.append(helper.make_node("Mul", [one.name + ".cast", one.name + ".scale"], [one.name]))
    nodes += model.graph.node
    del model.graph.initializer[:], model.graph.node[:]
    model.graph.initializer.extend(kept)
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    return model


def to_int8(weights):
    """Whole numbers from -127 to 127, and for each output channel what one of them is worth."""
    largest = np.abs(weights.reshape(len(weights), -1)).max(1)
    scale = (np.where(largest > 0, largest, 1) / 127).astype(np.float32).reshape(-1, *[1] * (weights.ndim - 1))
    return np.clip(np.rint(weights / scale), -127, 127).astype(np.int8), scale


def main():
    options = argparse.ArgumentParser()
    options.add_argument("model")
    options.add_argument("out")
    options.add_argument("--kind", choices=KINDS, default="int8")
    chosen = options.parse_args()
    onnx.save(quantise(onnx.load(chosen.model), chosen.kind), chosen.out)


if __name__ == "__main__":
    main()
