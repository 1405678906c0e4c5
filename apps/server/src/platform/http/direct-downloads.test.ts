import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startS3Server } from "@arcada/testing/peers/s3-server";
import type { S3Server } from "@arcada/testing/peers/s3-server";
import { present } from "@arcada/testing/require-present";
import { getTestServer, setup } from "@arcada/testing/setup/test-server";
import type { TestUser } from "@arcada/testing/setup/test-server";
import { readConfig } from "../runtime/config.ts";
import { secretHash } from "../runtime/ids-and-secrets.ts";
import { directDownloadRules } from "./file-routes.ts";
import { files, secret } from "../runtime/services.ts";
import { createFileUrl } from "../storage/file-url.ts";
import type { FileAddress } from "../storage/file-url.ts";

const { minBytes } = directDownloadRules;
const large = randomBytes(100_000);
const dicom = (preamble: Buffer) => Buffer.concat([preamble, Buffer.from("DICM"), large]);

let bucket: S3Server | { skipped: string };
let reader: TestUser;
beforeAll(async () => {
  directDownloadRules.minBytes = large.length;
  bucket = await startS3Server();
  if ("skipped" in bucket) return;
  const { endpoint, bucket: name, accessKey, secretKey } = bucket.settings;
  await getTestServer({
    S3_ENDPOINT: endpoint,
    S3_BUCKET: name,
    S3_ACCESS_KEY: accessKey,
    S3_SECRET_KEY: secretKey,
    S3_DIRECT_DOWNLOADS: "on",
    S3_PUBLIC_ENDPOINT: publicEndpoint(endpoint),
  });
  reader = (await setup()).clinic;
}, 400_000);
afterAll(async () => {
  directDownloadRules.minBytes = minBytes;
  if ("stop" in bucket) await bucket.stop();
});

const publicEndpoint = (endpoint: string) => endpoint.replace("127.0.0.1", "localhost");

/** Stores an original and asks for it by an address of the reader's session, without following a redirect. */
async function ask(content: Uint8Array, file: Partial<FileAddress> = {}, headers = {}, method = "GET") {
  const { server, iid, uid, token } = reader;
  const area = file.area ?? "originals";
  const { sha256 } = await files().put(area, iid, content);
  const { id } = await server.running.database.asSystem((db) =>
    db.selectFrom("session").select("id").where("user_id", "=", uid).executeTakeFirstOrThrow(),
  );
  const stored: FileAddress = { area, iid, sha256, name: "扫描.stl", type: "model/stl", download: true, ...file };
  const url = createFileUrl(secret(), stored, Date.now(), { id, tokenHash: secretHash(token) });
  return fetch(server.address + url, { method, headers, redirect: "manual" });
}
const locationOf = (answer: Response): string => present(answer.headers.get("location"), "location");
const countRecorded = () =>
  reader.server.running.database.asSystem(async (db) => {
    const rows = await db
      .selectFrom("audit")
      .select(["user_id", "subject"])
      .where("action", "=", "file.download")
      .execute();
    return rows.length;
  });

describe("the download of a large original", { timeout: 60_000 }, () => {
  beforeEach(({ skip }) => {
    if ("skipped" in bucket) skip(bucket.skipped);
  });

  it("leads to the bucket for a minute, as an attachment whose name and type are signed", async () => {
    const answer = await ask(large);
    expect([answer.status, answer.headers.get("cache-control"), answer.headers.get("etag")]).toEqual([
      302,
      "no-store",
      null,
    ]);
    const location = new URL(locationOf(answer));
    expect(location.origin).toBe(publicEndpoint((bucket as S3Server).settings.endpoint));
    expect(location.searchParams.get("X-Amz-Expires")).toBe("60");
    const sent = await fetch(location);
    expect(sent.headers.get("content-type")).toBe("model/stl");
    expect(sent.headers.get("content-disposition")).toMatch(
      /^attachment; .*filename\*=UTF-8''%E6%89%AB%E6%8F%8F\.stl$/,
    );
    expect(Buffer.from(await sent.arrayBuffer()).equals(large)).toBe(true);
    for (const name of ["response-content-disposition", "response-content-type", "X-Amz-Expires"]) {
      const changed = new URL(location);
      changed.searchParams.set(name, name === "X-Amz-Expires" ? "6000" : "text/html");
      expect((await fetch(changed)).status).toBe(403);
    }
  });

  it("leads to the asked range alone", async () => {
    const location = locationOf(await ask(large, {}, { range: "bytes=100-199" }));
    const part = await fetch(location, { headers: { range: "bytes=100-199" } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, large.subarray(100, 200)]);
    expect((await fetch(location, { headers: { range: "bytes=0-999" } })).status).toBe(403);
    expect((await fetch(location)).status).toBe(403);
  });

  it("is recorded in the audit log, and only if the reader's session may see the file", async () => {
    const before = await countRecorded();
    expect((await ask(large)).status).toBe(302);
    expect(await countRecorded()).toBe(before + 1);
    const denied = await ask(large, { iid: "00000000-0000-4000-8000-000000000000" });
    expect([denied.status, denied.headers.get("location"), await countRecorded()]).toEqual([404, null, before + 1]);
  });

  it.each<[string, Uint8Array, Partial<FileAddress>, Record<string, string>]>([
    ["a small file", large.subarray(1), {}, {}],
    ["a file to show", large, { download: false }, {}],
    ["a derived file", large, { area: "converted" }, {}],
    ["a file whose DICOM preamble would be blanked", dicom(randomBytes(128)), {}, {}],
    ["a request of a page's script", large, {}, { "sec-fetch-site": "same-origin" }],
    ["several ranges", large, {}, { range: "bytes=0-1,4-5" }],
    ["a range on a condition", large, {}, { range: "bytes=0-1", "if-range": '"other"' }],
  ])("is sent by Arcada itself for %s", async (_, content, file, headers) => {
    const answer = await ask(content, file, headers);
    await answer.body?.cancel();
    expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
  });

  it("leads to a DICOM file whose preamble is blank", async () => {
    expect((await ask(dicom(Buffer.alloc(128)), { type: "application/dicom" })).status).toBe(302);
  });
});

describe("the settings of direct downloads", () => {
  const store = { S3_BUCKET: "files", S3_ACCESS_KEY: "key", S3_SECRET_KEY: "secret", S3_DIRECT_DOWNLOADS: "on" };
  const own = { ...store, PUBLIC_URL: "https://clinic.example" };

  it.each([
    [{ ...own, S3_ENDPOINT: "http://store:9000" }, "must be https as PUBLIC_URL is"],
    [{ ...own, S3_ENDPOINT: "https://clinic.example:9000" }, "must have another host name than PUBLIC_URL"],
  ])("refuse a store that browsers must not be sent to: %o", (settings, reason) => {
    expect(() => readConfig(settings)).toThrow(reason);
  });
});
