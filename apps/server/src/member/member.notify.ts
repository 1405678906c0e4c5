import type { MemberAction } from "@arcada/contract/member/member.lifecycle";
import type { Db } from "../platform/database/database.ts";
import type { Principal } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import { publish, notifyClients } from "../platform/events/events.ts";
import type { EventData } from "../platform/events/events.ts";
import { memberTransitioned } from "./member.events.ts";

type NewsRecipient = EventData<typeof memberTransitioned>["recipient"];
export interface MemberTransition {
  id: string;
  iid: string;
  /** The user whom the record concerns; null if they have no account. */
  uid: string | null;
  action: MemberAction;
  /** More for the audit log: what acted, if no person did. */
  detail?: Record<string, unknown>;
  news?: { institution: string; person: string; recipient: NewsRecipient };
}

/** The person, or the key of a program, who changes a membership. */
export interface MemberActor {
  db: Db;
  principal: Pick<Principal, "uid">;
  address: string;
}

/**
 * Writes the audit log, notifies open tabs and sends notices for one step. Without a principal the step was the
 * system's.
 */
export async function publishMemberTransition(
  {
    db,
    principal,
    address,
  }: Pick<MemberActor, "db"> & { principal: MemberActor["principal"] | null; address: string | null },
  step: MemberTransition,
): Promise<void> {
  await audit(db, {
    institution_id: step.iid,
    user_id: principal?.uid ?? null,
    action: `member.${step.action}`,
    subject: step.id,
    detail: step.detail ?? {},
    address,
  });
  await notifyClients(db, { institutions: [step.iid], ...(step.uid && { user: step.uid }) }, "member", step.id);
  if (!step.news) return;
  const { institution, person, recipient } = step.news;
  await publish(db, memberTransitioned, {
    action: step.action,
    institution: step.iid,
    institutionName: institution,
    person,
    by: principal?.uid ?? null,
    recipient,
  });
}
