import { accountCalls } from "@arcada/contract/account/account.calls";
import { screens } from "@arcada/contract/screens";
import { send } from "./ask.ts";
import { configureZod } from "./field-text.ts";
import { startLook } from "./look.ts";
import { show } from "./show.ts";
import { enter, followOtherTabs } from "./sign-in.ts";
import { say, startTexts } from "./texts.ts";
import { readToken } from "./token.ts";

/** Everything that must stand before the first page: language, look, and what the address asks for. */
export async function startUp(): Promise<void> {
  configureZod();
  startLook();
  const query = new URLSearchParams(location.search);
  await startTexts(query.get("lang"), "common");
  followOtherTabs();
  const code = query.get("token");
  if (code) await exchange(code, query.get("id"));
  else if (query.has("lang")) dropFromAddress("lang");
}

/** A single-use code in the address is traded for a session and leaves the address, whatever comes of it. */
async function exchange(code: string, id: string | null): Promise<void> {
  const target = whereAfterExchange(location.pathname, id);
  history.replaceState(null, "", target);
  if (readToken() && !confirm(say("common.switchUser"))) return;
  try {
    const { token } = await send(accountCalls.exchange, { code });
    enter(token, false);
  } catch (error) {
    show(error);
  }
}

/** The address that opened the product with a code: a patient's page keeps its id, everything else begins with the list. */
export function whereAfterExchange(path: string, id: string | null): string {
  const isPatient = path.endsWith("patientDetail/page") && id !== null;
  return isPatient ? `${screens.patientDetail.path}?id=${encodeURIComponent(id)}` : screens.patientList.path;
}

function dropFromAddress(name: string): void {
  const address = new URL(location.href);
  address.searchParams.delete(name);
  history.replaceState(null, "", address);
}
