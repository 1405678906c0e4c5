import { open } from "node:fs/promises";
import path from "node:path";
import { Upload } from "tus-js-client";
import type { ArcadaClient } from "./arcada-client.ts";

export interface UploadOptions {
  /** Called with the bytes that have arrived and the bytes of the whole file. */
  onProgress?: (sent: number, all: number) => void;
  signal?: AbortSignal;
}

/**
 * Sends a file by tus 1.0 and continues after interruptions. Returns the id by which `study.open` and `order.save` name
 * the upload.
 */
export async function uploadFile(
  { options: { url, key } }: ArcadaClient,
  file: string,
  { onProgress, signal }: UploadOptions = {},
): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    return await new Promise<string>((resolve, reject) => {
      const content = handle.createReadStream({ autoClose: false });
      content.once("error", reject);
      const upload = new Upload(content, {
        endpoint: `${url}/uploads`,
        uploadSize: size,
        chunkSize: chunkBytes,
        retryDelays: [500, 2000, 5000, 15_000],
        headers: { authorization: `Bearer ${key}` },
        metadata: { filename: path.basename(file) },
        ...(onProgress && { onProgress }),
        onError: reject,
        onSuccess: () => resolve(upload.url?.split("/").at(-1) ?? ""),
      });
      signal?.addEventListener("abort", () => {
        void upload.abort(true).catch(() => {});
        reject(signal.reason as Error);
      });
      upload.start();
    });
  } finally {
    await handle.close();
  }
}

const chunkBytes = 8 * 1024 * 1024;
