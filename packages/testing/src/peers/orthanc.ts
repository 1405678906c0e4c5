import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findFreePort } from "./dcmtk.ts";

/** A running Orthanc, asked by its REST interface. */
export interface Orthanc {
  dicomPort: number;
  get: <T>(path: string) => Promise<T>;
  bytes: (path: string) => Promise<Uint8Array>;
  /** Sends bytes as they are, and all else as JSON. */
  post: <T>(path: string, body: unknown) => Promise<T>;
  remove: (path: string) => Promise<void>;
  /** The end of its log. */
  log: () => string;
  close: () => Promise<void>;
}

const dicomWebPlugin = "/usr/share/orthanc/plugins/libOrthancDicomWeb.so";
export const hasDicomWeb = (): boolean => existsSync(dicomWebPlugin);

/** Starts Orthanc with an empty store of its own; `more` are entries of its configuration. */
export async function startOrthanc(title: string, more: Record<string, unknown> = {}): Promise<Orthanc> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-orthanc-"));
  const [httpPort, dicomPort] = [await findFreePort(), await findFreePort()];
  const file = path.join(folder, "orthanc.json");
  const configuration = {
    Name: title,
    DicomAet: title,
    DicomPort: dicomPort,
    HttpPort: httpPort,
    RemoteAccessAllowed: false,
    AuthenticationEnabled: false,
    StorageDirectory: path.join(folder, "store"),
    IndexDirectory: path.join(folder, "store"),
    StableAge: 1,
    DicomCheckCalledAet: true,
    ...(hasDicomWeb() && { Plugins: [dicomWebPlugin] }),
    ...more,
  };
  writeFileSync(file, JSON.stringify(configuration));
  let log = "";
  const program = spawn("Orthanc", ["--verbose", file], { cwd: folder });
  program.stderr.on("data", (text: Buffer) => (log = (log + text.toString()).slice(-200_000)));
  const closed = new Promise<void>((resolve) => program.once("close", () => resolve()));
  const ask = async (at: string, init: RequestInit = {}): Promise<Response> => {
    const answer = await fetch(`http://127.0.0.1:${httpPort}${at}`, init);
    if (!answer.ok) throw new Error(`Orthanc: ${at}: ${answer.status} ${await answer.text()}\n${log.slice(-3000)}`);
    return answer;
  };
  const orthanc: Orthanc = {
    dicomPort,
    get: async <T>(at: string) => (await (await ask(at)).json()) as T,
    bytes: async (at) => new Uint8Array(await (await ask(at)).arrayBuffer()),
    post: async <T>(at: string, body: unknown) =>
      (await (
        await ask(at, { method: "POST", body: body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body) })
      ).json()) as T,
    remove: async (at) => void (await ask(at, { method: "DELETE" })),
    log: () => log,
    close: async () => {
      program.kill();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  for (let tries = 0; ; tries++) {
    const isUp = await orthanc.get("/system").then(
      () => true,
      () => false,
    );
    if (isUp) return orthanc;
    if (tries > 100 || program.exitCode !== null) throw new Error(`Orthanc did not start: ${log.slice(-3000)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
