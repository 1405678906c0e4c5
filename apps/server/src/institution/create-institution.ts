import { sql } from "kysely";
import type { Insertable } from "kysely";
import { institutionRules } from "@arcada/contract/institution/institution.calls";
import type { institutionCalls } from "@arcada/contract/institution/institution.calls";
import type { Parsed } from "@arcada/contract/kernel/call";
import { roles } from "@arcada/contract/kernel/roles";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { publish } from "../platform/events/events.ts";
import type { EventData } from "../platform/events/events.ts";
import { newDigits, newId } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { InstitutionTable } from "../tables/schema.generated.ts";
import { insertFirstManager } from "../member/member.writes.ts";
import { institutionOpened, institutionCreated } from "./institution.events.ts";
import type { accountCompleted } from "../account/account.events.ts";
import { selectValue } from "../platform/database/select-value.ts";

export const managerRoleId = (type: "clinic" | "lab"): number =>
  roles[type === "clinic" ? "clinicAdmin" : "factoryAdmin"].authorityId;

type InstitutionInput = Omit<Insertable<InstitutionTable>, "id" | "number" | "created_by">;

/** Creates an institution with its first manager; returns its id. `by` is the person who did it, for the audit log. */
export async function createInstitution(
  { db, address }: Pick<AuthenticatedContext, "db" | "address">,
  values: InstitutionInput,
  { manager, by }: { manager: string; by: string },
): Promise<string> {
  const id = newId();
  const number = await findFreeNumber(db);
  await db
    .insertInto("institution")
    .values({ ...values, id, number, created_by: manager })
    .execute();
  await bypassTenantScope(db, async () => {
    const authorityId = managerRoleId(values.type);
    await insertFirstManager(db, id, manager, authorityId);
    await audit(db, { institution_id: id, user_id: by, action: "institution.create", subject: id, address });
  });
  await publish(db, institutionCreated, { institution: id, by: manager });
  return id;
}

/** Opens an institution and the account of its first manager, who is notified by e-mail. */
export async function openInstitutionAccount(
  context: AuthenticatedContext,
  input: Parsed<typeof institutionCalls.openAccount>,
): Promise<{ id: string; name: string; number: string }> {
  const { db, principal, language } = context;
  await requireOpeningsLeft(db, principal.uid);
  const user = newId();
  const { name, type, country, email, personName } = input;
  await publish(db, institutionOpened, {
    user,
    email,
    personName,
    type,
    institutionName: name,
    language: input.language ?? language,
    by: principal.uid,
  });
  const id = await bypassTenantScope(db, () =>
    createInstitution(context, { name, type, country, opened_by: principal.uid }, { manager: user, by: principal.uid }),
  );
  context.subject = id;
  context.detail = { type, name };
  return db.selectFrom("institution").select(["id", "name", "number"]).where("id", "=", id).executeTakeFirstOrThrow();
}

/** Subscriber: the person for whom an institution was opened knows best its name and its address. */
export async function completeOpenedInstitution(
  db: Db,
  domainEvent: EventData<typeof accountCompleted>,
): Promise<void> {
  const { user, nation, institutionName } = domainEvent;
  await bypassTenantScope(db, () =>
    db
      .updateTable("institution")
      .set({ country: nation, ...(institutionName && { name: institutionName }) })
      .where("created_by", "=", user)
      .where("opened_by", "is not", null)
      .execute(),
  );
}

/** Two concurrent calls for the last free one wait for each other. Refuses openedTooMany. */
async function requireOpeningsLeft(db: Db, uid: string): Promise<void> {
  const { maxOpenedPerDay: day } = institutionRules;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`arcada opening ${uid}`}, 0))`.execute(db);
  const today = await selectValue(
    db,
    sql<number>`(select count(*)::int from institution where opened_by = ${uid} and created_at > now() - interval '1 day')`,
  );
  if (today >= day) refuse("openedTooMany", { day });
}

/** Returns eight digits that no institution has; the table's unique constraint decides if two draw the same at once. */
async function findFreeNumber(db: Db): Promise<string> {
  for (;;) {
    const number = `${1 + Math.floor(Math.random() * 9)}${newDigits(institutionRules.numberDigits - 1)}`;
    const taken = await db.selectFrom("institution").select("id").where("number", "=", number).executeTakeFirst();
    if (!taken) return number;
  }
}
