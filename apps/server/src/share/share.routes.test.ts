import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { createFixtures, type Fixtures } from "@arcada/testing/fixtures/patient-with-orders";
import { findSentCode } from "@arcada/testing/fixtures/account-registration";
import { createShare, newGuest, type Guest } from "@arcada/testing/clients/guest";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { refusals } from "@arcada/contract/kernel/refusals";
import { expireShares } from "./share.end.ts";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestSetup;
let fixtures: Fixtures;
beforeAll(async () => {
  env = await setup();
  fixtures = await createFixtures(env);
});
const link = (more: object = {}) => createShare(env.dentist, fixtures.studyId, more);
const openLink = async (secret: string, factor?: string): Promise<Guest> => {
  const guest = newGuest(env.server);
  await guest.open(secret, factor);
  return guest;
};
const passFactor = (id: string, column: "expires_at" | "created_at", interval: string) =>
  env.server.running.database.asSystem((db) =>
    sql`update share set ${sql.ref(column)} = now() + ${interval}::interval where id = ${id}`.execute(db),
  );
const listNotices = async (kind: string) =>
  (await env.dentist.call("notice.list", { categoryID: 0 })).list.filter((one) => one.kind === kind);

describe("a link to a study", () => {
  it("shows the study, its files and annotations to a guest who knows the answer, and logs the access", async () => {
    const { secret, share } = await link({ label: "Dr. Li" });
    const guest = newGuest(env.server);
    expect((await guest.ask("share.knock", { secret })).data).toEqual({
      institution: expect.stringContaining("Clinic"),
      factor: "birthDate",
    });
    expect(refusalOf(await guest.open(secret, "1988-04-13"))).toBe("shareFactorWrong");
    expect((await guest.open(secret, "1988-04-12")).code).toBe(200);
    const study = (await guest.ask("share.study", { id: fixtures.studyId })).data;
    expect(study).toMatchObject({ id: fixtures.studyId, patientName: "王小明", patientId: null, named: null });
    const [scan] = study.series[0].instances;
    expect(scan.originalUrl).toBeNull();
    expect((await guest.fetch(present(scan.model, "model").url)).status).toBe(200);
    expect((await guest.ask("share.marks", { id: fixtures.studyId })).data).toEqual({ version: 0, marks: [] });
    const { list } = await env.clinic.call("share.list", {});
    expect(list.find(({ id }) => id === share.id)).toMatchObject({ label: "Dr. Li", opens: 1, state: "active" });
    const log = await env.clinic.call("share.log", { id: share.id });
    expect(log.map(({ what }) => what)).toEqual(["look", "open", "wrong", "create"]);
    await expect.poll(async () => (await listNotices("shareOpened")).length).toBe(1);
  });

  it("shows its content without names if it is de-identified", async () => {
    await env.clinic.call("study.saveMarks", {
      id: fixtures.studyId,
      version: 0,
      marks: [{ id: "m", tool: "text", instanceId: null, points: [[1, 1]], plane: null, text: "王小明 11" }],
    });
    const { secret } = await link({ nameless: true, factor: { kind: "none" }, allowDownload: true });
    const guest = await openLink(secret);
    const said = JSON.stringify([
      await guest.ask("share.visit", {}),
      await guest.ask("share.study", { id: fixtures.studyId }),
      await guest.ask("share.marks", { id: fixtures.studyId }),
    ]);
    for (const word of ["王", "小明", "1988-04-12", fixtures.patient.number, "upper.stl"])
      expect(said).not.toContain(word);
    const { url, files } = (await guest.ask("share.download", { id: fixtures.studyId })).data;
    expect(files).toBe(1);
    const archive = await guest.fetch(url);
    expect(archive.headers.get("content-disposition")).toContain("P-");
    expect(Buffer.from(await archive.arrayBuffer()).includes("upper.stl")).toBe(false);
    const bytes = present(
      (await guest.ask("share.study", { id: fixtures.studyId })).data.series[0].instances[0].model,
      "model",
    ).url;
    expect((await guest.fetch(bytes)).status).toBe(200);
  });

  it("is refused if it would reveal too much or contain too little", async () => {
    const before = (await env.clinic.call("share.list", {})).total;
    const make = (more: object) => env.dentist.ask("share.create", shareInput(fixtures.studyId, more));
    expect(refusalOf(await make({ factor: { kind: "none" } }))).toBe("shareFactorNeeded");
    expect(refusalOf(await make({ factor: { kind: "phone" } }))).toBe("sharePatientLacks");
    expect(await make({ label: "Mutter von 王小明" })).toMatchObject({
      code: refusals.badInput.code,
      data: { label: "namesPatient" },
    });
    expect(refusalOf(await make({ warned: false }))).toBe("badInput");
    expect(refusalOf(await make({ days: 8 }))).toBe("badInput");
    expect(refusalOf(await make({ factor: { kind: "phrase", phrase: "kurz" } }))).toBe("badInput");
    expect((await env.clinic.call("share.list", {})).total).toBe(before);
  });

  it("opens by a code sent to the named address, which is valid once", async () => {
    const email = "dr.li@elsewhere.test";
    const { secret } = await link({ factor: { kind: "email", email } });
    const guest = newGuest(env.server);
    expect(refusalOf(await guest.open(secret, "000000"))).toBe("shareFactorWrong");
    expect((await guest.ask("share.sendCode", { secret })).data).toEqual({ resendAfter: 60 });
    expect(refusalOf(await guest.ask("share.sendCode", { secret }))).toBe("shareCodeLately");
    const code = await expectCode(email);
    expect((await guest.open(secret, code)).code).toBe(200);
    expect(refusalOf(await newGuest(env.server).open(secret, code))).toBe("shareFactorWrong");
  });
});

describe("the life of a link", () => {
  it("is extended, renewed and cancelled by its creator and by managers, by nobody else, and not without limit", async () => {
    const { secret, share } = await link();
    const colleague = await env.server.createUser("clinicMember", { id: env.clinic.iid });
    const step = (who: typeof colleague, action: "extend" | "cancel" | "unlock", days?: number) =>
      who.ask("share.step", { id: share.id, action, ...(days && { days }) });
    expect(refusalOf(await step(colleague, "cancel"))).toBe("shareActionNotAllowed");
    expect(refusalOf(await step(env.dentist, "unlock"))).toBe("shareActionNotAllowed");
    for (let weeks = 0; weeks < 3; weeks++) expect((await step(env.clinic, "extend", 7)).code).toBe(200);
    expect(refusalOf(await step(env.clinic, "extend", 7))).toBe("shareTooLong");
    const guest = await openLink(secret, "1988-04-12");
    const renewed = await env.dentist.call("share.renew", { id: share.id });
    expect(refusalOf(await guest.ask("share.visit", {}))).toBe("shareVisitOver");
    expect(refusalOf(await newGuest(env.server).open(secret, "1988-04-12"))).toBe("shareGone");
    const again = await openLink(renewed.secret, "1988-04-12");
    expect((await step(env.dentist, "cancel")).code).toBe(200);
    expect(refusalOf(await again.ask("share.study", { id: fixtures.studyId }))).toBe("shareGone");
    expect(refusalOf(await step(env.dentist, "extend", 1))).toBe("shareActionNotAllowed");
    expect((await env.dentist.call("share.list", { part: "ended" })).list.map(({ id }) => id)).toContain(share.id);
  });

  it("ends automatically, and its creator is notified once", async () => {
    const { secret, share } = await link({ label: "Labor" });
    const guest = await openLink(secret, "1988-04-12");
    await passFactor(share.id, "expires_at", "1 second");
    expect((await guest.ask("share.visit", {})).code).toBe(200);
    await passFactor(share.id, "expires_at", "-1 second");
    expect(refusalOf(await guest.ask("share.visit", {}))).toBe("shareGone");
    expect(refusalOf(await newGuest(env.server).ask("share.knock", { secret }))).toBe("shareGone");
    expect((await env.dentist.call("share.list", { part: "ended" })).list[0]).toMatchObject({ state: "expired" });
    await expireShares(env.server.running.database);
    await expireShares(env.server.running.database);
    expect(await listNotices("shareExpired")).toHaveLength(1);
  });

  it("ends with the membership of its creator", async () => {
    const leaver = await env.server.createUser("clinicMember", { id: env.clinic.iid });
    const { secret } = await createShare(leaver, fixtures.studyId);
    const member = present((await env.clinic.call("member.list", {})).list.find(({ userId }) => userId === leaver.uid));
    await env.clinic.call("member.update", { id: member.id, action: "kickOut" });
    expect(refusalOf(await newGuest(env.server).ask("share.knock", { secret }))).toBe("shareGone");
  });
});

const shareInput = (id: string, more: object) => ({
  kind: "study",
  id,
  label: "Dr. Li",
  factor: { kind: "birthDate" },
  warned: true,
  ...more,
});
async function expectCode(email: string): Promise<string> {
  await expect.poll(() => findSentCode(email)).toMatch(/^\d{6}$/);
  return findSentCode(email);
}
