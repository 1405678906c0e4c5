import { expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const said = (complaint: string, more: object = {}) => ({ complaint, ...more });
const at = (day: string) => `${day}T09:30:00.000Z`;

it("a visit keeps its earlier versions, is never overwritten from an old version, and can be restored from the bin", async () => {
  const { clinic, dentist, lab } = await setup();
  const patientId = await createPatient(clinic);
  const text = { at: at("2026-03-01"), dentistId: dentist.uid };
  const marks = [{ fdi: 36, remark: "deep caries, 𝟏 😀 عربي" }];
  const made = await clinic.call("visit.create", { ...text, patientId, content: said("pain", { marks }) });
  expect(made).toMatchObject({ version: 1, dentist: { name: dentist.name }, content: { complaint: "pain", marks } });

  const upload = await dentist.upload("letter.pdf", Buffer.from("%PDF-1.4 referral"));
  const changed = await dentist.call("visit.update", {
    ...text,
    id: made.id,
    version: 1,
    content: said("pain since Monday"),
    uploads: [upload],
    keep: [],
  });
  expect(changed).toMatchObject({ version: 2, files: [{ name: "letter.pdf", bytes: 17 }] });
  const late = { ...text, id: made.id, version: 1, content: said("late"), keep: [] };
  expect(await clinic.ask("visit.update", late)).toMatchObject({
    code: refusals.visitChanged.code,
    data: { version: 2, content: { complaint: "pain since Monday" } },
  });
  expect(await clinic.call("visit.versions", { id: made.id })).toMatchObject([
    { version: 1, content: { complaint: "pain", marks }, savedBy: clinic.name },
  ]);

  expect(refusalOf(await clinic.ask("visit.remove", { id: made.id, version: 2, reason: " " }))).toBe("badInput");
  await clinic.call("visit.remove", { id: made.id, version: 2, reason: "wrong patient" });
  expect((await clinic.call("visit.list", { patientId })).list).toEqual([]);
  expect((await clinic.call("visit.list", { patientId, which: "removed" })).list).toMatchObject([
    { removed: { by: clinic.name, reason: "wrong patient" } },
  ]);
  expect(refusalOf(await clinic.ask("visit.update", { ...late, version: 3 }))).toBe("notFound");
  await clinic.call("visit.restore", { id: made.id });

  const stranger = (await setup()).clinic;
  for (const who of [stranger, lab])
    expect(["notFound", "notAllowed"], who.role).toContain(refusalOf(await who.ask("visit.list", { patientId })));
  expect(refusalOf(await stranger.ask("visit.versions", { id: made.id }))).toBe("notFound");
});

it("a new record has no last visit, and an earlier visit that is entered later counts", async () => {
  const { clinic, dentist } = await setup();
  const patientId = await createPatient(clinic);
  const lastVisit = async () => (await clinic.call("patient.list", {})).list.map(({ recentVisitAt }) => recentVisitAt);
  expect(await lastVisit()).toEqual([null]);
  expect((await clinic.call("patient.list", { visitFrom: "2020-01-01" })).list).toEqual([]);
  const visit = { patientId, dentistId: dentist.uid, at: at("2024-02-29"), content: said("toothache") };
  await clinic.call("visit.create", visit);
  expect(await lastVisit()).toEqual([visit.at]);
});

it("the visits of a patient are listed newest first, page by page, and state the last visit of the patient", async () => {
  const { clinic, dentist } = await setup();
  const patientId = await createPatient(clinic);
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const days = [at("2024-02-29"), at("2025-07-01"), soon, at("2026-01-05")];
  const text = { patientId, dentistId: dentist.uid };
  const made = [];
  for (const day of days) made.push(await clinic.call("visit.create", { ...text, at: day, content: said(day) }));
  expect((await clinic.call("patient.detail", { id: patientId })).recentVisitAt).toBe(soon);

  const seen: string[] = [];
  for (let cursor: string | undefined | null; cursor !== null;) {
    const page: { list: { at: string }[]; next: string | null } = await clinic.call("visit.list", {
      patientId,
      pageSize: 3,
      ...(cursor && { cursor }),
    });
    seen.push(...page.list.map((visit) => visit.at));
    cursor = page.next;
  }
  expect(seen).toEqual(days.toSorted().toReversed());
  const newest = made[2];
  await clinic.call("visit.remove", { id: newest.id, version: newest.version, reason: "mistaken" });
  expect((await clinic.call("patient.detail", { id: patientId })).recentVisitAt).toBe(at("2026-01-05"));

  const refused = async (more: object) => refusalOf(await clinic.ask("visit.create", { ...text, ...more }));
  const nextYear = `${new Date().getFullYear() + 1}-06-01T00:00:00Z`;
  expect(await refused({ at: nextYear, content: said("x") })).toBe("badInput");
  expect(await refused({ at: days[0], content: said("   ") })).toBe("badInput");
  expect(await refused({ at: days[0], content: said("x".repeat(10_001)) })).toBe("badInput");
  expect(await refused({ at: days[0], content: said("x", { marks: [{ fdi: 19 }] }) })).toBe("badInput");
  expect(await refused({ at: days[0], content: said("x"), dentistId: (await setup()).clinic.uid })).toBe("badInput");
  expect((await clinic.call("visit.list", { patientId })).list).toHaveLength(3);
});
