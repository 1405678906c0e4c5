/**
 * The thresholds in Mbit/s for a medium and for a strong connection; the probe's size in bytes and its timeout in
 * seconds.
 */
export const speedRules = { mediumFrom: 3, strongFrom: 7, bytes: 381_909, seconds: 15 } as const;
export type SignalStrength = "weak" | "medium" | "strong";

export const classifySpeed = (mbps: number): SignalStrength =>
  mbps < speedRules.mediumFrom ? "weak" : mbps < speedRules.strongFrom ? "medium" : "strong";

export const toMbps = (bytes: number, milliseconds: number): number => (bytes * 8) / 1000 / Math.max(1, milliseconds);

/** Fetches the probe and returns the speed in Mbit/s; 0 if it failed. */
export async function measureSpeed(): Promise<number> {
  const start = performance.now();
  try {
    const response = await fetch("/v1/base/speedProbe", {
      cache: "no-store",
      signal: AbortSignal.timeout(speedRules.seconds * 1000),
    });
    if (!response.ok) return 0;
    const { byteLength } = await response.arrayBuffer();
    return toMbps(byteLength, performance.now() - start);
  } catch {
    return 0;
  }
}

interface Connection {
  saveData?: boolean;
  type?: string;
}
/** True if the connection may be metered. Then nothing is measured without the user's request. */
export function isMetered(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return connection?.saveData === true || connection?.type === "cellular";
}
