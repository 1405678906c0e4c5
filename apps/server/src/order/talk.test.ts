import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { crownFor, sentOrder, smallScan, steps } from "../../../../tests/orders.ts";
import { newPatient } from "../../../../tests/uploads.ts";
import { world } from "../../../../tests/world.ts";
import type { Person, World } from "../../../../tests/world.ts";

const code = (name: RefusalName): number => refusals[name].code;
const picture = (): Promise<Buffer> =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: "#886644" } })
    .withExif({ IFD0: { ImageDescription: "王小明" } })
    .jpeg()
    .toBuffer();

describe("messages of an order", () => {
  it("bring files along, show pictures, and say who has read up to where", async () => {
    const here = await world();
    const { dentist, designer, lab } = here;
    const order = await sentOrder(here);
    await designer.gets("order.message", { id: order.id, text: "margin?" });
    const files = [
      await dentist.uploads("王小明 shade.jpg", await picture()),
      await dentist.uploads("stump.stl", smallScan()),
    ];
    const said = await dentist.gets("order.message", { id: order.id, files });

    const seen = await designer.gets("order.detail", { id: order.id });
    expect(seen.messages.map(({ text, mine }) => [text, mine])).toEqual([
      ["margin?", true],
      ["", false],
    ]);
    expect(seen.files.map(({ role, messageId, revisionId }) => [role, messageId, revisionId])).toEqual([
      ["message", said.id, null],
      ["message", said.id, null],
    ]);
    expect(seen.unread).toBe(1);
    expect((await lab.gets("order.list", {})).list[0]).toMatchObject({ id: order.id, unread: 1 });
    // A person who answers has read the messages above.
    expect((await dentist.gets("order.detail", { id: order.id })).unread).toBe(0);
    expect(seen.readings).toMatchObject([
      { who: designer.name, self: true },
      { who: dentist.name, mine: false, upTo: said.time },
    ]);

    await designer.gets("order.read", { id: order.id, message: said.id });
    const read = await dentist.gets("order.detail", { id: order.id });
    expect(read.readings.find(({ mine }) => !mine)).toMatchObject({ who: designer.name, upTo: said.time });
    await designer.gets("order.read", { id: order.id, message: seen.messages[0]!.id });
    expect((await designer.gets("order.detail", { id: order.id })).unread).toBe(0);

    await expect
      .poll(async () => (await designer.gets("order.detail", { id: order.id })).files[0]!.pictureUrl, {
        timeout: 10_000,
      })
      .not.toBeNull();
    const shown = (await designer.gets("order.detail", { id: order.id })).files[0]!;
    const bytes = await (await fetch(`${here.server.running.address}${shown.pictureUrl}`)).arrayBuffer();
    const { format, width, exif } = await sharp(Buffer.from(bytes)).metadata();
    expect([format, width, exif]).toEqual(["webp", 900, undefined]);
    expect(shown.thumbnailUrl).toContain("/files/converted/");
  });

  it("keep names out of their files' names for a lab that names are hidden from", async () => {
    const here = await world({ clinic: { hidePatientNames: true } });
    const { dentist, designer } = here;
    const order = await sentOrder(here);
    const upload = await dentist.uploads("王小明 shade.jpg", await picture());
    await dentist.gets("order.message", { id: order.id, text: "see", files: [upload] });
    const seen = await designer.gets("order.detail", { id: order.id });
    expect(seen.files.map(({ name }) => name)).toEqual(["message-1.jpg"]);
    expect(decodeURIComponent(JSON.stringify(seen))).not.toContain("小明");
  });

  it("are refused empty, with files of others, or after the end; nothing of them stays", async () => {
    const here = await world();
    const { dentist, designer } = here;
    const order = await sentOrder(here);
    const upload = await dentist.uploads("a.jpg", await picture());
    const refused = async (who: Person, input: Record<string, unknown>) =>
      (await who.asks("order.message", { id: order.id, ...input })).code;
    expect(await refused(dentist, {})).toBe(code("badInput"));
    expect(await refused(designer, { files: [upload] })).toBe(code("uploadUnknown"));
    await steps(designer, order, "refuse", { reason: "no time", ...reasonOf });
    expect(await refused(dentist, { files: [upload] })).toBe(code("orderActionNotAllowed"));
    const after = await dentist.gets("order.detail", { id: order.id });
    expect([after.messages, after.files]).toEqual([[], []]);
  });
});
// A refusal names its class as well.
const reasonOf = { code: "capacity" } as Record<string, unknown>;

describe("comments at places of models", () => {
  it("are numbered, answered, settled and taken back, seen by both sides, at the bytes that they were set on", async () => {
    const here = await world();
    const { dentist, designer } = here;
    const { order, file } = await withScan(here);
    const point: [number, number, number] = [0.25, 0.5, -1];
    const { id } = await designer.gets("order.addPin", { id: order.id, file: file.id, point, text: "margin here?" });
    await designer.gets("order.addPin", { id: order.id, file: file.id, point, text: "oops" });
    const list = async (who: Person) => (await who.gets("order.pins", { id: order.id })).list;
    expect(await list(dentist)).toMatchObject([
      { number: 1, sha256: file.sha256, point, who: designer.name, mine: false, settled: null, mayRemove: false },
      { number: 2 },
    ]);
    const mistaken = (await list(designer))[1]!;
    expect(mistaken.mayRemove).toBe(true);
    expect((await dentist.asks("order.removePin", { id: order.id, pin: mistaken.id })).code).toBe(
      code("orderActionNotAllowed"),
    );
    await designer.gets("order.removePin", { id: order.id, pin: mistaken.id });

    await dentist.gets("order.answerPin", { id: order.id, pin: id, text: "0.5 mm below" });
    expect((await designer.asks("order.removePin", { id: order.id, pin: id })).code).toBe(
      code("orderActionNotAllowed"),
    );
    await dentist.gets("order.settlePin", { id: order.id, pin: id, settled: true });
    expect(await list(designer)).toMatchObject([
      { replies: [{ text: "0.5 mm below", mine: false }], settled: { who: dentist.name }, mayRemove: false },
    ]);
    await designer.gets("order.settlePin", { id: order.id, pin: id, settled: false });
    expect(await list(designer)).toMatchObject([{ settled: null }]);
  });

  it("belong to the two sides of their order alone, and to its models", async () => {
    const [here, there] = [await world(), await world()];
    const { order, file } = await withScan(here);
    const other = await withScan(there);
    const at = (id: string) => ({ id: order.id, file: id, point: [0, 0, 0] as [number, number, number], text: "x" });
    const stranger = await there.designer.asks("order.addPin", at(file.id));
    const foreign = await here.designer.asks("order.addPin", at(other.file.id));
    expect([stranger.code, foreign.code]).toEqual([code("notFound"), code("notFound")]);
    expect((await there.designer.asks("order.pins", { id: order.id })).code).toBe(code("notFound"));
    expect((await here.dentist.gets("order.pins", { id: order.id })).list).toEqual([]);
    await here.dentist.gets("order.addPin", at(file.id));
    await steps(here.designer, order, "refuse", { reason: "no", ...reasonOf });
    expect(await here.designer.gets("order.pins", { id: order.id })).toEqual({ list: [], mayWrite: false });
    expect((await here.dentist.gets("order.pins", { id: order.id })).list).toHaveLength(1);
    expect((await here.dentist.asks("order.addPin", at(file.id))).code).toBe(code("orderActionNotAllowed"));
  });
});

it("keeps each prescription as it was, so that both sides see what an answer changed", async () => {
  const here = await world();
  const { dentist, lab } = here;
  let order = await sentOrder(here);
  order = await steps(lab, order, "requestInfo", { text: "shade?" });
  const { patientId: _, targetIid: __, ...rx } = crownFor("", null);
  order = await steps(dentist, order, "supplyInfo", {
    prescription: { ...rx, dueDate: "2030-02-02", items: [{ ...rx.items[0]!, shade: "B2" }] },
  });
  const { list } = await lab.gets("order.rx", { id: order.id });
  expect(list.map(({ revision, prescription: { dueDate, items } }) => [revision, dueDate, items[0]?.shade])).toEqual([
    [1, "2030-01-01", "A2"],
    [2, "2030-02-02", "B2"],
  ]);
});

async function withScan(here: World) {
  const upload = await here.dentist.uploads("upper.stl", smallScan());
  const patientId = await newPatient(here.clinic);
  const order = await sentOrder(here, { patientId, noDigitalFiles: false, uploads: [{ upload, role: "upperScan" }] });
  return { order, file: order.files[0]! };
}
