import { exchangeCodeCalls } from "@arcada/contract/account/exchange-code.calls";
import type { IssuedCard } from "@arcada/contract/capacity/capacity.calls";
import { parseCardUrl } from "@arcada/contract/capacity/card-activation-url";
import type { FactorNeeded } from "@arcada/contract/factor/second-step.calls";
import { screens } from "@arcada/contract/screens";
import { send } from "../data/ask.ts";
import { handOffCard, scheduleCardExpiry } from "../session/carry-values-across-sign-in.ts";
import { toSafePath } from "../session/screen-redirects.ts";
import { configureZod } from "../data/field-validation.ts";
import { loadAppearance } from "../browser/appearance.ts";
import { isRefused } from "../data/call-errors.ts";
import { pendingSecondFactor } from "../session/pending-second-factor.ts";
import { showError } from "../data/show-error.ts";
import { startSession, syncSessionAcrossTabs, clearSession } from "../browser/session-lifecycle.ts";
import { getText, initTexts } from "../i18n/texts.ts";
import { readToken } from "../browser/session-token.ts";

/** Prepares everything that is needed before the first page: language, appearance, and the requests of the address. */
export async function startUp(): Promise<void> {
  configureZod();
  loadAppearance();
  const { code, card, target, language } = parseStartUpRequest(new URL(location.href));
  // Before anything else is fetched: a code must not remain in the history, a Referer or a log of ours.
  if (target !== null) history.replaceState(null, "", target);
  if (card) handOffCard(card);
  else scheduleCardExpiry();
  await initTexts(language, "common");
  syncSessionAcrossTabs();
  if (code) await exchangeCode(code);
}

interface StartUpRequest {
  /** A single-use code that is traded for a session. */
  code: string | null;
  /** A card that was scanned. */
  card?: IssuedCard;
  /** The address without these parameters; null if it had none. */
  target: string | null;
  language: string | null;
}

/**
 * Parses what an address requests at start-up: `token` with `id`, the code of an identity provider's or an email's
 * /auth-redirect, a card, `lang`.
 */
export function parseStartUpRequest(address: URL): StartUpRequest {
  const { pathname, searchParams: query, origin } = address;
  const language = query.get("lang");
  if (query.get("token"))
    return { code: query.get("token"), target: getAddressAfterExchange(pathname, query.get("id")), language };
  if (pathname === screens.authRedirect.path && !query.has("problem"))
    return { code: query.get("code"), target: toSafePath(query.get("redirect"), origin), language };
  const card = parseCardUrl(address);
  if (language === null && !card) return { code: null, target: null, language };
  const rest = new URL(address);
  rest.searchParams.delete("lang");
  if (card) rest.hash = "";
  return { code: null, ...(card && { card }), target: rest.pathname + rest.search + rest.hash, language };
}

async function exchangeCode(code: string): Promise<void> {
  if (readToken() && !confirm(getText("common.switchUser"))) return;
  try {
    const { token } = await send(exchangeCodeCalls.exchange, { code });
    startSession(token, false);
  } catch (error) {
    if (!isRefused(error, "factorNeeded")) return showError(error);
    // The sign-in page continues with the second step; the user who was signed in here has agreed to leave.
    clearSession();
    pendingSecondFactor.set(error.details as FactorNeeded);
  }
}

/**
 * The address after an exchange of a code: a patient's page keeps its id; all others start at the root, which is the
 * patient list of everybody who has one.
 */
function getAddressAfterExchange(path: string, id: string | null): string {
  const isPatient = path.endsWith("patientDetail/page") && id !== null;
  return isPatient ? `${screens.patientDetail.path}?id=${encodeURIComponent(id)}` : "/";
}
