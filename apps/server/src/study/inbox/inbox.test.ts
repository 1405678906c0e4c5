import { beforeAll, describe, expect, it, vi, onTestFinished } from "vitest";
import { studyRules } from "@arcada/contract/study/study.rules";
import { refusals } from "@arcada/contract/kernel/refusals";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import type { InboxRow } from "@arcada/contract/study/inbox.calls";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const head = makeHead("inbox");
const named = (name: string, id = "", birthDate = "19900101") => ({ id, name, sex: "M" as const, birthDate });
const slicesOf = (who: ReturnType<typeof named>, slices: number): Uint8Array[] => {
  const size = { columns: 32, rows: 32, slices, voxel: 4 };
  return [...createCbctFiles(head, who, { size, study: { key: who.name } })].map(({ bytes }) => bytes);
};
const image = (name: string, id = "", birthDate = "19900101"): Uint8Array => slicesOf(named(name, id, birthDate), 1)[0];
const slices = slicesOf(named("Zhao^Liu", "7"), 8);

/** Sends files as a device does, and waits until this many studies are in the inbox. */
async function sendToInbox(clinic: TestUser, files: Uint8Array[], waiting: number): Promise<InboxRow[]> {
  expect((await new DicomwebClient(clinic).store(files)).status).toBe(200);
  return vi.waitFor(
    async () => {
      const { list } = await clinic.call("study.inbox", {});
      expect(list.map(({ state }) => state)).toEqual(Array.from({ length: waiting }, () => "ready"));
      return list;
    },
    { timeout: 20_000, interval: 200 },
  );
}

const auditOf = async (env: TestSetup, id: string) =>
  env.server.running.database.asSystem((db) =>
    db.selectFrom("audit").select(["action", "detail"]).where("subject", "=", id).orderBy("id").execute(),
  );

describe("studies that arrive without a chosen patient", { timeout: 60_000 }, () => {
  let env: TestSetup;
  let wang: string;
  let namesakes: string[];
  let inbox: InboxRow[];
  beforeAll(async () => {
    env = await setup();
    const { clinic } = env;
    wang = await createPatient(clinic, { name: "王小明", birthDate: "1990-01-01" });
    namesakes = [await createPatient(clinic, { name: "李四" }), await createPatient(clinic, { name: "李四" })];
    const files = [image("Wang^Xiaoming=王^小明", "D-3"), image("Li^Si", "D-4"), slices[0], slices[1]];
    inbox = await sendToInbox(clinic, files, 2);
  }, 60_000);

  it("are assigned to the one patient whom their files name, and the audit log records the matching criteria", async () => {
    // Each study is imported by its own job.
    const study = await vi.waitFor(async () => {
      const [found] = await env.clinic.call("study.list", { patientId: wang });
      expect(found).toBeDefined();
      return found;
    }, 10_000);
    expect(await auditOf(env, study.id)).toContainEqual({
      action: "study.match",
      detail: { patient: wang, by: "name" },
    });
  });

  it("are counted up to a limit", async () => {
    const { maxInboxCount } = studyRules;
    Object.assign(studyRules, { maxInboxCount: 1 });
    onTestFinished(() => void Object.assign(studyRules, { maxInboxCount }));
    expect(await env.clinic.call("study.inboxCount", {})).toEqual({ count: 1 });
  });

  it("wait in the inbox with their candidates if several patients match, or without any if none does", async () => {
    const [several, nobody] = ["Li", "Zhao"].map((name) => inbox.find(({ person }) => person?.name.startsWith(name)));
    expect(new Set(present(several).candidates.map(({ id, agrees }) => [id, ...agrees].join(" ")))).toEqual(
      new Set(namesakes.map((id) => `${id} name birthDate`)),
    );
    expect(nobody).toMatchObject({
      patientId: null,
      origin: "stow",
      kind: "ct",
      count: 2,
      person: { number: "7", birthDate: "1990-01-01", sex: "male" },
      candidates: [],
    });
    expect(await env.clinic.call("study.inboxCount", {})).toEqual({ count: 2 });
    expect(await env.clinic.call("study.detail", { id: present(nobody).id })).toMatchObject({ patientId: null });
    const page = await env.clinic.call("study.inbox", { pageSize: 1 });
    const rest = await env.clinic.call("study.inbox", { pageSize: 1, cursor: present(page.next, "next") });
    expect([...page.list, ...rest.list].map(({ id }) => id)).toEqual(inbox.map(({ id }) => id));
    expect([page.total, rest.next]).toEqual([2, null]);
  });

  it("belong to the clinic alone: no lab and no other clinic sees, attaches, removes or restores them", async () => {
    const { lab } = env;
    const stranger = (await setup()).clinic;
    const theirs = await createPatient(stranger);
    const { id } = inbox[0];
    expect(refusalOf(await lab.ask("study.inbox", {}))).toBe("notAllowed");
    expect(refusalOf(await lab.ask("study.detail", { id }))).toBe("notFound");
    expect(await stranger.call("study.inbox", {})).toEqual({ list: [], total: 0, next: null });
    for (const [call, input] of [
      ["study.detail", { id }],
      ["study.attach", { id, patientId: theirs }],
      ["study.move", { id, from: theirs, patientId: theirs, reason: "x" }],
      ["study.remove", { id }],
      ["study.restore", { id }],
    ] as const)
      expect(refusalOf(await stranger.ask(call, input)), call).toBe("notFound");
    expect((await env.clinic.call("study.inbox", {})).list.map((row) => row.id)).toContain(id);
  });

  it("are attached to one patient when two people attach them to two at the same time, and the other person gets a refusal", async () => {
    const { clinic, dentist } = env;
    const { id } = present(inbox.find(({ person }) => person?.name.startsWith("Li")));
    const answers = await Promise.all([
      clinic.ask("study.attach", { id, patientId: namesakes[0] }),
      dentist.ask("study.attach", { id, patientId: namesakes[1] }),
    ]);
    expect(new Set(answers.map(refusalOf))).toEqual(new Set(["accepted", "studyElsewhere"]));
    const winner = namesakes[answers.findIndex(({ code }) => code === 200)];
    expect((await clinic.call("study.detail", { id })).patientId).toBe(winner);
    expect(await clinic.call("study.inboxCount", {})).toEqual({ count: 1 });
  });

  it("require a confirmation to be attached to a patient whom they do not name, and bring their later images along", async () => {
    const { clinic } = env;
    const { id } = present(inbox.find(({ person }) => person?.name.startsWith("Zhao")));
    expect(await clinic.ask("study.attach", { id, patientId: wang })).toMatchObject({
      code: refusals.patientMismatch.code,
      data: { birthDate: "1990-01-01" },
    });
    expect((await clinic.call("study.detail", { id })).patientId).toBeNull();
    await clinic.call("study.attach", { id, patientId: wang, acceptMismatch: true });
    await sendToInbox(clinic, slices, 0);
    await expect
      .poll(async () => (await clinic.call("study.detail", { id })).count, { timeout: 20_000 })
      .toBe(slices.length);
    expect((await clinic.call("study.detail", { id })).series).toMatchObject([
      { kind: "volume", count: slices.length },
    ]);
    expect(await clinic.call("study.inboxCount", {})).toEqual({ count: 0 });
  });
});
