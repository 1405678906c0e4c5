import { sql } from "kysely";
import { crown } from "../planted.ts";
import type { Planted } from "../planted.ts";
import { uploaded } from "../uploads.ts";
import type { World } from "../world.ts";
import { madePicture } from "./archives.ts";

/** The e-mail address of the clinic's dentist and the phone number of its manager. */
export const [address, telephone] = ["tess.d+ss@dentists.test", "+8613900001111"];

/** Images, marks, messages, a revision and logos: what a clinic has after some weeks. */
export async function liveSomeWeeks(home: World, things: Planted): Promise<void> {
  const { clinic, dentist, lab, designer } = home;
  await home.server.running.database.asSystem(async (db) => {
    await sql`update contact set value = ${address} where user_id = ${dentist.uid}`.execute(db);
    await sql`update contact set kind = 'phone', value = ${telephone}, country_code = '86' where user_id = ${clinic.uid}`.execute(
      db,
    );
  });
  await uploaded(clinic, things.patient.id, { "smile.png": await madePicture() });
  for (let place = 0; place < 20; place++)
    await dentist.gets("patient.create", {
      name: `Patient ${place}`,
      sex: "other",
      birthDate: `1980-01-${10 + place}`,
    });
  await dentist.gets("study.saveMarks", { id: things.studyId, version: 0, marks: [] });
  await dentist.gets("order.message", { id: things.order.id, text: "Bitte A2" });
  const accepted = await lab.gets("order.step", {
    id: things.order.id,
    action: "accept",
    version: (await lab.gets("order.detail", { id: things.order.id })).version,
  });
  const scheme = await designer.uploads("scheme.stl", crown());
  await designer.asks("order.step", {
    id: things.order.id,
    action: "submitScheme",
    version: accepted!.version,
    text: "v1",
    files: [{ upload: scheme, role: "scheme" }],
  });
  await clinic.gets("institution.setLogo", {
    place: "inside",
    image: Buffer.from(await madePicture()).toString("base64"),
  });
}
