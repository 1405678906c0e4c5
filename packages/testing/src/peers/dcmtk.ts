import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

export function isToolInstalled(program: string): boolean {
  try {
    execFileSync("which", [program], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export interface Storescp {
  port: number;
  /** The text of each object that it has received, as dcmdump prints it. */
  dump: () => string[];
  close: () => void;
}

/** Starts DCMTK's storescp, which may need a moment before it listens. */
export async function startStorescp(title: string, options: readonly string[] = []): Promise<Storescp> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-storescp-"));
  const port = await findFreePort();
  const storescp = spawn("storescp", ["-od", folder, "-aet", title, ...options, String(port)], { stdio: "ignore" });
  return {
    port,
    dump: () =>
      readdirSync(folder).map((file) =>
        execFileSync("dcmdump", ["+U8", path.join(folder, file)], { encoding: "utf8" }),
      ),
    close: () => {
      storescp.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
