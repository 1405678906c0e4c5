import { sql } from "kysely";
import { findRole } from "@arcada/contract/kernel/roles";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { avatarUrl } from "../platform/storage/avatar-url.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { translate } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import { resolveZone } from "../domain/institution-time-zone.ts";
import type { ZoneColumns } from "../domain/institution-time-zone.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";
import { selectValue } from "../platform/database/select-value.ts";

export async function readUserInfo({
  db,
  principal: { uid, ...membership },
  language,
}: Pick<AuthenticatedContext, "db" | "principal" | "language">): Promise<UserInfo> {
  // The tenant scope shows colleagues only names; the rest of a user is read for the user alone.
  const user = await bypassTenantScope(db, () =>
    db.selectFrom("users").selectAll().where("id", "=", uid).executeTakeFirstOrThrow(),
  );
  const factorRequired = await bypassTenantScope(db, () => isSecondStepMissing(db, uid, membership.iid));
  const contacts = await db.selectFrom("contact").selectAll().where("user_id", "=", uid).execute();
  const held = await db
    .selectFrom("membership")
    .leftJoin("institution", "institution.id", "membership.institution_id")
    .select([
      "membership.authority_id",
      "membership.institution_id",
      "membership.launch_allowed_at",
      "institution.name",
      "institution.number",
      "institution.type",
      "institution.country",
      "institution.time_zone",
    ])
    .where("membership.user_id", "=", uid)
    .where("membership.state", "=", "normal")
    .orderBy("membership.joined_at")
    .execute();
  const here = held.find(
    (row) => row.institution_id === membership.iid && findRole(row.authority_id) === membership.role,
  );
  const phone = contacts.find((row) => row.kind === "phone");
  return {
    ...pickColumns(
      user,
      "id",
      "user_name",
      "nick_name",
      "gender",
      "birthday",
      "country",
      "address",
      "work_phone",
      "language",
      "init_status",
    ),
    uuid: user.id,
    headerImg: avatarUrl(user.id, user.avatar),
    phone: phone?.value.slice(phone.country_code?.length ?? 0) ?? null,
    countryCode: phone?.country_code ?? null,
    email: contacts.find((row) => row.kind === "email")?.value ?? null,
    intendedRole: user.intended_role as UserInfo["intendedRole"],
    iid: membership.iid ?? "0",
    institution: here ? toInstitution(here) : null,
    legalAgreed: user.terms_version !== null,
    authorityId: here?.authority_id ?? 0,
    authorities: held.map((row) => authorityView(row, language)),
    roles: [membership.role],
    launchAllowed: Boolean(here?.launch_allowed_at),
    factorRequired,
  };
}

interface MembershipRow extends Pick<ZoneColumns, "time_zone"> {
  institution_id: string | null;
  name: string | null;
  number: string | null;
  type: "clinic" | "lab" | null;
  country: string | null;
}
/** A role in the service belongs to no institution. */
const toInstitution = ({
  institution_id: id,
  name,
  number,
  type,
  country,
  time_zone,
}: MembershipRow): UserInfo["institution"] =>
  id === null
    ? null
    : { id, name: name!, number: number!, type: type!, timeZone: resolveZone({ time_zone, country: country! }) };

const authorityView = (
  row: { authority_id: number; institution_id: string | null; name: string | null },
  language: Language,
): UserInfo["authorities"][number] => ({
  authorityId: row.authority_id,
  authorityName: translate(language, "common", `role.${findRole(row.authority_id)}`),
  role: findRole(row.authority_id),
  iid: row.institution_id ?? "0",
  institutionName: row.name,
});

/** Reads again the value that the session's row carries. */
const isSecondStepMissing = (db: Db, uid: string, iid: string | null): Promise<boolean> =>
  selectValue(
    db,
    sql<boolean>`exists (select from institution where id = ${iid} and require_factor) and not arcada_two_steps(${uid})`,
  );
