import type { EngineFaultName, EngineInfo } from "@arcada/contract/analysis/observation";
import type { RemoteServer } from "./engine-task.ts";

export type RemoteAnswer = { info: EngineInfo } | { fault: EngineFaultName; detail: string };

/** Whether a remote server may be asked, is ready and has the model; what its engine says of itself. */
export async function lookAtRemote(server: RemoteServer, signal: AbortSignal): Promise<RemoteAnswer> {
  signal.throwIfAborted();
  return Promise.resolve({ fault: "serverUnreachable", detail: server.address });
}
