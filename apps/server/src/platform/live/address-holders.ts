import { AsyncLocalStorage } from "node:async_hooks";
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { Config } from "../runtime/config.ts";
import { cookieName, readCookie } from "../http/cookies.ts";
import type { TenantScope } from "../database/session-settings.ts";
import { secretHash } from "../runtime/ids-and-secrets.ts";
import { refuse } from "../http/refuse.ts";

/**
 * The holder is the principal whose call is being answered: a session, a guest session, an API key or a device's key.
 */
export interface Holder {
  id: string;
  /** The hash of the holder's own secret. It goes into each address, so that SECRET_KEY alone makes none. */
  tokenHash: string;
}

const holderStorage = new AsyncLocalStorage<Holder>();
/** Addresses that the response contains for a limited time are valid for this holder only. */
export const runAsHolder = <T>(holder: Holder | null, work: () => Promise<T>): Promise<T> =>
  holder === null ? work() : holderStorage.run(holder, work);
export const currentHolder = (): Holder | undefined => holderStorage.getStore();

/** An address carries this proof of its holder in addition to the signature by SECRET_KEY. */
export const holderProof = (tokenHash: string, signature: string): string =>
  createHmac("sha256", tokenHash).update(signature).digest("base64url").slice(0, 22);

/** A valid holder, as stored in the database. */
export interface ValidHolder {
  tokenHash: string;
  /**
   * The second secret of a holder that began in a browser: the cookie's name before any prefix, and the hash of its
   * value.
   */
  cookie: { name: string; hash: string } | null;
  tenantScope: Extract<TenantScope, { system: false }>;
  /** The one thing that a guest session is shown. */
  shared: { kind: "study" | "order"; id: string } | null;
}

/** Returns those of these holders that are still valid and in the same place as when they received something. */
export type FindValidHolders<T> = (ids: string[]) => Promise<ReadonlyMap<string, T>>;
export interface HolderRegistry<T> {
  /** Refuses if the holder has ended, or has moved elsewhere. */
  demand(id: string): Promise<T>;
  /** Breaks the stream to the holder when the holder ends. */
  watch(id: string, stream: Readable): void;
}

const trustedMs = 400;
const checkMs = 400;

export function createHolderRegistry<T>(findValidHolders: FindValidHolders<T>): HolderRegistry<T> {
  const known = new LRUCache<string, { found: T | undefined; until: number }>({ max: 5000 });
  const streams = new Map<Readable, string>();
  let timer: NodeJS.Timeout | undefined;
  const check = async () => {
    const watched = [...streams];
    // While the database does not answer, nobody can have been signed out either.
    const valid = await findValidHolders([...new Set(watched.map(([, session]) => session))]).catch(() => null);
    if (valid)
      for (const [stream, session] of watched) if (!valid.has(session)) stream.destroy(new Error("session ended"));
  };
  return {
    async demand(id) {
      const cached = known.get(id);
      const now = Date.now();
      if (cached && cached.until > now) return cached.found ?? refuse("linkExpired");
      const found = (await findValidHolders([id])).get(id);
      known.set(id, { found, until: now + trustedMs });
      return found ?? refuse("linkExpired");
    },
    watch(session, stream) {
      streams.set(stream, session);
      timer ??= setInterval(() => void check(), checkMs).unref();
      stream.once("close", () => {
        streams.delete(stream);
        if (streams.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      });
    },
  };
}

/** A request makes this claim about the holder of its address; the signature has already been verified. */
export interface HolderClaim {
  holder: string;
  signature: string;
  proof: unknown;
}
export interface HolderGuard {
  /** Refuses a request that is visibly not the holder's, and every holder that has ended. */
  demand(request: FastifyRequest, claim: HolderClaim): Promise<ValidHolder>;
  watch: HolderRegistry<ValidHolder>["watch"];
}

export function createHolderGuard(findValidHolders: FindValidHolders<ValidHolder>, config: Config): HolderGuard {
  const registry = createHolderRegistry(findValidHolders);
  return {
    async demand(request, { holder, signature, proof }) {
      if (!isId.test(holder)) refuse("linkExpired");
      const reader = await registry.demand(holder);
      if (!isEqual(proof, holderProof(reader.tokenHash, signature))) refuse("linkExpired");
      const { cookie } = reader;
      const half = cookie && readCookie(request, cookieName(config, request, cookie.name));
      if (cookie && !isEqual(secretHash(half ?? ""), cookie.hash)) refuse("linkExpired");
      return reader;
    },
    watch: (id, stream) => registry.watch(id, stream),
  };
}

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
function isEqual(given: unknown, expected: string): boolean {
  const [a, b] = [Buffer.from(typeof given === "string" ? given : ""), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
