import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { logoRules } from "@arcada/contract/institution/institution.calls";
import { refusals } from "@arcada/contract/kernel/refusals";
import { getTestServer, setup, type TestServer, type TestSetup } from "@arcada/testing/setup/test-server";
import { files } from "../platform/runtime/services.ts";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let caseEnv: TestSetup;
beforeAll(async () => {
  env = await getTestServer();
  caseEnv = await setup();
});

const drawImage = async (r: number, g: number, b: number, how: { alpha?: number; format?: "png" | "jpeg" } = {}) => {
  const mark = { create: { width: 150, height: 80, channels: 4, background: { r, g, b, alpha: 1 } } } as const;
  const ground = { r: 0, g: 0, b: 0, alpha: how.alpha ?? 0 };
  const picture = sharp({ create: { width: 306, height: 102, channels: 4, background: ground } })
    .composite([{ input: await sharp(mark).png().toBuffer() }])
    .toFormat(how.format ?? "png");
  return (await picture.toBuffer()).toString("base64");
};

describe("the logos of an organisation's reports", () => {
  it("are stored as re-encoded PNGs, served by address, and can be removed", async () => {
    const { institution, advice } = await caseEnv.clinic.call("institution.setLogo", {
      place: "cover",
      image: await drawImage(255, 255, 255),
    });
    expect(advice).toEqual([]);
    const picture = await fetch(`${env.address}${institution.reportLogo.cover}`);
    expect(picture.headers.get("content-type")).toBe("image/png");
    expect(await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).toMatchObject({ width: 306, height: 102 });
    const removed = await caseEnv.clinic.call("institution.setLogo", { place: "cover", image: null });
    expect(removed.institution.reportLogo).toEqual({ cover: null, inside: null });
  });

  it("are deleted from the store when they are replaced, unless the other position shows the same file", async () => {
    const { clinic } = caseEnv;
    const set = (place: "cover" | "inside", image: string) => clinic.call("institution.setLogo", { place, image });
    const there = async (url: string | null) =>
      files().bytes("converted", clinic.iid, present(/[0-9a-f]{64}/.exec(present(url)))[0]);
    const half = (
      await sharp({ create: { width: 306, height: 102, channels: 3, background: "#ffffff" } })
        .composite([
          { input: { create: { width: 100, height: 102, channels: 3, background: "#204080" } }, gravity: "west" },
        ])
        .png()
        .toBuffer()
    ).toString("base64");
    const both = (await set("cover", half)).institution.reportLogo.cover;
    await set("inside", half);
    await set("cover", await drawImage(255, 255, 255));
    expect(await there(both)).not.toBeNull();
    await set("inside", await drawImage(20, 60, 160));
    expect(await there(both)).toBeNull();
  });

  it("are refused if they would be invisible, are unreadable or too large, and the old one stays", async () => {
    await caseEnv.clinic.call("institution.setLogo", {
      place: "inside",
      image: await drawImage(20, 60, 160, { format: "jpeg", alpha: 1 }),
    });
    const sign = (logo: string | null) => logo?.split("/")[4];
    const before = sign((await caseEnv.clinic.call("institution.detail", {})).reportLogo.inside);
    const refused = async (place: "cover" | "inside", image: string) =>
      refusalOf(await caseEnv.clinic.ask("institution.setLogo", { place, image }));
    expect(await refused("cover", await drawImage(20, 60, 160))).toBe("logoNotWhite");
    expect(await refused("inside", await drawImage(255, 255, 255))).toBe("logoWhite");
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString("base64");
    expect(await refused("inside", svg)).toBe("logoUnreadable");
    expect(await refused("inside", Buffer.from("\x89PNG\r\n\x1a\n and no more", "latin1").toString("base64"))).toBe(
      "logoUnreadable",
    );
    expect(await refused("inside", Buffer.alloc(logoRules.bytes + 1).toString("base64"))).toBe("logoTooLarge");
    expect(sign((await caseEnv.clinic.call("institution.detail", {})).reportLogo.inside)).toBe(before);
  });
});

describe("a logo of many pixels", () => {
  it("is refused by the size in its header", async () => {
    const huge = await sharp({ create: { width: 6000, height: 6000, channels: 3, background: "#204080" } })
      .png({ progressive: true })
      .toBuffer();
    const answer = await caseEnv.clinic.ask("institution.setLogo", { place: "inside", image: huge.toString("base64") });
    expect(answer).toMatchObject({ code: refusals.pictureTooLarge.code, data: { image: "pictureTooLarge" } });
  });
});
