import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { LinkedRecordKind } from "@arcada/contract/service/linked-records.calls";

type SqlPart = RawBuilder<unknown>;
type Pair = `${LinkedRecordKind}-${LinkedRecordKind}`;

/**
 * The source of each kind's rows, under an alias. A version is any version that a device, feedback or a package names.
 */
export const rowSource: Record<LinkedRecordKind, (alias: SqlPart) => SqlPart> = {
  device: (alias) => sql`device ${alias}`,
  clinic: (alias) => sql`clinic ${alias}`,
  version: (alias) => sql`(select product, software_version as version from device where software_version is not null
    union select product, software_version from software_feedback
    union select product, fixed_in from software_feedback where fixed_in is not null
    union select product, version from upgrade_package) ${alias}`,
  feedback: (alias) => sql`software_feedback ${alias}`,
  workorder: (alias) => sql`work_order ${alias}`,
  package: (alias) => sql`upgrade_package ${alias}`,
};

/** Condition: some device `d` connects the two. */
const throughDevice = (condition: SqlPart): SqlPart => sql`exists (select from device d where ${condition})`;
const runsVersion = (device: SqlPart, version: SqlPart): SqlPart =>
  sql`(${device}.product = ${version}.product and ${device}.software_version = ${version}.version)`;
/** Feedback was written on a version, or states that it is solved in it. */
const namesVersion = (feedback: SqlPart, version: SqlPart): SqlPart =>
  sql`(${feedback}.product = ${version}.product and ${version}.version in (${feedback}.software_version, ${feedback}.fixed_in))`;
const d = sql`d`;

/** Conditions under which two rows belong to each other; each pair is listed once and used in both directions. */
const linkConditions: Partial<Record<Pair, (one: SqlPart, other: SqlPart) => SqlPart>> = {
  "device-clinic": (device, clinic) => sql`${device}.clinic_id = ${clinic}.id`,
  "device-version": runsVersion,
  "device-feedback": (device, feedback) => sql`${feedback}.device_id = ${device}.id`,
  "device-workorder": (device, order) => sql`${order}.device_id = ${device}.id`,
  "device-package": (device, pack) => sql`${device}.product = ${pack}.product`,
  "clinic-version": (clinic, version) => throughDevice(sql`d.clinic_id = ${clinic}.id and ${runsVersion(d, version)}`),
  "clinic-feedback": (clinic, feedback) => sql`${feedback}.clinic_id = ${clinic}.id`,
  "clinic-workorder": (clinic, order) => sql`${order}.clinic_id = ${clinic}.id`,
  "clinic-package": (clinic, pack) => throughDevice(sql`d.clinic_id = ${clinic}.id and d.product = ${pack}.product`),
  "version-feedback": (version, feedback) => namesVersion(feedback, version),
  "version-workorder": (version, order) => throughDevice(sql`d.id = ${order}.device_id and ${runsVersion(d, version)}`),
  "version-package": (version, pack) =>
    sql`(${pack}.product = ${version}.product and ${pack}.version = ${version}.version)`,
  "feedback-workorder": (feedback, order) => sql`${order}.device_id = ${feedback}.device_id`,
  "feedback-package": namesVersion,
  "workorder-package": (order, pack) => throughDevice(sql`d.id = ${order}.device_id and d.product = ${pack}.product`),
};

/** Condition: `one` (of its kind, under its alias) and `other` belong to each other. */
export function areLinked(
  one: { kind: LinkedRecordKind; alias: SqlPart },
  other: { kind: LinkedRecordKind; alias: SqlPart },
): SqlPart {
  const straight = linkConditions[`${one.kind}-${other.kind}`];
  if (straight) return straight(one.alias, other.alias);
  const turned = linkConditions[`${other.kind}-${one.kind}`];
  if (!turned) throw new Error(`nothing joins ${one.kind} and ${other.kind}`);
  return turned(other.alias, one.alias);
}
