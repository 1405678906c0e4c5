import { beforeAll, describe, expect, it, vi } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { cbctFiles } from "@arcada/imaging/phantom/cbct";
import { makeHead } from "@arcada/imaging/phantom/head";
import type { InboxRow } from "@arcada/contract/study/inbox.calls";
import { DicomwebClient } from "../../../../tests/dicomweb-client.ts";
import { newPatient, uploaded } from "../../../../tests/uploads.ts";
import { world, type Person, type World } from "../../../../tests/world.ts";

const head = makeHead("inbox");
const named = (name: string, id = "", birthDate = "19900101") => ({ id, name, sex: "M" as const, birthDate });
const slicesOf = (who: ReturnType<typeof named>, slices: number): Uint8Array[] => {
  const size = { columns: 32, rows: 32, slices, voxel: 4 };
  return [...cbctFiles(head, who, { size, study: { key: who.name } })].map(({ bytes }) => bytes);
};
const picture = (name: string, id = "", birthDate = "19900101"): Uint8Array =>
  slicesOf(named(name, id, birthDate), 1)[0]!;
const slices = slicesOf(named("Zhao^Liu", "7"), 8);

/** Sends files as a device does, and waits until this many studies are in the inbox. */
async function sent(clinic: Person, files: Uint8Array[], waiting: number): Promise<InboxRow[]> {
  expect((await new DicomwebClient(clinic).stores(files)).status).toBe(200);
  return vi.waitFor(
    async () => {
      const { list } = await clinic.gets("study.inbox", {});
      expect(list.map(({ state }) => state)).toEqual(Array.from({ length: waiting }, () => "ready"));
      return list;
    },
    { timeout: 20_000, interval: 200 },
  );
}

const trailOf = async (here: World, id: string) =>
  here.server.running.database.asSystem((db) =>
    db.selectFrom("audit").select(["action", "detail"]).where("subject", "=", id).orderBy("id").execute(),
  );

describe("studies that come without a chosen patient", { timeout: 60_000 }, () => {
  let here: World;
  let wang: string;
  let namesakes: string[];
  let inbox: InboxRow[];
  beforeAll(async () => {
    here = await world();
    const { clinic } = here;
    wang = await newPatient(clinic, { name: "王小明", birthDate: "1990-01-01" });
    namesakes = [await newPatient(clinic, { name: "李四" }), await newPatient(clinic, { name: "李四" })];
    const files = [picture("Wang^Xiaoming=王^小明", "D-3"), picture("Li^Si", "D-4"), slices[0]!, slices[1]!];
    inbox = await sent(clinic, files, 2);
  }, 60_000);

  it("find the one patient whom their files name; the trail says by what", async () => {
    // Each study is imported by its own job.
    const study = await vi.waitFor(async () => {
      const [found] = await here.clinic.gets("study.list", { patientId: wang });
      expect(found).toBeDefined();
      return found!;
    }, 10_000);
    expect(await trailOf(here, study.id)).toContainEqual({
      action: "study.match",
      detail: { patient: wang, by: "name" },
    });
  });

  it("wait in the inbox where it may be several, with those whose they may be, or nobody", async () => {
    const [several, nobody] = ["Li", "Zhao"].map((name) => inbox.find(({ person }) => person?.name.startsWith(name))!);
    expect(new Set(several!.candidates.map(({ id, agrees }) => [id, ...agrees].join(" ")))).toEqual(
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
    expect(await here.clinic.gets("study.inboxCount", {})).toEqual({ count: 2 });
    expect(await here.clinic.gets("study.detail", { id: nobody!.id })).toMatchObject({ patientId: null });
    const page = await here.clinic.gets("study.inbox", { pageSize: 1 });
    const rest = await here.clinic.gets("study.inbox", { pageSize: 1, cursor: page.next! });
    expect([...page.list, ...rest.list].map(({ id }) => id)).toEqual(inbox.map(({ id }) => id));
    expect([page.total, rest.next]).toEqual([2, null]);
  });

  it("are the clinic's alone: no lab and no other clinic sees, attaches, removes or restores them", async () => {
    const { lab } = here;
    const stranger = (await world()).clinic;
    const theirs = await newPatient(stranger);
    const { id } = inbox[0]!;
    expect((await lab.asks("study.inbox", {})).code).toBe(refusals.notAllowed.code);
    expect((await lab.asks("study.detail", { id })).code).toBe(refusals.notFound.code);
    expect(await stranger.gets("study.inbox", {})).toEqual({ list: [], total: 0, next: null });
    for (const [call, input] of [
      ["study.detail", { id }],
      ["study.attach", { id, patientId: theirs }],
      ["study.move", { id, from: theirs, patientId: theirs, reason: "x" }],
      ["study.remove", { id }],
      ["study.restore", { id }],
    ] as const)
      expect((await stranger.asks(call, input)).code, call).toBe(refusals.notFound.code);
    expect((await here.clinic.gets("study.inbox", {})).list.map((row) => row.id)).toContain(id);
  });

  it("go to one patient where two people attach them to two at once, and the other is told", async () => {
    const { clinic, dentist } = here;
    const { id } = inbox.find(({ person }) => person?.name.startsWith("Li"))!;
    const answers = await Promise.all([
      clinic.asks("study.attach", { id, patientId: namesakes[0]! }),
      dentist.asks("study.attach", { id, patientId: namesakes[1]! }),
    ]);
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([200, refusals.studyElsewhere.code]));
    const winner = namesakes[answers.findIndex(({ code }) => code === 200)]!;
    expect((await clinic.gets("study.detail", { id })).patientId).toBe(winner);
    expect(await clinic.gets("study.inboxCount", {})).toEqual({ count: 1 });
  });

  it("name another than the one to whom they are attached only with a yes, and draw the rest of their pictures after them", async () => {
    const { clinic } = here;
    const { id } = inbox.find(({ person }) => person?.name.startsWith("Zhao"))!;
    expect(await clinic.asks("study.attach", { id, patientId: wang })).toMatchObject({
      code: refusals.patientMismatch.code,
      data: { birthDate: "1990-01-01" },
    });
    expect((await clinic.gets("study.detail", { id })).patientId).toBeNull();
    await clinic.gets("study.attach", { id, patientId: wang, acceptMismatch: true });
    await sent(clinic, slices, 0);
    await expect
      .poll(async () => (await clinic.gets("study.detail", { id })).count, { timeout: 20_000 })
      .toBe(slices.length);
    expect((await clinic.gets("study.detail", { id })).series).toMatchObject([
      { kind: "volume", count: slices.length },
    ]);
    expect(await clinic.gets("study.inboxCount", {})).toEqual({ count: 0 });
  });
});

describe("a patient's study", { timeout: 60_000 }, () => {
  it("moves to another patient from where it was seen, with a reason that the trail keeps", async () => {
    const here = await world();
    const { clinic, dentist } = here;
    const [one, other] = [await newPatient(clinic), await newPatient(clinic, { name: "李四" })];
    const [id] = (await uploaded(clinic, one, { "a.dcm": picture("") })).studies as [string];
    expect((await clinic.asks("study.move", { id, from: one, patientId: other, reason: " " })).code).toBe(
      refusals.badInput.code,
    );
    expect((await clinic.asks("study.attach", { id, patientId: other })).code).toBe(refusals.studyElsewhere.code);
    const twice = await Promise.all([
      clinic.asks("study.move", { id, from: one, patientId: other, reason: "wrong person chosen" }),
      dentist.asks("study.move", { id, from: one, patientId: await newPatient(clinic), reason: "also" }),
    ]);
    expect(new Set(twice.map(({ code }) => code))).toEqual(new Set([200, refusals.studyElsewhere.code]));
    expect(await clinic.gets("study.list", { patientId: one })).toEqual([]);
    const moves = (await trailOf(here, id)).filter(({ action }) => action === "study.move");
    expect(moves).toMatchObject([{ detail: { from: one, reason: expect.any(String) } }]);
    const left = (await trailOf(here, one)).filter(({ action }) => action === "study.moveAway");
    expect(left).toMatchObject([{ detail: { study: id } }]);
  });

  it("comes back out of the bin for 30 days, unless the same examination is there again", async () => {
    const here = await world();
    const { clinic } = here;
    const patientId = await newPatient(clinic);
    const file = { "a.dcm": picture("") };
    const [id] = (await uploaded(clinic, patientId, file)).studies as [string];
    await clinic.gets("study.remove", { id });
    const [binned] = await clinic.gets("study.bin", { patientId });
    expect(binned).toMatchObject({ id, patientId });
    expect(Date.parse(binned!.goesAt) - Date.parse(binned!.removedAt)).toBe(30 * 86_400_000);
    expect(await clinic.gets("study.bin", {})).toEqual([]);
    await clinic.gets("study.restore", { id });
    expect(await clinic.gets("study.bin", { patientId })).toEqual([]);
    expect(await clinic.gets("study.list", { patientId })).toMatchObject([{ id }]);
    await clinic.gets("study.remove", { id });
    const [again] = (await uploaded(clinic, patientId, file)).studies as [string];
    expect((await clinic.asks("study.restore", { id })).code).toBe(refusals.studyTwice.code);
    await clinic.gets("study.remove", { id: again });
    await here.server.running.database.asSystem((db) =>
      db
        .updateTable("study")
        .set({ deleted_at: new Date(Date.now() - 31 * 86_400_000).toISOString() })
        .where("id", "=", id)
        .execute(),
    );
    expect((await clinic.asks("study.restore", { id })).code).toBe(refusals.notFound.code);
    expect((await clinic.gets("study.bin", { patientId })).map((row) => row.id)).toEqual([again]);
  });
});
