import { readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "../runtime/config.ts";

export const claimRules = {
  /** The processes of the holding namespace renew the claim in this interval. */
  renewMs: 4000,
  /** A claim of another namespace that is not renewed for this long is left over from a kill. */
  staleMs: 13_000,
  /** A claim that was this old already when it was found needs no waiting. */
  expiredMs: 120_000,
};

/**
 * Claims a cluster for the processes that can see each other. A process in another container, or on another machine
 * that mounts the same disk, cannot see a running postmaster: it would take the cluster for one that was killed and
 * start it a second time, which destroys it. PostgreSQL's own checks compare process ids and shared memory, and fail
 * there as well.
 */
export class NamespaceClaim {
  readonly #file: string;
  readonly #own: string;
  readonly #rules: typeof claimRules;
  #timer: NodeJS.Timeout | undefined;

  constructor(file: string, own: string = describeNamespace(), rules: typeof claimRules = claimRules) {
    this.#file = file;
    this.#own = own;
    this.#rules = rules;
  }

  /** @throws StartError if processes of another namespace use the cluster. */
  async take(): Promise<void> {
    while (this.#read() !== this.#own) {
      await this.#outliveOther();
      try {
        writeFileSync(this.#file, this.#own, { flag: "wx", mode: 0o600 });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    }
    this.#renew();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#renew(), this.#rules.renewMs).unref();
  }

  /** Ends the renewal; `isLast` also removes the claim, so that another namespace need not wait. */
  release({ isLast }: { isLast: boolean }): void {
    clearInterval(this.#timer);
    if (isLast && this.#read() === this.#own) rmSync(this.#file, { force: true });
  }

  /** Returns when no other namespace holds the claim, or when its holder is found to be dead. */
  async #outliveOther(): Promise<void> {
    const found = this.#renewedAt();
    if (found === null) return;
    const waitMs = this.#measureAge(found) > this.#rules.expiredMs ? 0 : this.#rules.staleMs;
    for (const end = Date.now() + waitMs; Date.now() < end; await sleep(200)) {
      const now = this.#renewedAt();
      if (now === null || this.#read() === this.#own) return;
      if (now !== found) throw new StartError(claimedMessage(this.#file));
    }
    // Only one of several waiting processes succeeds in renaming the same file.
    const aside = `${this.#file}.${process.pid}-${Date.now()}`;
    try {
      renameSync(this.#file, aside);
      rmSync(aside);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }

  /** Compares two times of the same disk: the clocks of two machines may differ. */
  #measureAge(found: number): number {
    const probe = `${this.#file}.probe-${process.pid}`;
    writeFileSync(probe, "");
    const { mtimeMs } = statSync(probe);
    rmSync(probe);
    return mtimeMs - found;
  }

  #renew(): void {
    try {
      if (this.#read() === this.#own) utimesSync(this.#file, new Date(), new Date());
    } catch {
      // The folder is gone or cannot be written: the cluster itself fails then.
    }
  }
  #read(): string | null {
    try {
      return readFileSync(this.#file, "utf8");
    } catch {
      return null;
    }
  }
  #renewedAt(): number | null {
    return statSync(this.#file, { throwIfNoEntry: false })?.mtimeMs ?? null;
  }
}

const claimedMessage = (file: string): string =>
  `Another container or machine runs on this data folder (${file}). Stop it first, or run the command inside of it: docker compose exec, kubectl exec.`;

/** The machine's boot and the process id namespace: in it, process ids mean the same to all processes. */
function describeNamespace(): string {
  if (process.platform !== "linux") return process.platform;
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return "unknown";
  }
}
