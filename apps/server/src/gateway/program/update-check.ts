import { setTimeout as sleep } from "node:timers/promises";
import { version } from "../../platform/runtime/version.ts";
import type { OpenDownload } from "../cloud-connection.ts";
import { healthyMessage, homeVariable, Installation, restartCode } from "./installation.ts";
import { installPackage, ownProduct, removeOldVersions, UpdateRefused, type OfferedPackage } from "./program-update.ts";

/** Arcada is asked soon after the start, when the connection is known to work. */
const firstCheckMs = 60_000;

interface UpdateOptions {
  hours: number;
  download: OpenDownload;
  /** Asks Arcada for the newest package of a product above a version. */
  findLatest(present: { product: NonNullable<ReturnType<typeof ownProduct>>; version: string }): Promise<unknown>;
  log: (line: string) => void;
  /** Ends the program's work; the exit code asks the supervisor for another start. */
  stop(exitCode: number): void;
}

/**
 * Tells the supervisor that this version works: its ports are open. Without a supervisor nobody listens. If the
 * supervisor dies, this program ends too: the next supervisor starts one of its own, which needs the ports.
 */
export function sayHealthy(stop: (exitCode: number) => void): void {
  process.send?.(healthyMessage);
  process.once("disconnect", () => stop(0));
}

/**
 * Looks for signed packages of this program while it runs from an installation that trusts a key; else does nothing.
 * Returns what ends the looking.
 */
export function startUpdateChecks(options: UpdateOptions): () => void {
  const root = process.env[homeVariable];
  const product = ownProduct();
  const stopped = new AbortController();
  if (root && product && options.hours > 0) {
    const installation = new Installation(root);
    if (installation.readUpdateKeys().length > 0)
      void checkAgainAndAgain(installation, product, options, stopped.signal);
  }
  return () => stopped.abort();
}

async function checkAgainAndAgain(
  installation: Installation,
  product: NonNullable<ReturnType<typeof ownProduct>>,
  options: UpdateOptions,
  signal: AbortSignal,
): Promise<void> {
  const periodMs = options.hours * 3_600_000;
  await sleep(Math.min(firstCheckMs, periodMs), undefined, { signal }).catch(() => {});
  while (!signal.aborted) {
    try {
      await removeOldVersions(installation);
      const present = { product, version };
      const offered = (await options.findLatest(present)) as OfferedPackage | null;
      if (offered && (await installPackage(installation, offered, present, options.download))) {
        options.log(`version ${offered.version} is installed: the program starts again`);
        return options.stop(restartCode);
      }
    } catch (error) {
      const reason = error instanceof UpdateRefused ? "is refused" : "cannot be made now";
      options.log(`an update ${reason}: ${(error as Error).message}`);
    }
    await sleep(periodMs, undefined, { signal }).catch(() => {});
  }
}
