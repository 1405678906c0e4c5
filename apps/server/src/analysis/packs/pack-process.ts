import { setTimeout as delay } from "node:timers/promises";
import type { EngineReason } from "@arcada/contract/analysis/engine-reasons";
import type { EngineFaultName, EngineInfo } from "@arcada/contract/analysis/observation";
import {
  firstFileDescriptor,
  isPackageInstalled,
  openSandbox,
  type Sandbox,
  type SandboxedProgram,
} from "../../platform/runtime/sandbox.ts";
import type {
  EngineChoice,
  EngineOutcome,
  EngineSource,
  EngineTask,
  FileReference,
  PackTrust,
} from "../engines/engine-task-types.ts";

export interface PackDescription {
  info: EngineInfo;
  /** Text of `manifest.json`, as it was signed. */
  manifest: string;
  licence: string;
  /** The name of the trusted key that signed it; null: it is not signed. */
  signedBy: string | null;
}

export type PackTask = Omit<EngineTask, "engine"> & { engine: Extract<EngineChoice, { kind: "pack" }> };
export type PackProcessTask =
  | { do: "run"; task: PackTask }
  | { do: "look"; path: FileReference; trust: PackTrust }
  /** Checks that everything the child process needs can be loaded. */
  | { do: "probe" };
/** `detail` is for the log; `reason` may be shown to the user. */
export interface PackFault {
  fault: EngineFaultName;
  reason: EngineReason | null;
  detail: string;
}
export type PackProcessResult =
  | { outcome: EngineOutcome }
  | { pack: PackDescription }
  | PackFault
  | { trouble: string };

interface SandboxOptions {
  timeoutMs: number;
  signal: AbortSignal;
  onProgress: (share: number) => void;
  /** Receives the bytes that the process holds in memory, some twenty times a second, where the system reports them. */
  onMemory?: (bytes: number) => void;
}

const nativeRuntime = "onnxruntime-node";
const wasmRuntime = "onnxruntime-web";
const basePackages = ["@arcada/analysis", "@arcada/contract", "@arcada/imaging", "sharp", "yauzl"];

/** This program loads and runs a pack's model; it lists all the code that the child process needs. */
export const packProgram: SandboxedProgram = {
  script: new URL("./pack.child.ts", import.meta.url),
  sources: ["..", "../../platform", "../../../package.json"].map((place) => new URL(place, import.meta.url)),
  // An operator may add the native runtime while the server runs. Where it is installed, the other one may be needed all
  // the same: the native one has no binary for some systems, and cannot be loaded there.
  get packages() {
    return [...basePackages, wasmRuntime, ...(isPackageInstalled(nativeRuntime) ? [nativeRuntime] : [])];
  },
  probe: { do: "probe" } satisfies PackProcessTask,
};

/** The same program without the native runtime, even where it is installed: for measurements and tests. */
export const wasmPackProgram: SandboxedProgram = { ...packProgram, packages: [...basePackages, wasmRuntime] };

/**
 * Runs the task in a separate process and ends the process: a thread does not release the memory that its libraries
 * allocate, and nothing else stops them. The process is confined as closely as the system permits (`sandbox.ts`), and
 * reads no files except the pack and the image, which are opened for it.
 * @throws the signal's reason; errors that are not the pack's fault
 */
export async function runInSandbox(
  task: PackProcessTask,
  { timeoutMs, signal, onProgress, onMemory }: SandboxOptions,
  program: SandboxedProgram = packProgram,
): Promise<Exclude<PackProcessResult, { trouble: string }>> {
  signal.throwIfAborted();
  const missing = program.packages.find((name) => !isPackageInstalled(name));
  if (missing !== undefined)
    return { fault: "runtimeMissing", reason: "runtimeNotInstalled", detail: `${missing} is not installed` };
  const { files, given } = replacePathsByFileNumbers(task);
  const cpuSeconds = Math.ceil((cpuShare * timeoutMs) / 1000) + 10;
  const sandbox = await openSandbox(program, { files, cpuSeconds });
  const ended = new AbortController();
  try {
    const answer = await Promise.race([
      awaitResult(sandbox, given, onProgress),
      delay(timeoutMs, { fault: "timeout", reason: null, detail: `after ${timeoutMs} ms` } as const, {
        ref: false,
        signal: ended.signal,
      }),
      awaitMemoryExcess(sandbox, ended.signal, onMemory),
      awaitAbort(signal, ended.signal),
    ]);
    if ("trouble" in answer) throw new Error(answer.trouble);
    return answer;
  } finally {
    ended.abort();
    await sandbox.close();
  }
}

/**
 * The model runs on one core, and images are read by a few threads; the limit holds even when nobody waits any more.
 */
const cpuShare = 2;

/** Returns the task with the numbers of open files in place of paths. */
function replacePathsByFileNumbers(task: PackProcessTask): { files: string[]; given: PackProcessTask } {
  const files: string[] = [];
  const handed = (file: FileReference): number => firstFileDescriptor - 1 + files.push(String(file));
  if (task.do === "probe") return { files, given: task };
  if (task.do === "look") return { files, given: { ...task, path: handed(task.path) } };
  const { engine, source } = task.task;
  const own = {
    ...task.task,
    engine: { ...engine, path: handed(engine.path) },
    source: replaceSourcePaths(source, handed),
  };
  return { files, given: { do: "run", task: own } };
}
function replaceSourcePaths(source: EngineSource, handed: (file: FileReference) => number): EngineSource {
  if (source.kind === "picture") return { ...source, path: handed(source.path) };
  return source.groups === null
    ? { ...source, path: handed(source.path) }
    : { ...source, groups: source.groups.map(handed) };
}

const awaitResult = (
  { child }: Sandbox,
  task: PackProcessTask,
  onProgress: (share: number) => void,
): Promise<PackProcessResult> =>
  new Promise((resolve, reject) => {
    child.on("message", (message: PackProcessResult | { step: number }) => {
      if ("step" in message) onProgress(message.step);
      else resolve(message);
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve({ fault: "died", reason: null, detail: String(signal ?? code) }));
    // If the child has ended already, its exit event reports it.
    child.send(task, () => {});
  });

const awaitAbort = (signal: AbortSignal, ended: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { signal: ended });
  });

const maxMegabytes = 1536;
const memoryCheckIntervalMs = 50;

/**
 * Resolves with a fault when the process holds too much memory. If the system does not report its memory, only its time
 * is limited.
 */
async function awaitMemoryExcess(
  sandbox: Sandbox,
  ended: AbortSignal,
  onMemory: SandboxOptions["onMemory"],
): Promise<PackFault> {
  while (!ended.aborted) {
    const bytes = await sandbox.memory();
    if (bytes === null) break;
    onMemory?.(bytes);
    if (bytes > maxMegabytes * 1024 * 1024)
      return { fault: "memory", reason: null, detail: `more than ${maxMegabytes} MB` };
    await delay(memoryCheckIntervalMs, undefined, { ref: false });
  }
  return new Promise(() => {});
}
