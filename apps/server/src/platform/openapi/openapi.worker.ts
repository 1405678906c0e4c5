import { promisify } from "node:util";
import { parentPort } from "node:worker_threads";
import { gzip } from "node:zlib";
import { buildOpenApi } from "./openapi-document.ts";
import type { OpenApiBytes } from "./serve-api-reference.ts";

const plain = Buffer.from(JSON.stringify(buildOpenApi()));
const bytes: OpenApiBytes = { plain, compressed: await promisify(gzip)(plain) };
parentPort?.postMessage(bytes);
