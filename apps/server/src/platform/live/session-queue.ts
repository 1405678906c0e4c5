import { AsyncLocalStorage } from "node:async_hooks";
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { Config } from "../runtime/config.ts";
import { cookieName, readCookie } from "../http/cookies.ts";
import type { TenantScope } from "../database/database.ts";
import { secretHash } from "../runtime/ids.ts";
import { refuse } from "../http/refuse.ts";

/**
 * The holder is the principal whose call is being answered: a session, a guest session, an API key or a device's key.
 */
export interface Holder {
  id: string;
  /** The hash of the holder's own secret. It goes into each address, so that SECRET_KEY alone makes none. */
  seal: string;
}

const answering = new AsyncLocalStorage<Holder>();
/** Addresses that the response hands out for a limited time are valid for this holder only. */
export const answerFor = <T>(holder: Holder | null, work: () => Promise<T>): Promise<T> =>
  holder === null ? work() : answering.run(holder, work);
export const answeredHolder = (): Holder | undefined => answering.getStore();

/** An address carries this proof of its holder in addition to the signature by SECRET_KEY. */
export const proofBy = (seal: string, signature: string): string =>
  createHmac("sha256", seal).update(signature).digest("base64url").slice(0, 22);

/** A valid holder, as stored in the database. */
export interface Reader {
  seal: string;
  /**
   * The second secret of a holder that began in a browser: the cookie's name before any prefix, and the hash of its
   * value.
   */
  cookie: { name: string; hash: string } | null;
  wall: Extract<TenantScope, { system: false }>;
  /** The one thing that a guest session is shown. */
  shared: { kind: "study" | "order"; id: string } | null;
}

/** Returns those of these holders that are still valid and in the same place as when they received something. */
export type Living<T> = (ids: string[]) => Promise<ReadonlyMap<string, T>>;
export interface Holders<T> {
  /** Refuses if the holder has ended, or has moved elsewhere. */
  demand(id: string): Promise<T>;
  /** Breaks the stream to the holder when the holder ends. */
  watch(id: string, flow: Readable): void;
}

const trustedMs = 400;
const checkMs = 400;

export function openHolders<T>(living: Living<T>): Holders<T> {
  const known = new Map<string, { found: T | undefined; until: number }>();
  const flows = new Map<Readable, string>();
  let timer: NodeJS.Timeout | undefined;
  const check = async () => {
    const asked = [...flows];
    // While the database does not answer, nobody can have been signed out either.
    const alive = await living([...new Set(asked.map(([, session]) => session))]).catch(() => null);
    if (alive) for (const [flow, session] of asked) if (!alive.has(session)) flow.destroy(new Error("session ended"));
  };
  return {
    async demand(id) {
      const said = known.get(id);
      const now = Date.now();
      if (said && said.until > now) return said.found ?? refuse("linkExpired");
      const found = (await living([id])).get(id);
      if (known.size > 5000) known.clear();
      known.set(id, { found, until: now + trustedMs });
      return found ?? refuse("linkExpired");
    },
    watch(session, flow) {
      flows.set(flow, session);
      timer ??= setInterval(() => void check(), checkMs).unref();
      flow.once("close", () => {
        flows.delete(flow);
        if (flows.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      });
    },
  };
}

/** A request makes this claim about the holder of its address; the signature has already been verified. */
export interface Claim {
  holder: string;
  signature: string;
  proof: unknown;
}
export interface Readers {
  /** Refuses a request that is visibly not the holder's, and every holder that has ended. */
  demand(request: FastifyRequest, claim: Claim): Promise<Reader>;
  watch: Holders<Reader>["watch"];
}

export function openReaders(living: Living<Reader>, config: Config): Readers {
  const holders = openHolders(living);
  return {
    async demand(request, { holder, signature, proof }) {
      if (!isId.test(holder)) refuse("linkExpired");
      const reader = await holders.demand(holder);
      if (!isEqual(proof, proofBy(reader.seal, signature))) refuse("linkExpired");
      const { cookie } = reader;
      const half = cookie && readCookie(request, cookieName(config, request, cookie.name));
      if (cookie && !isEqual(secretHash(half ?? ""), cookie.hash)) refuse("linkExpired");
      return reader;
    },
    watch: (id, flow) => holders.watch(id, flow),
  };
}

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
function isEqual(said: unknown, real: string): boolean {
  const [a, b] = [Buffer.from(typeof said === "string" ? said : ""), Buffer.from(real)];
  return a.length === b.length && timingSafeEqual(a, b);
}
