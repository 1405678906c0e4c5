import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { databaseUrl } from "./database-url.ts";
import type { EventLoopFigures } from "../workers/event-loop-monitor.ts";
import { cleanUpAfterFile } from "./file-cleanup.ts";
import { Product } from "./product-process.ts";
import { getTestServer, type TestServer } from "./test-server.ts";

/**
 * The test file's server, which creates people and records quickly, and the product as a separate process that may be
 * killed.
 */
export interface SharedProduct {
  testServer: TestServer;
  product: Product;
  /** The folder in which both keep their files. */
  folder: string;
  readLoopFigures(): EventLoopFigures;
}

export async function startSharedProduct(environment: Record<string, string> = {}): Promise<SharedProduct> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-beside-"));
  const figures = path.join(folder, "loop-figures.json");
  const shared = { DATA_DIR: folder, SECRET_KEY: "a-key-that-both-processes-share-0123" };
  const testServer = await getTestServer(shared);
  const { connection } = testServer.running;
  const product = new Product({
    ...shared,
    // The name distinguishes its connections from those of the test file's server.
    DATABASE_URL: `${databaseUrl(connection)}&application_name=${path.basename(folder)}`,
    LOOP_FIGURES: figures,
    NODE_OPTIONS: `--import=${new URL("../workers/event-loop-monitor.ts", import.meta.url).href}`,
    ...environment,
  });
  cleanUpAfterFile(async () => {
    await product.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  await product.start();
  return {
    testServer,
    product,
    folder,
    readLoopFigures: () => JSON.parse(readFileSync(figures, "utf8")) as EventLoopFigures,
  };
}
