import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { connect } from "node:net";

/** A model that has taken over its process would try these attacks; each field reports what an attack obtained. */
interface AttackTargets {
  read: string[];
  write: string[];
  /** Read by the runtime, which uses the system and not Node. */
  native: string[];
  port: number;
  run: string;
  pid: number;
}
const attempt = async (what: () => unknown): Promise<string> => {
  try {
    await what();
    return "done";
  } catch (error) {
    return String((error as { code?: string }).code ?? (error as Error).message);
  }
};

const loadNative = async (file: string): Promise<void> => {
  const { InferenceSession } = await import("onnxruntime-node");
  await InferenceSession.create(file);
};

const connectTo = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    connect(port, "127.0.0.1", resolve).once("error", reject);
  });

process.on("message", async ({ read, write, native: files, port, run, pid }: AttackTargets) => {
  const attemptEach = async (list: string[], what: (one: string) => unknown): Promise<Record<string, string>> =>
    Object.fromEntries(
      await Promise.all(list.map(async (one) => [one, await attempt(() => what(one))] as [string, string])),
    );
  process.send?.({
    read: await attemptEach(read, (file) => readFileSync(file)),
    write: await attemptEach(write, (file) => writeFileSync(file, "x")),
    native: await attemptEach(files, loadNative),
    network: await attempt(() => connectTo(port)),
    program: await attempt(() => {
      const { error, status } = spawnSync(run, ["--version"]);
      if (error) throw error;
      if (status !== 0) throw new Error(`status ${status}`);
    }),
    parent: await attempt(() => process.kill(pid, 0)),
    here: await attempt(() => {
      throw new Error(readdirSync(process.cwd()).join(" ") || "nothing");
    }),
    environment: Object.keys(process.env).toSorted(),
  });
});
