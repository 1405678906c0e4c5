import { launchCalls } from "@arcada/contract/account/launch-code.calls";
import { routes } from "../../platform/http/serve-calls.ts";
import type { MemberContext } from "../../platform/http/request-context.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { issueExchangeCode } from "./exchange-code.ts";
import { findLaunchableMember } from "./find-launchable-member.ts";

export const launchRoutes = routes(launchCalls, {
  code: ({ user }, context) => issueLaunchCode(context, user),
});

/** Issues a launch code, for an API key only and for a member who allowed it; see decision 94. */
async function issueLaunchCode(context: MemberContext, user: string): Promise<{ code: string; expiresIn: number }> {
  const { db, principal } = context;
  if (principal.kind !== "key") refuse("launchNotAllowed");
  const uid = (await findLaunchableMember(db, principal.iid, user)) ?? refuse("launchNotAllowed");
  return issueExchangeCode(context, uid, { key: principal.sessionId });
}
