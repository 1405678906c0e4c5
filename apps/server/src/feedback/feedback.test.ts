import { describe, expect, it } from "vitest";
import sharp from "sharp";
import { feedbackRules } from "@arcada/contract/feedback/feedback.rules";
import { refusals } from "@arcada/contract/kernel/refusals";
import { getTestServer, setup } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const wrong = {
  product: "Scanner",
  model: "S2",
  softwareVersion: "2.3.1",
  ctDetectorType: "CMOS",
  ctDetectorSerial: "C-1",
  lateralDetectorType: "",
  lateralDetectorSerial: "",
  deviceAddress: "Room 2",
  page: "scan" as const,
  description: "The scan stops at half.",
};

async function submitFeedback(person: AnyTestUser, id: string, bytes: Buffer): Promise<number> {
  const image = await person.call("feedback.addPicture", { id, name: "screen.jpg", bytes: bytes.length });
  const answer = await fetch(`${person.server.address}/feedbackPictures/${image.id}`, {
    method: "PUT",
    headers: { token: person.token, "content-type": "application/offset+octet-stream", "upload-offset": "0" },
    body: new Uint8Array(bytes),
  });
  return answer.status;
}

/** Feedback that was just written, with its author, a colleague and a manager, and a step of one of them. */
async function writeFeedback() {
  const env = await getTestServer();
  const [author, colleague] = [await env.createUser("afterSalesMember"), await env.createUser("afterSalesMember")];
  const manager = await env.createUser("afterSalesAdmin");
  const made = await author.call("feedback.create", wrong);
  const step = (who: AnyTestUser, version: number, action: string, more: object = {}) =>
    who.ask("feedback.step", { id: made.id, version, action, text: "Said.", ...more });
  return { author, colleague, manager, made, step };
}

describe("feedback on the software of a device", () => {
  it("is open when it is written, and its author can only add to it", async () => {
    const { made } = await writeFeedback();
    expect(made).toMatchObject({ state: "open", actions: ["add"], words: [], page: "scan" });
  });

  it.each([
    ["a colleague", "colleague", "add", {}, "feedbackActionNotAllowed"],
    ["its author", "author", "answer", {}, "feedbackActionNotAllowed"],
    ["a manager", "manager", "reopen", {}, "feedbackActionNotAllowed"],
    ["its author", "author", "fix", { fixedIn: "3.0" }, "feedbackActionNotAllowed"],
    ["a manager without a text", "manager", "answer", { text: " " }, "badInput"],
    ["a manager without a version", "manager", "fix", {}, "badInput"],
  ] as const)("while it is open, refuses %s (%s) the step %s %j: %s", async (_, who, action, input, refusal) => {
    const feedback = await writeFeedback();
    expect(refusalOf(await feedback.step(feedback[who], 0, action, input))).toBe(refusal);
    expect((await feedback.author.call("feedback.detail", { id: feedback.made.id })).version).toBe(0);
  });

  it("is answered by a manager, extended, solved in a version and reopened, and each side is notified of the other", async () => {
    const { author, colleague, manager, made, step } = await writeFeedback();
    expect((await step(manager, 0, "answer")).data).toMatchObject({ state: "answered", version: 1 });
    expect(refusalOf(await step(author, 0, "add"))).toBe("feedbackChanged");
    expect((await step(author, 1, "add")).data).toMatchObject({ state: "open" });
    expect((await step(manager, 2, "fix", { fixedIn: "2.4.0", text: "" })).data).toMatchObject({
      state: "fixed",
      fixedIn: "2.4.0",
    });
    expect((await step(author, 3, "reopen")).data).toMatchObject({ state: "open", fixedIn: null });
    const told = async (who: AnyTestUser) => (await who.call("notice.query", {})).info[0].list.map(({ kind }) => kind);
    expect(await told(author)).toEqual(["feedbackFixed", "feedbackAnswered"]);
    expect(await told(manager)).toEqual(["feedbackWaits", "feedbackWaits", "feedbackWaits"]);
    expect((await colleague.call("feedback.detail", { id: made.id })).words).toHaveLength(4);
  });

  it("is found by its subject, page by page, and takes its device from the register", async () => {
    const env = await getTestServer();
    const manager = await env.createUser("afterSalesAdmin");
    const registered = { product: "Found", model: "F1", serialNumber: "found-1" };
    const { device } = await manager.call("device.register", registered);
    for (const [at, page] of (["viewing", "tool", "viewing"] as const).entries())
      await manager.call("feedback.create", { ...wrong, product: "Found", softwareVersion: `1.${at}`, page });
    const on = await manager.call("feedback.create", { ...wrong, product: "made up", deviceId: device.id });
    expect(on).toMatchObject({ product: "Found", model: "F1", serialNumber: "found-1" });
    expect(await manager.call("feedback.device", { id: device.id })).toMatchObject({ ctDetectorSerial: "C-1" });
    const found = (request: object) => manager.call("feedback.list", { product: "Found", ...request });
    expect((await found({ page: "viewing" })).total).toBe(2);
    expect((await found({ softwareVersion: "1.1" })).total).toBe(1);
    expect((await found({ search: "FOUND-1" })).total).toBe(1);
    expect((await found({ search: "100%" })).total).toBe(0);
    const ids = new Set<string>();
    for (let cursor: string | null | undefined = undefined; cursor !== null;) {
      const page: { list: { id: string }[]; next: string | null } = await found({
        pageSize: 3,
        ...(cursor && { cursor }),
      });
      for (const { id } of page.list) ids.add(id);
      cursor = page.next;
    }
    expect(ids.size).toBe(4);
  });

  it("refuses an image by the size in its header", async () => {
    const author = await (await getTestServer()).createUser("afterSalesMember");
    const { id } = await author.call("feedback.create", wrong);
    const huge = sharp({ create: { width: 5000, height: 5000, channels: 3, background: "red" } });
    expect(await submitFeedback(author, id, await huge.jpeg({ progressive: true }).toBuffer())).toBe(413);
  });

  it("accepts re-encoded images of its author, up to the limit, and no other files", async () => {
    const env = await getTestServer();
    const [author, other] = [await env.createUser("afterSalesMember"), await env.createUser("afterSalesMember")];
    const { id } = await author.call("feedback.create", wrong);
    const image = await sharp({ create: { width: 60, height: 40, channels: 3, background: "red" } })
      .jpeg()
      .withExif({ IFD0: { Artist: "secret place" } })
      .toBuffer();
    expect(await submitFeedback(author, id, image)).toBe(200);
    expect(await submitFeedback(author, id, Buffer.from("<svg onload='alert(1)'/>"))).toBe(refusals.fileUnknown.status);
    const shown = await author.call("feedback.detail", { id });
    expect(shown).toMatchObject({ pictures: [{ name: "screen.jpg" }], morePictures: feedbackRules.pictures - 1 });
    const kept = Buffer.from(
      await (await fetch(`${env.address}${shown.pictures[0].url}`, { headers: { token: author.token } })).arrayBuffer(),
    );
    expect(await sharp(kept).metadata()).toMatchObject({ format: "webp", width: 60, height: 40 });
    expect(kept.includes("secret place")).toBe(false);
    expect(refusalOf(await other.ask("feedback.addPicture", { id, name: "a.jpg", bytes: 10 }))).toBe(
      "feedbackActionNotAllowed",
    );
    const large = { id, name: "a.jpg", bytes: feedbackRules.pictureBytes + 1 };
    expect(refusalOf(await author.ask("feedback.addPicture", large))).toBe("badInput");
    for (let more = 1; more < feedbackRules.pictures; more++) expect(await submitFeedback(author, id, image)).toBe(200);
    expect(refusalOf(await author.ask("feedback.addPicture", { id, name: "a.jpg", bytes: 10 }))).toBe(
      "feedbackPicturesMany",
    );
  });

  it("is not available to clinics and laboratories", async () => {
    const { clinic, lab } = await setup();
    for (const person of [clinic, lab]) expect(refusalOf(await person.ask("feedback.list", {}))).toBe("notAllowed");
  });
});
