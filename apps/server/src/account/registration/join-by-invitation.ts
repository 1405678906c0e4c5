import { sql } from "kysely";
import type { registrationCalls } from "@arcada/contract/account/registration.calls";
import type { Parsed } from "@arcada/contract/kernel/call";
import { roles } from "@arcada/contract/kernel/roles";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { publish } from "../../platform/events/events.ts";
import { refuse } from "../../platform/http/refuse.ts";
import type { Context, ManualTransactionContext } from "../../platform/http/request-context.ts";
import { secretHash } from "../../platform/runtime/ids-and-secrets.ts";
import { invitedAccountCreated } from "../account.events.ts";
import { findUserByTarget, insertUser, parseTarget } from "../account.store.ts";
import { hashPassword } from "../password/password-hash.ts";
import { requireGoodPassword } from "../password/password-policy.ts";
import { startUserSession } from "../sign-in/sign-in.ts";

type JoinInput = Parsed<typeof registrationCalls.join>;

/** Makes the account of an invited person, who is a member of the institution at once, and signs them in there. */
export async function joinByInvitation(
  context: ManualTransactionContext<Context>,
  input: JoinInput,
): Promise<{ token: string }> {
  requireGoodPassword(input.password, context.config);
  // Refusals come before the hash of the password, which is expensive.
  await context.inTransaction(({ db }) => requireJoin(db, input));
  const passwordHash = await hashPassword(input.password);
  return context.inTransaction(async (inside) => {
    const { db, address } = inside;
    const { invitation, target, name } = await requireJoin(db, input);
    const uid = await insertUser(db, {
      target,
      passwordHash,
      nickName: name,
      intendedRole: intendedRoles.get(invitation.authority_id) ?? null,
      country: invitation.country,
      language: inside.language,
    });
    await publish(db, invitedAccountCreated, { user: uid, invitation: invitation.id, address });
    return startUserSession(inside, { uid, remember: false, action: "account.join" });
  });
}

async function requireJoin(db: Db, input: JoinInput) {
  const invitation = await requireInvitation(db, input.code);
  const target = parseTarget(invitation.email, "");
  if (await findUserByTarget(db, target)) refuse("accountTaken", { email: "accountTaken" });
  const name = invitation.name || input.nickName || refuse("badInput", { nickName: "nameNeeded" });
  return { invitation, target, name };
}

/** Only for `UserInfo.intendedRole`, which prefills the form of an institution that the person may found later. */
const intendedRoles = new Map<number, "clinicManager" | "dentist" | "labManager" | "designer">([
  [roles.clinicAdmin.authorityId, "clinicManager"],
  [roles.clinicMember.authorityId, "dentist"],
  [roles.clinicAssistant.authorityId, "dentist"],
  [roles.factoryAdmin.authorityId, "labManager"],
  [roles.factoryMember.authorityId, "designer"],
]);

interface OpenInvitation {
  id: string;
  email: string;
  name: string;
  authority_id: number;
  country: string;
}
/** Returns the open invitation of a secret. */
async function requireInvitation(db: Db, code: string): Promise<OpenInvitation> {
  const found = await bypassTenantScope(db, () =>
    db
      .selectFrom("admission as a")
      .innerJoin("institution as i", "i.id", "a.institution_id")
      .select(["a.id", "a.email", "a.name", "a.authority_id", "i.country"])
      .where("a.secret_hash", "=", secretHash(code))
      .where("a.state", "=", "awaiting_confirmation")
      .where("a.expires_at", ">", sql<string>`now()`)
      .executeTakeFirst(),
  );
  return found?.email ? { ...found, email: found.email } : refuse("invitationSpent");
}
