import type { FastifyInstance } from "fastify";
import type { Config } from "../runtime/config.ts";
import { limitedAddress } from "../security/address-for-limits.ts";
import { isMonitoringPath } from "./host-guard.ts";
import { isLoopback } from "./loopback-host.ts";
import { refuse } from "./refuse.ts";

export interface RateLimits {
  /** The average that an address may keep up; 0: no limit. */
  perSecond: number;
  /** The number of seconds whose requests may come at once: opening a study asks for hundreds of files. */
  burstSeconds: number;
  /** The number of addresses that are remembered. */
  maxAddresses: number;
}
export const toRateLimits = ({ RATE_LIMIT }: Config): RateLimits => ({
  perSecond: RATE_LIMIT,
  burstSeconds: 20,
  maxAddresses: 20_000,
});

/**
 * Refuses the requests of an address that makes far more than any clinic (decision 108). Each process counts for
 * itself. This machine is not limited: behind a proxy that `TRUST_PROXY` does not announce, everybody has its address.
 */
export function limitRequests(app: FastifyInstance, limits: RateLimits): void {
  if (limits.perSecond === 0) return;
  const admit = createRateLimiter(limits);
  app.addHook("onRequest", async (request, reply) => {
    if (isLoopback(request.ip) || isMonitoringPath(request.url)) return;
    const waitMs = admit(limitedAddress(request.ip), performance.now());
    if (waitMs === 0) return;
    reply.header("retry-after", Math.ceil(waitMs / 1000));
    refuse("tooManyRequests");
  });
}

const inspectedAddresses = 8;
/**
 * Returns a function that counts a request and answers 0, or the milliseconds to wait, which count as no request. It is
 * the generic cell rate algorithm (ITU-T I.371): one number for each address, the time at which its quota is full again.
 */
export function createRateLimiter({ perSecond, burstSeconds, maxAddresses }: RateLimits) {
  const intervalMs = 1000 / perSecond;
  const toleranceMs = burstSeconds * 1000 - intervalMs;
  const fullAt = new Map<string, number>();
  let sweptAt = 0;
  return (address: string, now: number): number => {
    const due = Math.max(fullAt.get(address) ?? 0, now);
    if (due - now > toleranceMs) return due - now - toleranceMs;
    if (fullAt.size >= maxAddresses && !fullAt.has(address)) makeRoom(now);
    fullAt.set(address, due + intervalMs);
    return 0;
  };
  function makeRoom(now: number): void {
    // At most once a second: with more addresses than fit, every request would search them all.
    if (now - sweptAt > 1000) {
      sweptAt = now;
      for (const [address, full] of fullAt) if (full <= now) fullAt.delete(address);
    }
    if (fullAt.size >= maxAddresses) fullAt.delete(findLeastUsed());
  }
  /** Looks at the oldest few: an address near its limit is kept, so that others cannot make it forgotten. */
  function findLeastUsed(): string {
    const oldest = [...fullAt.entries().take(inspectedAddresses)];
    return oldest.reduce((least, one) => (one[1] < least[1] ? one : least))[0];
  }
}
