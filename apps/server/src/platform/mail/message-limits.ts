import { sql } from "kysely";
import { emailRules, smsRules } from "@arcada/contract/notice/notice.calls";
import { bypassTenantScope } from "../database/database.ts";
import type { Db } from "../database/database.ts";
import { refuse } from "../http/refuse.ts";
import { keyedHash } from "../runtime/ids-and-secrets.ts";
import { mail, secret } from "../runtime/services.ts";
import type { MessageChannel } from "./message-types.ts";

/** Refuses to begin what needs a message that this installation cannot send. */
export function requireChannel(channel: MessageChannel): void {
  if (!mail().offers(channel)) refuse(channel === "sms" ? "phoneNotOffered" : "emailNotOffered");
}

/**
 * Counts an email that a person sends to an address of their choice, over all institutions. Refuses `recipientFull`,
 * regardless of whether the address belongs to an account.
 */
export async function countEmail(db: Db, to: string): Promise<void> {
  const recipient = keyedHash(secret(), "letter recipient", to.trim().toLowerCase());
  if (!(await countBelow(db, recipient, emailRules.maxPerDayAndAddress)))
    refuse("recipientFull", { email: "recipientFull" });
}

/** Text messages cost money: the limit that was reached, of this number or of the installation, or null. */
export async function countTextMessage(db: Db, to: string): Promise<"number" | "installation" | null> {
  const number = keyedHash(secret(), "text message recipient", to);
  if (!(await countBelow(db, number, smsRules.maxPerDayAndNumber))) return "number";
  // The row of the whole installation is locked until the transaction ends, so it comes last.
  const all = keyedHash(secret(), "text message recipient", "everybody");
  return (await countBelow(db, all, mail().textMessagesPerDay)) ? null : "installation";
}

/** Counts one more message of a day, unless the limit is reached; false if it is. Also deletes old counts. */
async function countBelow(db: Db, recipient: string, limit: number): Promise<boolean> {
  const counted = await bypassTenantScope(db, () =>
    // oxlint-disable-next-line arcada/zoned-dates -- a limit for an address anywhere: any day will do
    sql`with gone as (delete from letter_count where (day, recipient) in (
          select day, recipient from letter_count where day < current_date - 1 limit 100 for update skip locked))
      insert into letter_count as c (day, recipient, sent) values (current_date, ${recipient}, 1)
      on conflict (day, recipient) do update set sent = c.sent + 1 where c.sent < ${limit}`.execute(db),
  );
  return counted.numAffectedRows === 1n;
}
