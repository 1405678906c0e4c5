import { AsyncLocalStorage } from "node:async_hooks";
import type { Readable } from "node:stream";
import { refuse } from "./refuse.ts";

/** The session whose call is being answered: what the answer gives away for a while is good for that session only. */
const answering = new AsyncLocalStorage<string>();
export const answerFor = <T>(session: string | undefined, work: () => Promise<T>): Promise<T> =>
  session === undefined ? work() : answering.run(session, work);
export const answeredSession = (): string | undefined => answering.getStore();

/** Says which of these sessions still stand where they stood when they were given something. */
export type Living = (sessions: string[]) => Promise<Set<string>>;
export interface Holders {
  /** Refuses when the session has ended, or works elsewhere by now. */
  demand(session: string): Promise<void>;
  /** Breaks what flows to the session when it ends. */
  watch(session: string, flow: Readable): void;
}

const trustedMs = 400;
const checkMs = 400;

export function openHolders(living: Living): Holders {
  const known = new Map<string, { alive: boolean; until: number }>();
  const flows = new Map<Readable, string>();
  let timer: NodeJS.Timeout | undefined;
  const check = async () => {
    const asked = [...flows];
    // While the database does not answer nobody can have been signed out either.
    const alive = await living([...new Set(asked.map(([, session]) => session))]).catch(() => null);
    if (alive) for (const [flow, session] of asked) if (!alive.has(session)) flow.destroy(new Error("session ended"));
  };
  return {
    async demand(session) {
      const said = known.get(session);
      const now = Date.now();
      if (said && said.until > now) return said.alive ? undefined : refuse("linkExpired");
      const alive = (await living([session])).has(session);
      if (known.size > 5000) known.clear();
      known.set(session, { alive, until: now + trustedMs });
      if (!alive) refuse("linkExpired");
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
