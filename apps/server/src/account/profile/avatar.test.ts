import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { accountRules } from "@arcada/contract/account/account.rules";
import { imageRules } from "@arcada/contract/kernel/image-upload.rules";
import { refusals } from "@arcada/contract/kernel/refusals";
import { getTestServer } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const newcomer = async () => (await getTestServer()).createUser("newUser");

describe("an avatar", () => {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  const photo = () =>
    sharp({ create: { width: 640, height: 400, channels: 3, background: "#c05020" } })
      .jpeg()
      .withExif({ IFD0: { Artist: "王伟的手机" }, IFD3: { GPSLatitude: "39/1 54/1 0/1" } })
      .toBuffer();
  const fetched = async (path: string) => {
    const answer = await fetch(`${(await getTestServer()).address}${path}`);
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  it("is redrawn small and square without camera data or location, and disappears when it is removed", async () => {
    const person = await newcomer();
    // The image is followed by a page, as in files that are made to be two things.
    const sent = Buffer.concat([await photo(), Buffer.from("<html><script>alert(1)</script>")]);
    const { headerImg } = await person.call("account.setSelfInfo", { headerImg: base64(sent) });
    const { answer, bytes } = await fetched(present(headerImg));
    expect(answer.headers.get("content-type")).toBe("image/webp");
    expect(answer.headers.get("content-disposition")).toMatch(/^inline/);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 256, height: 256, hasProfile: false });
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    for (const trace of ["script", "Exif", "王伟"]) expect(bytes.includes(trace), trace).toBe(false);
    expect((await person.call("account.setSelfInfo", { headerImg: null })).headerImg).toBeNull();
    expect((await fetched(present(headerImg))).answer.status).toBe(404);
  });

  it("may be a png, and an icon with bitmap or png inside", async () => {
    const person = await newcomer();
    const png = await sharp({ create: { width: 32, height: 32, channels: 4, background: "#08f" } })
      .png()
      .toBuffer();
    const head = Buffer.from([0, 0, 1, 0, 1, 0, 32, 32, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0]);
    head.writeUInt32LE(png.length, 14);
    for (const bytes of [png, Buffer.concat([head, png])]) {
      const { headerImg } = await person.call("account.setSelfInfo", { headerImg: base64(bytes) });
      expect((await sharp((await fetched(present(headerImg))).bytes).metadata()).width).toBe(256);
    }
  });

  it("is refused if it is no supported image, whatever its name, and the previous one stays", async () => {
    const person = await newcomer();
    const { headerImg: before } = await person.call("account.setSelfInfo", { headerImg: base64(await photo()) });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const jpg = await photo();
    const gif = await sharp(jpg).gif().toBuffer();
    const wrong = [
      svg,
      "<html></html>",
      "",
      "GIF89a",
      gif,
      jpg.subarray(0, 300),
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(svg)]),
    ];
    for (const bytes of wrong) {
      const answer = await person.ask("account.setSelfInfo", { headerImg: base64(Buffer.from(bytes as string)) });
      expect(answer, String(bytes).slice(0, 20)).toMatchObject({
        code: refusals.avatarUnreadable.code,
        data: { headerImg: "avatarUnreadable" },
      });
    }
    const large = await person.ask("account.setSelfInfo", {
      headerImg: base64(Buffer.alloc(accountRules.avatarBytes + 1)),
    });
    expect(refusalOf(large)).toBe("tooLarge");
    expect((await person.call("account.getUserInfo", {})).headerImg?.split("?")[0]).toBe(before?.split("?")[0]);
  });

  const large = (format: "jpeg" | "png") =>
    sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: "#345" } })
      .toFormat(format, { progressive: true })
      .toBuffer();

  it.each(["jpeg", "png"] as const)(
    "is refused by the size in its header, before a pixel is decoded: %s",
    async (format) => {
      const answer = await (await newcomer()).ask("account.setSelfInfo", { headerImg: base64(await large(format)) });
      expect(answer).toMatchObject({ code: refusals.pictureTooLarge.code, data: { headerImg: "pictureTooLarge" } });
    },
  );

  it("waits for the same user's earlier avatars, and only a few may wait", async () => {
    const [person, headerImg] = [await newcomer(), base64(await photo())];
    const asked = Array.from({ length: imageRules.waitingOfOne + 6 }, () =>
      person.ask("account.setSelfInfo", { headerImg }),
    );
    const outcomes = (await Promise.all(asked)).map(refusalOf);
    expect(outcomes.filter((outcome) => outcome === "accepted").length).toBeGreaterThanOrEqual(imageRules.waitingOfOne);
    expect(outcomes).toContain("pictureBusy");
  });
});
