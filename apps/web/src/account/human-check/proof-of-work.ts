import type { Challenge, Solution } from "altcha-lib";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { send } from "../../data/ask.ts";
import type { RefusalError } from "../../data/call-errors.ts";

/**
 * Computes the proof of work that protects against floods of requests. This takes well under a second, or up to half a
 * minute if the server requires more `work` because others try to sign in to the same account.
 */
export async function solveProofOfWork(work = 0): Promise<string> {
  const challenge = (await send(signInCalls.humanChallenge, work > 0 ? { work } : {})) as unknown as Challenge;
  const worker = new Worker(new URL("./proof-of-work.worker.ts", import.meta.url), { type: "module" });
  try {
    const solution = await new Promise<Solution | null>((done, fail) => {
      worker.addEventListener("message", ({ data }: MessageEvent<Solution | null>) => done(data));
      worker.addEventListener("error", () => fail(new Error("the human check could not start")));
      worker.postMessage(challenge);
    });
    if (!solution) throw new Error("the human check found no solution");
    return btoa(JSON.stringify({ challenge, solution }));
  } finally {
    worker.terminate();
  }
}

/** Returns the difficulty of the proof of work that the server requires. */
export const getRequiredWork = (refused: RefusalError): number =>
  Number((refused.details as { work?: string } | null)?.work ?? 0) || 0;
