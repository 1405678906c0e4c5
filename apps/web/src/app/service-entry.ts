import { accountCalls } from "@arcada/contract/account/account.calls";
import type { UserInfo } from "@arcada/contract/account/account.calls";
import { afterSalesRoles, findRole } from "@arcada/contract/kernel/roles";
import { screens } from "@arcada/contract/screens";
import { ask } from "../data/ask.ts";
import { findServiceAuthority } from "../session/start-up-route.ts";
import { switchSession } from "../browser/session-lifecycle.ts";
import { getText } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";

/**
 * Returns the page on which a user continues who opens /service. A user who holds an after-sales role but works in
 * another changes to it first.
 */
export async function resolveServiceEntry(user: UserInfo): Promise<string> {
  if ((afterSalesRoles as readonly string[]).includes(findRole(user.authorityId))) return "/";
  const authorityId = findServiceAuthority(user.authorities);
  if (authorityId === null) {
    toast("error", getText("common.noPermission"));
    return screens.notFound.path;
  }
  const answer = await ask(accountCalls.changeRole, { authorityId, uuid: user.uuid }).catch(() => null);
  if (!answer) return screens.notFound.path;
  switchSession(answer.token);
  // The page reloads in a moment.
  return new Promise(() => {});
}
