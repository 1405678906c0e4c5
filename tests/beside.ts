import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { urlOf } from "./fresh-url.ts";
import type { LoopFigures } from "./loop-figures.ts";
import { Product } from "./product.ts";
import { server, type TestServer } from "./world.ts";

/**
 * The test file's server, which creates people and records quickly, and the product as a separate process that may be
 * killed.
 */
export interface Beside {
  here: TestServer;
  product: Product;
  /** The folder in which both keep their files. */
  folder: string;
  figures(): LoopFigures;
}

export async function beside(environment: Record<string, string> = {}): Promise<Beside> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-beside-"));
  const figures = path.join(folder, "loop-figures.json");
  const shared = { DATA_DIR: folder, SECRET_KEY: "a-key-that-both-processes-share-0123" };
  const here = await server(shared);
  const { connection } = here.running;
  const product = new Product({
    ...shared,
    // The name distinguishes its connections from those of the test file's server.
    DATABASE_URL: `${urlOf(connection)}&application_name=${path.basename(folder)}`,
    LOOP_FIGURES: figures,
    NODE_OPTIONS: `--import=${new URL("./loop-figures.ts", import.meta.url).href}`,
    ...environment,
  });
  afterAll(async () => {
    await product.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  await product.start();
  return { here, product, folder, figures: () => JSON.parse(readFileSync(figures, "utf8")) as LoopFigures };
}
