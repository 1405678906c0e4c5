import { createHash, randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "@arcada/testing/setup/test-database";
import { anyHolder, startUploadServer } from "@arcada/testing/workers/upload-server";
import { refusals } from "@arcada/contract/kernel/refusals";
import { createFileUrl as addressFor } from "../storage/file-url.ts";
import type { FileAddress } from "../storage/file-url.ts";
import { newId } from "../runtime/ids-and-secrets.ts";
import { files, secret } from "../runtime/services.ts";

let address: string;
let close: () => Promise<void>;
beforeAll(async () => {
  const { app, address: at } = await startUploadServer(await createTestDatabase());
  [address, close] = [at, () => app.close()];
});
afterAll(() => close());

const fileUrl = (key: string, file: FileAddress, now = Date.now()) => addressFor(key, file, now, anyHolder);
const iid = newId();
const bytes = randomBytes(1_000_000);
const store = async (content: Uint8Array, file: Partial<FileAddress> = {}): Promise<string> => {
  const area = file.area ?? "converted";
  const { sha256 } = await files().put(area, iid, content);
  return fileUrl(secret(), { iid, sha256, area, name: "volume.bin", type: "application/octet-stream", ...file });
};
const get = async (url: string, headers: Record<string, string> = {}, method = "GET") => {
  const answer = await fetch(address + url, { method, headers: { "accept-language": "en", ...headers } });
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
};

describe("a signed address", () => {
  it("serves the file with headers that let a browser cache it for ever", async () => {
    const answer = await get(await store(bytes));
    expect([answer.status, answer.body.equals(bytes)]).toEqual([200, true]);
    const etag = `"${createHash("sha256").update(bytes).digest("hex")}"`;
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      etag,
      "content-length": "1000000",
      "accept-ranges": "bytes",
      "cache-control": "private, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-type": "application/octet-stream",
    });
    expect((await get(await store(bytes), { "if-none-match": `"other", ${etag}` })).status).toBe(304);
    const head = await get(await store(bytes), {}, "HEAD");
    expect([head.status, head.headers.get("content-length"), head.body.length]).toEqual([200, "1000000", 0]);
  });

  it("serves ranges: from the middle, from the end, to the end, and reports an unsatisfiable one", async () => {
    const url = await store(bytes);
    const part = async (range: string, more = {}) => {
      const { status, headers, body } = await get(url, { range, ...more });
      return { status, range: headers.get("content-range"), body };
    };
    expect(await part("bytes=100-199")).toEqual({
      status: 206,
      range: "bytes 100-199/1000000",
      body: bytes.subarray(100, 200),
    });
    expect(await part("bytes=-5")).toEqual({
      status: 206,
      range: "bytes 999995-999999/1000000",
      body: bytes.subarray(-5),
    });
    expect(await part("bytes=999990-")).toEqual({
      status: 206,
      range: "bytes 999990-999999/1000000",
      body: bytes.subarray(-10),
    });
    expect(await part("bytes=1000000-")).toMatchObject({ status: 416, range: "bytes */1000000" });
    expect(await part("bytes=0-1,5-6")).toMatchObject({ status: 200, range: null });
    expect(await part("bytes=0-1", { "if-range": '"another"' })).toMatchObject({ status: 200 });
    expect((await get(await store(new Uint8Array(0)))).body.length).toBe(0);
  });

  it("that was changed or has expired is refused with an envelope, and one of a removed file is not found", async () => {
    const url = await store(bytes);
    const changed = [
      url.replace(/s=(.)/, (_, first: string) => `s=${first === "A" ? "B" : "A"}`),
      url.replace("volume.bin", "volume.html"),
      url.replace("t=application%2Foctet-stream", "t=text%2Fhtml"),
      url.replace(/\?.*/, ""),
      url.replace(iid, newId()),
    ];
    const late = fileUrl(
      secret(),
      { iid, sha256: "a".repeat(64), area: "converted", name: "x", type: "image/png" },
      Date.now() - 301_000,
    );
    for (const one of [...changed, late]) {
      const answer = await get(one);
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.body.toString())).toMatchObject({
        code: refusals.linkExpired.code,
        msg: expect.any(String),
      });
      expect(answer.headers.get("cache-control") ?? "").not.toContain("immutable");
    }
    const gone = await get(
      fileUrl(secret(), { iid, sha256: "b".repeat(64), area: "converted", name: "x", type: "image/png" }),
    );
    expect([gone.status, gone.headers.get("cache-control") ?? ""]).toEqual([404, ""]);
  });

  it("shows images that the server created, and serves everything else as a download without a media type that browsers run", async () => {
    const served = async (file: Partial<FileAddress>) => {
      const { headers } = await get(await store(Buffer.from("x"), file));
      return [headers.get("content-type"), headers.get("content-disposition")?.split(";")[0]];
    };
    expect(await served({ type: "image/webp", name: "a.webp" })).toEqual(["image/webp", "inline"]);
    expect(await served({ type: "image/webp", name: "a.webp", download: true })).toEqual(["image/webp", "attachment"]);
    expect(await served({ type: "image/png", name: "a.png", area: "originals" })).toEqual(["image/png", "attachment"]);
    expect(await served({ type: "image/svg+xml", name: "a.svg" })).toEqual(["application/octet-stream", "inline"]);
    for (const type of ["image/svg+xml", "text/html", "text/xml", "application/javascript"])
      expect(await served({ type, name: "a.html", area: "originals" })).toEqual([
        "application/octet-stream",
        "attachment",
      ]);
    expect(await served({ type: "application/pdf", name: "report.pdf" })).toEqual(["application/pdf", "attachment"]);
  });

  it("keeps a name with quotes, Chinese characters and line breaks as one name", async () => {
    const { headers } = await get(await store(bytes, { name: '全景 "1"\r\nset-cookie: a=b.dcm' }));
    expect(headers.get("content-disposition")).toBe(
      `inline; filename="__ _1___set-cookie: a=b.dcm"; filename*=UTF-8''%E5%85%A8%E6%99%AF%20%221%22%0D%0Aset-cookie%3A%20a%3Db.dcm`,
    );
    expect(headers.get("set-cookie")).toBeNull();
  });

  it("lets the browser unpack a file that is stored compressed", async () => {
    const packed = gzipSync(bytes.fill(7, 0, 900_000));
    const answer = await get(await store(packed, { gzip: true }));
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(answer.body.equals(bytes)).toBe(true);
  });

  it("gives a DICOM original without what its first 128 bytes could hide", async () => {
    const dicom = Buffer.concat([
      Buffer.from("MZ<script>".repeat(20)).subarray(0, 128),
      Buffer.from("DICM"),
      randomBytes(300_000),
    ]);
    const url = await store(dicom, { area: "originals", type: "application/dicom" });
    const clean = Buffer.concat([Buffer.alloc(128), dicom.subarray(128)]);
    expect((await get(url)).body.equals(clean)).toBe(true);
    expect((await get(url, { range: "bytes=100-139" })).body).toEqual(clean.subarray(100, 140));
    expect((await get(url, { range: "bytes=127-127" })).body).toEqual(Buffer.alloc(1));
    expect((await get(url, { range: "bytes=128-139" })).body).toEqual(clean.subarray(128, 140));
    expect(dicom.subarray(0, 2).toString()).toBe("MZ");
    const photo = randomBytes(200);
    expect((await get(await store(photo, { area: "originals", type: "image/jpeg" }))).body).toEqual(photo);
  });
});
