import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { healthyMessage, homeVariable, restartCode, type InstalledState, type Installation } from "./installation.ts";

/** A setting is wrong, which no restart mends soon: a person changes it, and the next start reads it. */
const slowRestartMs = 60_000;
/** The most often that a new version is started before it counts as failed: a power cut is no fault of the version. */
const maxTrialStarts = 2;

export interface SupervisorOptions {
  /** The time in which a new version must become healthy. */
  trialMs: number;
  log: (line: string) => void;
}

/**
 * Starts the program, and starts it again when it ends. A new version is on trial: if it does not become healthy in
 * time, it is stopped, never tried again, and the version before runs again.
 */
export class Supervisor {
  readonly #installation: Installation;
  readonly #options: SupervisorOptions;
  readonly #stopped = new AbortController();
  #child: ChildProcess | null = null;

  constructor(installation: Installation, options: SupervisorOptions) {
    this.#installation = installation;
    this.#options = options;
  }

  /** Resolves after `stop`, when the program has ended. */
  async run(): Promise<void> {
    let failures = 0;
    while (!this.#stopped.signal.aborted) {
      const state = await this.#beginTrial(this.#installation.readState());
      const startedAt = Date.now();
      const code = await (state.trial ? this.#runTrial(state, state.trial.version) : this.#runProgram(state.current));
      if (this.#stopped.signal.aborted) return;
      if (code === restartCode || code === trialFailed) continue;
      failures = Date.now() - startedAt > slowRestartMs ? 0 : failures + 1;
      const pauseMs = Math.min(1000 * 2 ** Math.min(failures, 6), slowRestartMs);
      this.#options.log(`the program ended with ${code}: it is started again in ${Math.round(pauseMs / 1000)} s`);
      await sleep(pauseMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
    }
  }
  stop(): void {
    this.#stopped.abort();
    this.#child?.kill("SIGTERM");
  }

  /** Counts the start before it happens, so that a version that takes the machine down is not tried for ever. */
  async #beginTrial(state: InstalledState): Promise<InstalledState> {
    const { trial } = state;
    if (!trial) return state;
    if (trial.starts >= maxTrialStarts) return this.#reject(state, trial.version, "was started too often");
    const begun = { ...state, trial: { ...trial, starts: trial.starts + 1 } };
    await this.#installation.writeState(begun);
    return begun;
  }

  async #runTrial(state: InstalledState, version: string): Promise<number | null> {
    this.#options.log(`version ${version} is started on trial`);
    let isHealthy = false;
    const onHealthy = async (): Promise<void> => {
      isHealthy = true;
      clearTimeout(timer);
      const { failed, current } = state;
      await this.#installation.writeState({ failed, current: version, previous: current, trial: null });
      this.#options.log(`version ${version} is healthy`);
    };
    const timer = setTimeout(() => this.#child?.kill("SIGKILL"), this.#options.trialMs);
    const code = await this.#runProgram(version, onHealthy);
    clearTimeout(timer);
    if (isHealthy || this.#stopped.signal.aborted) return code;
    await this.#reject(state, version, `did not become healthy (${code ?? "no answer"})`);
    return trialFailed;
  }

  async #reject(state: InstalledState, version: string, why: string): Promise<InstalledState> {
    const rejected = { ...state, trial: null, failed: [...state.failed, version] };
    await this.#installation.writeState(rejected);
    this.#options.log(`version ${version} ${why}: version ${state.current} runs again`);
    return rejected;
  }

  /** Returns the exit code; null after a signal, or if the program could not be started. */
  async #runProgram(version: string, onHealthy: () => Promise<void> = async () => {}): Promise<number | null> {
    const installation = this.#installation;
    const environment = { ...process.env, ...installation.readSettings(), [homeVariable]: installation.root };
    const child = spawn(installation.runtime(version), [installation.program(version)], {
      cwd: installation.root,
      env: environment,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    this.#child = child;
    let handled = Promise.resolve();
    child.on("message", (message) => {
      // A full disk must not end the supervisor with the program that it keeps running.
      if (message === healthyMessage)
        handled = handled
          .then(onHealthy)
          .catch((error: unknown) => this.#options.log(`version ${version} cannot be recorded: ${String(error)}`));
    });
    const code = await new Promise<number | null>((resolve) => {
      child.once("error", () => resolve(null));
      child.once("exit", (exit) => resolve(exit));
    });
    await handled;
    return code;
  }
}
const trialFailed = -1;
