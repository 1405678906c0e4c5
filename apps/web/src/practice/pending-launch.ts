import { readLaunchAddress } from "@arcada/contract/patient/launch-address";
import type { LaunchAddress, LaunchRequest } from "@arcada/contract/patient/launch-address";
import { practiceCalls } from "@arcada/contract/patient/practice.calls";
import { send } from "../data/ask.ts";

/** A request of another program that this tab is to open. */
export type PendingLaunch = { code: string } | { request: LaunchRequest };

/**
 * The tab keeps the request during the sign-in. It names a person: in the address it would stay in the history, and in
 * the address of the sign-in page too.
 */
const storageKey = "arcada.launch";
const keptMs = 15 * 60_000;

/** Takes the request from the address, which is cleared; the address of an incomplete request stays to be looked at. */
export function takeLaunchFromAddress(): LaunchAddress {
  const address = readLaunchAddress(new URLSearchParams(location.search));
  if ("problem" in address) return address;
  storeLaunch(address);
  history.replaceState(history.state, "", location.pathname);
  return address;
}

/** Trades a code, which lives for a minute, for one that outlives the sign-in. A spent code is reported later. */
export async function keepDuringSignIn(launch: PendingLaunch): Promise<void> {
  if (!("code" in launch)) return;
  const claim = await send(practiceCalls.claim, { code: launch.code }).catch(() => null);
  if (claim) storeLaunch({ code: claim.code });
}

export function readPendingLaunch(): PendingLaunch | null {
  try {
    const text = sessionStorage.getItem(storageKey);
    const kept = text ? (JSON.parse(text) as { launch: PendingLaunch; until: number }) : null;
    return kept && kept.until > Date.now() ? kept.launch : null;
  } catch {
    return null;
  }
}

export function forgetPendingLaunch(): void {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // Storage is refused: nothing was kept.
  }
}

function storeLaunch(launch: PendingLaunch): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ launch, until: Date.now() + keptMs }));
  } catch {
    // Storage is refused: the person opens the patient again after the sign-in.
  }
}
