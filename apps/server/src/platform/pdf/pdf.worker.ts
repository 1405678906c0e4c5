import { parentPort } from "node:worker_threads";
import { renderDocument } from "./render-document.ts";
import type { PdfDocument } from "./pdf-blocks.ts";
import type { TaskResult, WorkerLoaded, TaskFault } from "../runtime/worker-pool.ts";

parentPort?.postMessage({ loaded: true } satisfies WorkerLoaded);
parentPort?.on("message", async (document: PdfDocument) => parentPort?.postMessage(await runTask(document)));

async function runTask(document: PdfDocument): Promise<TaskResult<Uint8Array> | TaskFault> {
  try {
    return { value: await renderDocument(document) };
  } catch (error) {
    return { trouble: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
