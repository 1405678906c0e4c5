import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { planted, type Planted } from "../../../../tests/planted.ts";
import { codeFor } from "../../../../tests/people.ts";
import { linked, visitor, type Visitor } from "../../../../tests/visitors.ts";
import { world, type World } from "../../../../tests/world.ts";
import { lapseShares } from "./share.ends.ts";

let here: World;
let things: Planted;
beforeAll(async () => {
  here = await world();
  things = await planted(here);
});
const link = (more: object = {}) => linked(here.dentist, things.studyId, more);
const opens = async (secret: string, factor?: string): Promise<Visitor> => {
  const guest = visitor(here.server);
  await guest.opens(secret, factor);
  return guest;
};
const passes = (id: string, column: "expires_at" | "created_at", interval: string) =>
  here.server.running.database.asSystem((db) =>
    sql`update share set ${sql.ref(column)} = now() + ${interval}::interval where id = ${id}`.execute(db),
  );
const noticesOf = async (kind: string) =>
  (await here.dentist.gets("notice.list", { categoryID: 0 })).list.filter((one) => one.kind === kind);

describe("a link to a study", () => {
  it("shows the study, its files and marks to whoever knows the answer, and is logged", async () => {
    const { secret, share } = await link({ label: "Dr. Li" });
    const guest = visitor(here.server);
    expect((await guest.asks("share.knock", { secret })).data).toEqual({
      institution: expect.stringContaining("Clinic"),
      factor: "birthDate",
    });
    expect((await guest.opens(secret, "1988-04-13")).code).toBe(42270);
    expect((await guest.opens(secret, "1988-04-12")).code).toBe(200);
    const study = (await guest.asks("share.study", { id: things.studyId })).data;
    expect(study).toMatchObject({ id: things.studyId, patientName: "王小明", patientId: null, named: null });
    const [scan] = study.series[0]!.instances;
    expect(scan!.originalUrl).toBeNull();
    expect((await guest.fetches(scan!.model!.url)).status).toBe(200);
    expect((await guest.asks("share.marks", { id: things.studyId })).data).toEqual({ version: 0, marks: [] });
    const { list } = await here.clinic.gets("share.list", {});
    expect(list.find(({ id }) => id === share.id)).toMatchObject({ label: "Dr. Li", opens: 1, state: "active" });
    const log = await here.clinic.gets("share.log", { id: share.id });
    expect(log.map(({ what }) => what)).toEqual(["look", "open", "wrong", "create"]);
    await expect.poll(async () => (await noticesOf("shareOpened")).length).toBe(1);
  });

  it("tells what it shows without names where it was made so", async () => {
    await here.clinic.gets("study.saveMarks", {
      id: things.studyId,
      version: 0,
      marks: [{ id: "m", tool: "text", instanceId: null, points: [[1, 1]], plane: null, text: "王小明 11" }],
    });
    const { secret } = await link({ nameless: true, factor: { kind: "none" }, allowDownload: true });
    const guest = await opens(secret);
    const said = JSON.stringify([
      await guest.asks("share.visit", {}),
      await guest.asks("share.study", { id: things.studyId }),
      await guest.asks("share.marks", { id: things.studyId }),
    ]);
    for (const word of ["王", "小明", "1988-04-12", things.patient.number, "upper.stl"])
      expect(said).not.toContain(word);
    const { url, files } = (await guest.asks("share.download", { id: things.studyId })).data;
    expect(files).toBe(1);
    const archive = await guest.fetches(url);
    expect(archive.headers.get("content-disposition")).toContain("P-");
    expect(Buffer.from(await archive.arrayBuffer()).includes("upper.stl")).toBe(false);
    const bytes = (await guest.asks("share.study", { id: things.studyId })).data.series[0]!.instances[0]!.model!.url;
    expect((await guest.fetches(bytes)).status).toBe(200);
  });

  it("is refused where it would say too much or too little", async () => {
    const before = (await here.clinic.gets("share.list", {})).total;
    const make = (more: object) => here.dentist.asks("share.create", wish(things.studyId, more));
    expect((await make({ factor: { kind: "none" } })).code).toBe(42271);
    expect((await make({ factor: { kind: "phone" } })).code).toBe(42272);
    expect(await make({ label: "Mutter von 王小明" })).toMatchObject({ code: 40001, data: { label: "namesPatient" } });
    expect((await make({ warned: false })).code).toBe(40001);
    expect((await make({ days: 8 })).code).toBe(40001);
    expect((await make({ factor: { kind: "phrase", phrase: "kurz" } })).code).toBe(40001);
    expect((await here.clinic.gets("share.list", {})).total).toBe(before);
  });

  it("opens by a code sent to the address that was named, which is good once", async () => {
    const email = "dr.li@elsewhere.test";
    const { secret } = await link({ factor: { kind: "email", email } });
    const guest = visitor(here.server);
    expect((await guest.opens(secret, "000000")).code).toBe(42270);
    expect((await guest.asks("share.sendCode", { secret })).data).toEqual({ resendAfter: 60 });
    expect((await guest.asks("share.sendCode", { secret })).code).toBe(42971);
    const code = await expectCode(email);
    expect((await guest.opens(secret, code)).code).toBe(200);
    expect((await visitor(here.server).opens(secret, code)).code).toBe(42270);
  });
});

describe("the life of a link", () => {
  it("is extended, renewed and cancelled by who made it and by managers, by nobody else, and not for ever", async () => {
    const { secret, share } = await link();
    const colleague = await here.server.person("clinicMember", { id: here.clinic.iid! });
    const step = (who: typeof colleague, action: "extend" | "cancel" | "unlock", days?: number) =>
      who.asks("share.step", { id: share.id, action, ...(days && { days }) });
    expect((await step(colleague, "cancel")).code).toBe(40990);
    expect((await step(here.dentist, "unlock")).code).toBe(40990);
    for (let weeks = 0; weeks < 3; weeks++) expect((await step(here.clinic, "extend", 7)).code).toBe(200);
    expect((await step(here.clinic, "extend", 7)).code).toBe(42273);
    const guest = await opens(secret, "1988-04-12");
    const renewed = await here.dentist.gets("share.renew", { id: share.id });
    expect((await guest.asks("share.visit", {})).code).toBe(40170);
    expect((await visitor(here.server).opens(secret, "1988-04-12")).code).toBe(40470);
    const again = await opens(renewed.secret, "1988-04-12");
    expect((await step(here.dentist, "cancel")).code).toBe(200);
    expect((await again.asks("share.study", { id: things.studyId })).code).toBe(40470);
    expect((await step(here.dentist, "extend", 1)).code).toBe(40990);
    expect((await here.dentist.gets("share.list", { part: "ended" })).list.map(({ id }) => id)).toContain(share.id);
  });

  it("ends by itself, and who made it is told once", async () => {
    const { secret, share } = await link({ label: "Labor" });
    const guest = await opens(secret, "1988-04-12");
    await passes(share.id, "expires_at", "1 second");
    expect((await guest.asks("share.visit", {})).code).toBe(200);
    await passes(share.id, "expires_at", "-1 second");
    expect((await guest.asks("share.visit", {})).code).toBe(40470);
    expect((await visitor(here.server).asks("share.knock", { secret })).code).toBe(40470);
    expect((await here.dentist.gets("share.list", { part: "ended" })).list[0]).toMatchObject({ state: "expired" });
    await lapseShares(here.server.running.database);
    await lapseShares(here.server.running.database);
    expect(await noticesOf("shareExpired")).toHaveLength(1);
  });

  it("ends with the membership of who made it", async () => {
    const leaver = await here.server.person("clinicMember", { id: here.clinic.iid! });
    const { secret } = await linked(leaver, things.studyId);
    const member = (await here.clinic.gets("member.list", {})).list.find(({ userId }) => userId === leaver.uid)!;
    await here.clinic.gets("member.update", { id: member.id, action: "kickOut" });
    expect((await visitor(here.server).asks("share.knock", { secret })).code).toBe(40470);
  });
});

const wish = (id: string, more: object) => ({
  kind: "study",
  id,
  label: "Dr. Li",
  factor: { kind: "birthDate" },
  warned: true,
  ...more,
});
async function expectCode(email: string): Promise<string> {
  await expect.poll(() => codeFor(email)).toMatch(/^\d{6}$/);
  return codeFor(email);
}
