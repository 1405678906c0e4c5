import { Refused } from "./refuse.ts";

/** The refusals of work that succeeds once a part of the server, or the space on its disk, is back. */
export const outages = ["storageFull", "unavailable"] as const;
export type Outage = (typeof outages)[number];
export const isOutage = (refusal: string | null): refusal is Outage => outages.some((outage) => outage === refusal);

/** The system's codes of a server that is not reached, or no longer. */
const connectionCodes = [
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
];
const databaseCodes = [
  // PostgreSQL shuts down, another of its processes crashed, it starts up, it ended an idle session.
  "57P01",
  "57P02",
  "57P03",
  "57P05",
  // Too many connections.
  "53300",
  // No connection, or a lost one; a pooler that has none to give; a server that is a replica, as during a failover.
  "08000",
  "08001",
  "08003",
  "08004",
  "08006",
  "08P01",
  "25006",
];
/** A network's file system is away, or one became read-only. */
const fileSystemCodes = ["ENOTCONN", "EROFS", "ESTALE"];
/**
 * The system's calls that write. If one ends with EIO, the disk is at fault and not a file that was sent. A call that
 * reads or opens is not among them: EIO is also what a single damaged file answers, and its import must not wait for
 * days, because the person who sent it can send it again.
 */
const writingCalls = ["fdatasync", "fsync", "ftruncate", "link", "mkdir", "rename", "unlink", "write"];
/** The file system, or the database, has no space left. */
const fullCodes = ["ENOSPC", "EDQUOT", "53100"];

const outageByCode = new Map<string, Outage>([
  ...fullCodes.map((code) => [code, "storageFull"] as const),
  ...[...connectionCodes, ...databaseCodes, ...fileSystemCodes].map((code) => [code, "unavailable"] as const),
]);

// pg gives no error code when a connection is cut during a query, so the message decides.
const lostConnection = /^(Connection terminated|Client has encountered a connection error|Client was closed)/;

/** Returns the outage that an error tells of; null if the work itself is at fault. */
export function findOutage(error: unknown): Outage | null {
  if (error instanceof Refused) return outages.find((outage) => outage === error.refusal) ?? null;
  if (!(error instanceof Error)) return null;
  if (isBucketAway(error)) return "unavailable";
  const { code, message, syscall = "" } = error as NodeJS.ErrnoException;
  if (code === undefined) return lostConnection.test(message) ? "unavailable" : null;
  if (code === "EIO" && writingCalls.includes(syscall)) return "unavailable";
  return outageByCode.get(code) ?? null;
}

/** The bucket's server answered with an error of its own, or was silent; a time limit of ours is a DOMException. */
function isBucketAway(error: Error): boolean {
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  const isSilent = error.name === "TimeoutError" && !(error instanceof DOMException);
  return isSilent || ($metadata?.httpStatusCode ?? 0) >= 500;
}
