import { launchRequest, launchRules } from "@arcada/contract/patient/launch-address";
import type { LaunchRequest } from "@arcada/contract/patient/launch-address";
import { z } from "zod";
import { forgetTicketData, issueTicket, redeemTicket } from "../../account/ticket.writes.ts";
import type { Context, MemberContext } from "../../platform/http/request-context.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { refuse } from "../../platform/http/refuse.ts";

/** The content of a code: what to open, not who may. The clinic's members sign in themselves (decision 137). */
const launchCode = z.object({
  iid: z.string(),
  /** The only member for whom it works; null: every member of the clinic. */
  uid: z.string().nullable(),
  sender: z.string(),
  request: launchRequest,
});
type LaunchCode = z.output<typeof launchCode>;

const codeKind = "practiceLaunch";
const claimKind = "practiceClaim";

/** Issues a code in the name of a key or device; refuses launchNotAllowed for a user who is no member. */
export async function issueLaunchCode(
  { db, principal }: Pick<MemberContext, "db" | "principal">,
  request: LaunchRequest,
  user?: string,
): Promise<{ code: string; expiresIn: number; path: string; uid: string | null }> {
  const { iid } = principal;
  const uid = user === undefined ? null : ((await findMember(db, iid, user)) ?? refuse("launchNotAllowed"));
  const content: LaunchCode & Record<string, unknown> = { iid, uid, sender: principal.name, request };
  const code = await bypassTenantScope(db, () => issueTicket(db, codeKind, iid, content, launchRules.codeSeconds));
  return { code, expiresIn: launchRules.codeSeconds, path: `/launch?code=${code}`, uid };
}

/**
 * Redeems a code, or the claim for one, for the signed-in member. A refusal rolls back: a code that a stranger tried
 * still works for the member for whom it was made.
 */
export async function redeemLaunchCode({ db, principal }: MemberContext, code: string): Promise<LaunchCode> {
  const ticket = await bypassTenantScope(
    db,
    async () => (await redeemTicket(db, codeKind, code)) ?? redeemTicket(db, claimKind, code),
  );
  const { data } = launchCode.safeParse(ticket?.data);
  if (!data || data.iid !== principal.iid) return refuse("launchSpent");
  if (data.uid !== null && data.uid !== principal.uid) return refuse("launchForOther");
  await bypassTenantScope(db, () => forgetTicketData(db, code));
  return data;
}

/** Trades a code for a claim that lives until its bearer has signed in. */
export async function claimLaunchCode({ db }: Context, code: string): Promise<{ code: string; expiresIn: number }> {
  const ticket = (await redeemTicket(db, codeKind, code)) ?? refuse("launchSpent");
  await forgetTicketData(db, code);
  const claim = await issueTicket(db, claimKind, ticket.target, ticket.data, launchRules.claimSeconds);
  return { code: claim, expiresIn: launchRules.claimSeconds };
}

/** Returns the member of the institution whom a program names by user id or e-mail address. */
const findMember = (db: Db, iid: string, user: string): Promise<string | undefined> =>
  bypassTenantScope(db, async () => {
    const members = db
      .selectFrom("membership as m")
      .leftJoin("contact as c", (join) => join.onRef("c.user_id", "=", "m.user_id").on("c.kind", "=", "email"))
      .select("m.user_id")
      .where("m.institution_id", "=", iid)
      .where("m.state", "=", "normal");
    const isId = z.uuid().safeParse(user).success;
    const found = await (
      isId ? members.where("m.user_id", "=", user) : members.where("c.value", "=", user.trim().toLowerCase())
    ).executeTakeFirst();
    return found?.user_id ?? undefined;
  });
