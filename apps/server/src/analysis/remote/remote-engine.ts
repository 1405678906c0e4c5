import { EngineFault, type AnalysisEngine } from "@arcada/analysis/engine";
import { analyseWithModel } from "@arcada/analysis/pack/analyse-with-model";
import type { Outputs, Tensor } from "@arcada/analysis/pack/model-tensors";
import type { EngineInfo } from "@arcada/contract/analysis/observation";
import { packInfo, packRules, type PackManifest } from "@arcada/contract/analysis/engine-pack";
import type { PackFault } from "../packs/pack-process.ts";
import type { RemoteServer } from "../engines/engine-task-types.ts";
import { readManifest } from "../packs/pack-file.ts";
import { sendRemoteRequest, type AllowedServers, type RemoteResponse } from "./remote-request.ts";
import { decodeInferenceResponse, encodeInferenceRequest, parseJsonObject } from "./inference-messages.ts";

export type RemoteCheck = { info: EngineInfo } | PackFault;

/** Checks that the remote server may be called, is ready and has the model; returns the description of its engine. */
export async function checkRemoteServer(
  server: RemoteServer,
  reach: AllowedServers,
  signal: AbortSignal,
): Promise<RemoteCheck> {
  try {
    const { manifest, info } = readDescription(server);
    await requireModel({ server, reach, signal }, manifest);
    return { info };
  } catch (error) {
    if (error instanceof EngineFault) return { fault: error.fault, reason: error.reason, detail: error.message };
    throw error;
  }
}

const inferSeconds = 90;

/**
 * Runs a model at a server that speaks the Open Inference Protocol, version 2. The server receives pixels, and nothing
 * about the patient.
 * https://github.com/kserve/open-inference-protocol/blob/main/specification/protocol/inference_rest.md
 */
export async function openRemoteEngine(server: RemoteServer, reach: AllowedServers): Promise<AnalysisEngine> {
  const { manifest, info } = readDescription(server);
  const infer = async (tensor: Tensor): Promise<Outputs> => {
    const connection: ServerConnection = { server, reach, signal: AbortSignal.timeout(inferSeconds * 1000) };
    await requireModel(connection, manifest);
    return requestInference(connection, manifest, tensor);
  };
  return Promise.resolve({ info, analyse: (input) => analyseWithModel(input, manifest, infer) });
}

/** The manifest of a remote engine names no file. */
function readDescription({ manifest: text, card }: RemoteServer): { manifest: PackManifest; info: EngineInfo } {
  const read = readManifest(text, card, { sha256: "0".repeat(64), card: "card.json" });
  return { manifest: read.manifest, info: packInfo(read.manifest, read.card, "remote") };
}

interface ServerConnection {
  server: RemoteServer;
  reach: AllowedServers;
  signal: AbortSignal;
}

const maxMetadataBytes = 1024 * 1024;
const maxResponseBytes = 64 * 1024 * 1024;

const modelPath = ({ model, modelVersion }: RemoteServer): string =>
  `/v2/models/${encodeURIComponent(model)}${modelVersion === null ? "" : `/versions/${encodeURIComponent(modelVersion)}`}`;

function resolveUrl({ address }: RemoteServer, path: string): URL {
  const url = URL.parse(path, address);
  if (!url || !URL.canParse(address)) throw new EngineFault("hostForbidden", address.slice(0, 100));
  return url;
}

const get = ({ server, reach, signal }: ServerConnection, path: string): Promise<RemoteResponse> =>
  sendRemoteRequest({ url: resolveUrl(server, path), token: server.token, maxBytes: maxMetadataBytes, signal }, reach);

/** Checks that the server is ready, and has the model with the inputs and outputs that the manifest names. */
async function requireModel(connection: ServerConnection, { input, outputs }: PackManifest): Promise<void> {
  const ready = await get(connection, "/v2/health/ready");
  if (ready.status !== 200) throw new EngineFault("serverNotReady", `status ${ready.status}`);
  const reply = await get(connection, modelPath(connection.server));
  if (reply.status !== 200) throw new EngineFault("serverRefused", `model: status ${reply.status}`);
  const model = parseJsonObject(reply.bytes) as { inputs?: unknown; outputs?: unknown };
  const own = readNamedTensors(model.inputs).find(({ name }) => name === input.name);
  const wanted = [1, input.channels.length, input.h, input.w];
  const fits =
    own?.datatype === "FP32" &&
    Array.isArray(own.shape) &&
    own.shape.length === wanted.length &&
    own.shape.every((length, at) => length === -1 || length === wanted[at]);
  if (!fits) throw new EngineFault("wrongShape", `input ${input.name}`, "inputDiffers");
  const known = readNamedTensors(model.outputs).map(({ name }) => name);
  for (const name of Object.values(outputs))
    if (name !== undefined && !known.includes(name))
      throw new EngineFault("modelInvalid", `it has no output ${name}`, "outputMissing");
}

const readNamedTensors = (list: unknown): { name?: unknown; datatype?: unknown; shape?: unknown }[] =>
  Array.isArray(list) ? list.map((one) => Object(one) as object) : [];

async function requestInference(
  connection: ServerConnection,
  { input, outputs }: PackManifest,
  tensor: Tensor,
): Promise<Outputs> {
  const { server, reach, signal } = connection;
  if (tensor.data.length > packRules.tensorValues) throw new EngineFault("tooLarge", "the input");
  const wanted = Object.values(outputs).filter((name) => name !== undefined);
  const body = encodeInferenceRequest({ name: input.name, tensor }, wanted, await supportsBinary(connection));
  const url = resolveUrl(server, `${modelPath(server)}/infer`);
  const reply = await sendRemoteRequest({ url, token: server.token, body, maxBytes: maxResponseBytes, signal }, reach);
  if (reply.status !== 200) throw new EngineFault("serverRefused", `status ${reply.status}`);
  const head = reply.headers["inference-header-content-length"];
  return decodeInferenceResponse(reply.bytes, head === undefined ? null : Number(head), wanted);
}

async function supportsBinary(connection: ServerConnection): Promise<boolean> {
  const reply = await get(connection, "/v2");
  if (reply.status !== 200) return false;
  const { extensions } = parseJsonObject(reply.bytes) as { extensions?: unknown };
  return Array.isArray(extensions) && extensions.includes("binary_tensor_data");
}
