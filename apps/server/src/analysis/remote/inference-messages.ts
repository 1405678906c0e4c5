import { EngineFault } from "@arcada/analysis/engine";
import type { Outputs, Tensor } from "@arcada/analysis/pack/model-tensors";
import { packRules } from "@arcada/contract/analysis/engine-pack";

/**
 * Builds an inference request: JSON only, or JSON with the values behind it if the server supports the binary
 * extension.
 */
export function encodeInferenceRequest(
  input: { name: string; tensor: Tensor },
  outputs: readonly string[],
  isBinary: boolean,
): { bytes: Uint8Array; headers: Record<string, string> } {
  const { name, tensor } = input;
  const { dims: shape, data } = tensor;
  const one = { name, shape, datatype: "FP32" };
  const wanted = outputs.map((output) => ({
    name: output,
    ...(isBinary && { parameters: { binary_data: true } }),
  }));
  if (!isBinary) {
    const text = JSON.stringify({ inputs: [{ ...one, data: Array.from(data) }], outputs: wanted });
    return { bytes: Buffer.from(text), headers: { "content-type": "application/json" } };
  }
  const head = Buffer.from(
    JSON.stringify({ inputs: [{ ...one, parameters: { binary_data_size: data.byteLength } }], outputs: wanted }),
  );
  return {
    bytes: Buffer.concat([head, Buffer.from(data.buffer, data.byteOffset, data.byteLength)]),
    headers: {
      "content-type": "application/octet-stream",
      "inference-header-content-length": String(head.length),
    },
  };
}

/**
 * Reads the tensors of a server's inference response.
 * @param headLength of the JSON before binary values; null: all is JSON
 * @throws EngineFault wrongShape, notANumber, tooLarge
 */
export function decodeInferenceResponse(bytes: Buffer, headLength: number | null, wanted: readonly string[]): Outputs {
  const end = headLength ?? bytes.length;
  const { outputs } = parseJsonObject(bytes.subarray(0, end)) as { outputs?: unknown };
  if (!Array.isArray(outputs)) throw new EngineFault("wrongShape", "no outputs in the answer");
  const found: Record<string, Tensor> = {};
  let at = end;
  for (const output of outputs as Record<string, unknown>[]) {
    const { name, shape, datatype, data, parameters } = Object(output) as Record<string, unknown>;
    const dims = readShape(shape);
    const size = (Object(parameters) as { binary_data_size?: unknown }).binary_data_size;
    const isBinary = typeof size === "number";
    if (isBinary && (size < 0 || at + size > bytes.length)) throw new EngineFault("wrongShape", "values are missing");
    if (typeof name === "string" && wanted.includes(name))
      found[name] = {
        dims,
        data: isBinary ? decodeFloats(bytes.subarray(at, at + size), datatype) : readFloats(data),
      };
    if (isBinary) at += size;
  }
  return found;
}

export function parseJsonObject(bytes: Buffer): unknown {
  try {
    return Object(JSON.parse(bytes.toString())) as unknown;
  } catch {
    throw new EngineFault("wrongShape", "the answer is not JSON");
  }
}

function readShape(shape: unknown): number[] {
  if (!Array.isArray(shape) || !shape.every((length) => Number.isInteger(length) && length >= 0))
    throw new EngineFault("wrongShape", "an output without a shape");
  if ((shape as number[]).reduce((product, length) => product * length, 1) > packRules.tensorValues)
    throw new EngineFault("tooLarge", (shape as number[]).join(" × "));
  return shape as number[];
}

function readFloats(data: unknown): Float32Array {
  if (!Array.isArray(data)) throw new EngineFault("wrongShape", "an output without values");
  const flat: unknown[] = data.flat(8);
  if (flat.some((value) => typeof value !== "number")) throw new EngineFault("notANumber", "a value that is no number");
  return Float32Array.from(flat as number[]);
}

function decodeFloats(bytes: Buffer, datatype: unknown): Float32Array {
  const whole = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  if (bytes.length % 8 === 0 && datatype === "INT64") return Float32Array.from(new BigInt64Array(whole), Number);
  if (bytes.length % 4 === 0 && datatype === "INT32") return Float32Array.from(new Int32Array(whole));
  if (bytes.length % 4 === 0 && datatype === "FP32") return new Float32Array(whole);
  throw new EngineFault("wrongShape", `values of type ${String(datatype)}`);
}
