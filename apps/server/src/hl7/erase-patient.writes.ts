import { isSameName } from "../domain/match-person-names.ts";
import type { Db } from "../platform/database/database.ts";

/**
 * Deletes the messages about these patients that wait for a decision: they hold names, addresses and birth dates of
 * people whom nobody has assigned to a record yet. Those that were applied name a record, and go with it.
 */
export async function deleteWaitingMessages(db: Db, iid: string, patients: readonly string[]): Promise<void> {
  const people = await db
    .selectFrom("patient")
    .select(["id", "name", "birth_date as birthDate", "entry_number as number"])
    .where("institution_id", "=", iid)
    .where("id", "in", [...patients])
    .execute();
  const waiting = await db
    .selectFrom("hl7_message")
    .select(["id", "intent", "other_patient_id as otherId"])
    .where("institution_id", "=", iid)
    .where("state", "=", "waiting")
    .execute();
  const named = waiting.filter(({ intent, otherId }) => {
    if (otherId !== null && patients.includes(otherId)) return true;
    if (!intent) return false;
    const numbers = [intent.person.number, intent.kind === "merge" ? intent.formerNumber : ""];
    return people.some(
      ({ name, birthDate, number }) =>
        (number !== null && number !== "" && numbers.includes(number)) ||
        (intent.person.birthDate === birthDate && isSameName(intent.person.name, name)),
    );
  });
  if (named.length === 0) return;
  await db
    .deleteFrom("hl7_message")
    .where("institution_id", "=", iid)
    .where(
      "id",
      "in",
      named.map(({ id }) => id),
    )
    .execute();
}
