import { promisify } from "node:util";
import { parentPort } from "node:worker_threads";
import { gzip } from "node:zlib";
import { buildOpenApi } from "./openapi-document.ts";

/** The document as it is sent, and compressed. */
export interface OpenApiBytes {
  plain: Uint8Array;
  compressed: Uint8Array;
}

const plain = Buffer.from(JSON.stringify(buildOpenApi()));
const bytes: OpenApiBytes = { plain, compressed: await promisify(gzip)(plain) };
parentPort?.postMessage(bytes);
