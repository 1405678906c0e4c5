import { spawn } from "node:child_process";
import path from "node:path";

export interface Peer {
  address: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts a program of this folder in a separate process, like the product. The program prints its address. */
export function startPeer(file: string, settings: unknown): Promise<Peer> {
  const environment = { ...process.env, NODE_ENV: "production", PEER: JSON.stringify(settings) };
  const child = spawn(process.execPath, [path.join(import.meta.dirname, file)], {
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return new Promise((resolve, reject) => {
    child.stdout.once("data", (line: Buffer) =>
      resolve({ address: line.toString().trim(), pid: child.pid ?? 0, stop }),
    );
    child.once("exit", (code) => reject(new Error(`${file} ended with ${code}`)));
  });
}

/** Returns the settings that `startPeer` passed, in the program that it started. */
export const peerSettings = <T>(): T => JSON.parse(process.env.PEER ?? "null") as T;
