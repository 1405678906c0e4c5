import { sql } from "kysely";
import { defaultPreset, presetChannels } from "@arcada/contract/notice/notice-presets";
import type { ChosenPreset, NoticeMailMode } from "@arcada/contract/notice/notice-presets";
import type { NoticePreferences } from "@arcada/contract/notice/notice-group.calls";
import type { Db } from "../platform/database/database.ts";
import { saveAllChoices } from "./notice.store.ts";

export async function loadPreferences(db: Db, uid: string): Promise<NoticePreferences> {
  const row = await db
    .selectFrom("notice_preference")
    .select(["preset", "mail"])
    .where("user_id", "=", uid)
    .executeTakeFirst();
  return {
    preset: row?.preset ?? defaultPreset,
    mail: row?.mail ?? "now",
    isChosen: row !== undefined && row.preset !== null,
  };
}

export async function savePreset(db: Db, uid: string, preset: ChosenPreset): Promise<void> {
  await db
    .insertInto("notice_preference")
    .values({ user_id: uid, preset, mailed_on: null })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ preset }))
    .execute();
}

/** A user who chooses another way drops the notices that waited for the daily email: they stand in the list. */
export async function saveMailMode(db: Db, uid: string, mail: NoticeMailMode): Promise<void> {
  await db
    .insertInto("notice_preference")
    .values({ user_id: uid, preset: null, mail, mailed_on: null })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ mail }))
    .execute();
  if (mail !== "daily") await sql`update notice set mail_due = false where user_id = ${uid} and mail_due`.execute(db);
}

/** A single switch leaves the preset. The switches begin as the preset had them. */
export async function leavePreset(db: Db, uid: string): Promise<void> {
  const { preset } = await loadPreferences(db, uid);
  if (preset === "custom") return;
  await saveAllChoices(db, uid, (kind) => presetChannels(preset, kind));
  await savePreset(db, uid, "custom");
}
