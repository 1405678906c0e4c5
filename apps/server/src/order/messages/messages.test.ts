import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { crownOrderInput, sendOrder, smallScanStl, takeStep } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser, TestSetup } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const picture = (): Promise<Buffer> =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: "#886644" } })
    .withExif({ IFD0: { ImageDescription: "王小明" } })
    .jpeg()
    .toBuffer();

/** The lab asks about an order, and the clinic answers with an image and a scan. */
async function exchangeMessages() {
  const env = await setup();
  const { dentist, designer } = env;
  const order = await sendOrder(env);
  await designer.call("order.message", { id: order.id, text: "margin?" });
  const files = [
    await dentist.upload("王小明 shade.jpg", await picture()),
    await dentist.upload("stump.stl", smallScanStl()),
  ];
  const answer = await dentist.call("order.message", { id: order.id, files });
  return { ...env, order, answer };
}

describe("messages of an order", () => {
  it("carry text and files", async () => {
    const { designer, order, answer } = await exchangeMessages();
    const seen = await designer.call("order.detail", { id: order.id });
    expect(seen.messages.map(({ text, mine }) => [text, mine])).toEqual([
      ["margin?", true],
      ["", false],
    ]);
    expect(seen.files.map(({ role, messageId, revisionId }) => [role, messageId, revisionId])).toEqual([
      ["message", answer.id, null],
      ["message", answer.id, null],
    ]);
  });

  it("are unread for the other side until a person there reads or answers them", async () => {
    const { dentist, designer, lab, order } = await exchangeMessages();
    expect((await designer.call("order.detail", { id: order.id })).unread).toBe(1);
    expect((await lab.call("order.list", {})).list[0]).toMatchObject({ id: order.id, unread: 1 });
    // A person who answers has read the messages above.
    expect((await dentist.call("order.detail", { id: order.id })).unread).toBe(0);
  });

  it("state up to where each side has read, and an earlier message takes nothing back", async () => {
    const { dentist, designer, order, answer } = await exchangeMessages();
    const seen = await designer.call("order.detail", { id: order.id });
    expect(seen.readings).toMatchObject([
      { who: designer.name, self: true },
      { who: dentist.name, mine: false, upTo: answer.time },
    ]);
    await designer.call("order.read", { id: order.id, message: answer.id });
    const read = await dentist.call("order.detail", { id: order.id });
    expect(read.readings.find(({ mine }) => !mine)).toMatchObject({ who: designer.name, upTo: answer.time });
    await designer.call("order.read", { id: order.id, message: seen.messages[0].id });
    expect((await designer.call("order.detail", { id: order.id })).unread).toBe(0);
  });

  it("show images without what the camera wrote into them", async () => {
    const { designer, order, server } = await exchangeMessages();
    const firstFile = async () => (await designer.call("order.detail", { id: order.id })).files[0];
    await expect.poll(async () => (await firstFile()).pictureUrl, { timeout: 10_000 }).not.toBeNull();
    const shown = await firstFile();
    const bytes = await (await fetch(`${server.address}${shown.pictureUrl}`)).arrayBuffer();
    const { format, width, exif } = await sharp(Buffer.from(bytes)).metadata();
    expect([format, width, exif]).toEqual(["webp", 900, undefined]);
    expect(shown.thumbnailUrl).toContain("/files/converted/");
  });

  it("hide names in their files' names from a lab that may not see them", async () => {
    const env = await setup({ clinic: { hidePatientNames: true } });
    const { dentist, designer } = env;
    const order = await sendOrder(env);
    const upload = await dentist.upload("王小明 shade.jpg", await picture());
    await dentist.call("order.message", { id: order.id, text: "see", files: [upload] });
    const seen = await designer.call("order.detail", { id: order.id });
    expect(seen.files.map(({ name }) => name)).toEqual(["message-1.jpg"]);
    expect(decodeURIComponent(JSON.stringify(seen))).not.toContain("小明");
  });

  it("are refused if they are empty, have files of others or come after the end, and nothing of them stays", async () => {
    const env = await setup();
    const { dentist, designer } = env;
    const order = await sendOrder(env);
    const upload = await dentist.upload("a.jpg", await picture());
    const refused = async (who: TestUser, input: Record<string, unknown>) =>
      refusalOf(await who.ask("order.message", { id: order.id, ...input }));
    expect(await refused(dentist, {})).toBe("badInput");
    expect(await refused(designer, { files: [upload] })).toBe("uploadUnknown");
    await takeStep(designer, order, "refuse", { reason: "no time", ...reasonOf });
    expect(await refused(dentist, { files: [upload] })).toBe("orderActionNotAllowed");
    const after = await dentist.call("order.detail", { id: order.id });
    expect([after.messages, after.files]).toEqual([[], []]);
  });
});
// A refusal names its class as well.
const reasonOf = { code: "capacity" } as Record<string, unknown>;

describe("comments at points of models", () => {
  it("are numbered, answered, settled and removed, seen by both sides, and bound to the bytes that they were set on", async () => {
    const env = await setup();
    const { dentist, designer } = env;
    const { order, file } = await withScan(env);
    const point: [number, number, number] = [0.25, 0.5, -1];
    const { id } = await designer.call("order.addPin", { id: order.id, file: file.id, point, text: "margin here?" });
    await designer.call("order.addPin", { id: order.id, file: file.id, point, text: "oops" });
    const list = async (who: TestUser) => (await who.call("order.pins", { id: order.id })).list;
    expect(await list(dentist)).toMatchObject([
      { number: 1, sha256: file.sha256, point, who: designer.name, mine: false, settled: null, mayRemove: false },
      { number: 2 },
    ]);
    const mistaken = (await list(designer))[1];
    expect(mistaken.mayRemove).toBe(true);
    expect(refusalOf(await dentist.ask("order.removePin", { id: order.id, pin: mistaken.id }))).toBe(
      "orderActionNotAllowed",
    );
    await designer.call("order.removePin", { id: order.id, pin: mistaken.id });

    await dentist.call("order.answerPin", { id: order.id, pin: id, text: "0.5 mm below" });
    expect(refusalOf(await designer.ask("order.removePin", { id: order.id, pin: id }))).toBe("orderActionNotAllowed");
    await dentist.call("order.settlePin", { id: order.id, pin: id, settled: true });
    expect(await list(designer)).toMatchObject([
      { replies: [{ text: "0.5 mm below", mine: false }], settled: { who: dentist.name }, mayRemove: false },
    ]);
    await designer.call("order.settlePin", { id: order.id, pin: id, settled: false });
    expect(await list(designer)).toMatchObject([{ settled: null }]);
  });

  it("belong to the two sides of their order alone, and to its models", async () => {
    const [env, there] = [await setup(), await setup()];
    const { order, file } = await withScan(env);
    const other = await withScan(there);
    const at = (id: string) => ({ id: order.id, file: id, point: [0, 0, 0] as [number, number, number], text: "x" });
    const stranger = await there.designer.ask("order.addPin", at(file.id));
    const foreign = await env.designer.ask("order.addPin", at(other.file.id));
    expect([stranger, foreign].map(refusalOf)).toEqual(["notFound", "notFound"]);
    expect(refusalOf(await there.designer.ask("order.pins", { id: order.id }))).toBe("notFound");
    expect((await env.dentist.call("order.pins", { id: order.id })).list).toEqual([]);
    await env.dentist.call("order.addPin", at(file.id));
    await takeStep(env.designer, order, "refuse", { reason: "no", ...reasonOf });
    expect(await env.designer.call("order.pins", { id: order.id })).toEqual({ list: [], mayWrite: false });
    expect((await env.dentist.call("order.pins", { id: order.id })).list).toHaveLength(1);
    expect(refusalOf(await env.dentist.ask("order.addPin", at(file.id)))).toBe("orderActionNotAllowed");
  });
});

it("keeps each prescription as it was, so that both sides see what an answer changed", async () => {
  const env = await setup();
  const { dentist, lab } = env;
  let order = await sendOrder(env);
  order = await takeStep(lab, order, "requestInfo", { text: "shade?" });
  const { patientId: _, targetIid: __, ...rx } = crownOrderInput("", null);
  order = await takeStep(dentist, order, "supplyInfo", {
    prescription: { ...rx, dueDate: "2030-02-02", items: [{ ...rx.items[0], shade: "B2" }] },
  });
  const { list } = await lab.call("order.rx", { id: order.id });
  expect(list.map(({ revision, prescription: { dueDate, items } }) => [revision, dueDate, items[0]?.shade])).toEqual([
    [1, "2030-01-01", "A2"],
    [2, "2030-02-02", "B2"],
  ]);
});

async function withScan(env: TestSetup) {
  const upload = await env.dentist.upload("upper.stl", smallScanStl());
  const patientId = await createPatient(env.clinic);
  const order = await sendOrder(env, { patientId, noDigitalFiles: false, uploads: [{ upload, role: "upperScan" }] });
  return { order, file: order.files[0] };
}
