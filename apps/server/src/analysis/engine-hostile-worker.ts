import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { connect } from "node:net";

/** A model that has taken over its process would try these attacks; each field reports what an attack obtained. */
interface Tries {
  read: string[];
  write: string[];
  /** Read by the runtime, which uses the system and not Node. */
  native: string[];
  port: number;
  run: string;
  pid: number;
}
const outcome = async (what: () => unknown): Promise<string> => {
  try {
    await what();
    return "done";
  } catch (error) {
    return String((error as { code?: string }).code ?? (error as Error).message);
  }
};

const native = async (file: string): Promise<void> => {
  const { InferenceSession } = await import("onnxruntime-node");
  await InferenceSession.create(file);
};

const reached = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    connect(port, "127.0.0.1", resolve).once("error", reject);
  });

process.on("message", async ({ read, write, native: files, port, run, pid }: Tries) => {
  const tried = async (list: string[], what: (one: string) => unknown): Promise<Record<string, string>> =>
    Object.fromEntries(
      await Promise.all(list.map(async (one) => [one, await outcome(() => what(one))] as [string, string])),
    );
  process.send?.({
    read: await tried(read, (file) => readFileSync(file)),
    write: await tried(write, (file) => writeFileSync(file, "x")),
    native: await tried(files, native),
    network: await outcome(() => reached(port)),
    program: await outcome(() => {
      const { error, status } = spawnSync(run, ["--version"]);
      if (error) throw error;
      if (status !== 0) throw new Error(`status ${status}`);
    }),
    parent: await outcome(() => process.kill(pid, 0)),
    here: await outcome(() => {
      throw new Error(readdirSync(process.cwd()).join(" ") || "nothing");
    }),
    environment: Object.keys(process.env).toSorted(),
  });
});
