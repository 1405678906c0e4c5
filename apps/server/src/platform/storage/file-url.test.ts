import { describe, expect, it } from "vitest";
import { createFileUrl as addressFor, verifyFileUrl } from "./file-url.ts";
import type { ClaimedAddress, FileAddress } from "./file-url.ts";

const secret = "a secret of the test, 32 letters!";
const file: FileAddress = {
  area: "converted",
  iid: "0190c0de-0000-7000-8000-000000000001",
  sha256: "a".repeat(64),
  name: "全景 1/2.png",
  type: "image/png",
};
const holder = { id: "0190c0de-0000-7000-8000-0000000000aa", tokenHash: "the hash of a token" };
const fileUrl = (key: string, wanted: FileAddress, now: number) => addressFor(key, wanted, now, holder);
const noon = Date.UTC(2026, 0, 2, 12);

const claimed = (url: string): ClaimedAddress => {
  const at = new URL(url, "http://here");
  const [, , area, iid, sha256, name] = at.pathname.split("/").map(decodeURIComponent) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  return { path: { area, iid, sha256, name }, query: Object.fromEntries(at.searchParams) };
};

describe("a file's address", () => {
  it("identifies its file, whatever characters the name contains", () => {
    expect(verifyFileUrl(secret, claimed(fileUrl(secret, file, noon)), noon)).toMatchObject(file);
  });
  it("names the session for which it is valid, and no other can be substituted", () => {
    const url = claimed(fileUrl(secret, file, noon));
    expect(verifyFileUrl(secret, url, noon)?.claim).toMatchObject({ holder: holder.id });
    expect(() => addressFor(secret, file, noon)).toThrow("for nobody");
    expect(
      verifyFileUrl(secret, { ...url, query: { ...url.query, h: "0190c0de-0000-7000-8000-0000000000bb" } }, noon),
    ).toBeNull();
    const { h: _, ...without } = url.query;
    expect(verifyFileUrl(secret, { ...url, query: without }, noon)).toBeNull();
  });
  it("stays the same for two minutes, so that the browser's cache is of use", () => {
    const addresses = [0, 1, 60, 119].map((second) => fileUrl(secret, file, noon + second * 1000));
    expect(new Set(addresses).size).toBe(1);
    expect(fileUrl(secret, file, noon + 120_000)).not.toBe(addresses[0]);
  });
  it("is valid for three minutes at least and five at most", () => {
    for (let made = 0; made < 240; made += 7) {
      const url = claimed(fileUrl(secret, file, noon + made * 1000));
      expect(verifyFileUrl(secret, url, noon + (made + 179) * 1000)).not.toBeNull();
      expect(verifyFileUrl(secret, url, noon + (made + 301) * 1000)).toBeNull();
    }
    const first = claimed(fileUrl(secret, file, noon));
    expect(verifyFileUrl(secret, first, noon + 299_000)).not.toBeNull();
    expect(verifyFileUrl(secret, first, noon + 300_000)).toBeNull();
  });
  it("is rejected when any part of it was changed", () => {
    const good = claimed(fileUrl(secret, { ...file, download: true }, noon));
    const forged: ClaimedAddress[] = [
      { ...good, path: { ...good.path, area: "originals" } },
      { ...good, path: { ...good.path, iid: good.path.iid.replace("1", "2") } },
      { ...good, path: { ...good.path, sha256: "b".repeat(64) } },
      { ...good, path: { ...good.path, name: "x.html" } },
      { ...good, query: { ...good.query, t: "text/html" } },
      { ...good, query: { ...good.query, e: String(Number(good.query.e) + 1) } },
      { ...good, query: { ...good.query, d: undefined } },
      { ...good, query: { ...good.query, z: "1" } },
      { ...good, query: { ...good.query, s: String(good.query.s).replace(/^./, "-") } },
      { ...good, query: { ...good.query, s: [good.query.s, "x"] } },
      { ...good, query: {} },
    ];
    expect(forged.map((one) => verifyFileUrl(secret, one, noon))).toEqual(forged.map(() => null));
    expect(verifyFileUrl("another secret", good, noon)).toBeNull();
    expect(verifyFileUrl(secret, good, noon)).not.toBeNull();
  });
});
