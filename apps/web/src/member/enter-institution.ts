import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { switchSession } from "../browser/session-lifecycle.ts";
import { ask } from "../data/ask.ts";

/** Continues in an institution of the user's, at its first page; false if that failed, which has been reported. */
export async function enterInstitution(iid: string): Promise<boolean> {
  const answer = await ask(institutionCalls.switch, { iid }).catch(() => null);
  if (answer) switchSession(answer.token);
  return answer !== null;
}
