import { parentPort } from "node:worker_threads";
import { setPaper } from "./page.ts";
import type { PdfDocument } from "./pdf.ts";
import type { Answer, Loaded, Trouble } from "../runtime/worker-pool.ts";

parentPort?.postMessage({ loaded: true } satisfies Loaded);
parentPort?.on("message", async (paper: PdfDocument) => parentPort?.postMessage(await answer(paper)));

async function answer(paper: PdfDocument): Promise<Answer<Uint8Array> | Trouble> {
  try {
    return { value: await setPaper(paper) };
  } catch (error) {
    return { trouble: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
