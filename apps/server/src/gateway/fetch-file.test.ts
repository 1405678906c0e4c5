import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { CloudRefused, type OpenDownload } from "./cloud-connection.ts";
import { fetchFile } from "./fetch-file.ts";

const bytes = Buffer.from("0123456789");
let target: string;
beforeEach(() => {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-fetch-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  target = path.join(folder, "case.zip");
});

/** Serves the file, and its rest to those who name its tag; the connection breaks after some bytes. */
function serve({ tag = '"a"', breaksAfter = Number.POSITIVE_INFINITY }: { tag?: string; breaksAfter?: number } = {}) {
  const requests: (number | null)[] = [];
  const download: OpenDownload = async (_, rest) => {
    requests.push(rest?.from ?? null);
    if (rest && rest.from >= bytes.length) throw new CloudRefused(416, {}, undefined);
    const from = rest?.tag === tag ? rest.from : 0;
    const body = (async function* () {
      yield bytes.subarray(from, from + Math.min(breaksAfter, bytes.length));
      if (breaksAfter >= bytes.length - from) return;
      // The connection takes with it what is still on its way to the disk.
      await new Promise((resolve) => setTimeout(resolve, 100));
      throw new Error("the line breaks");
    })();
    const answer = { statusCode: from > 0 ? 206 : 200, headers: { etag: tag } };
    return Object.assign(Readable.from(body), answer) as unknown as IncomingMessage;
  };
  return { requests, fetch: () => fetchFile(download, "/archive", target, bytes.length) };
}

describe("a file that is fetched from Arcada", () => {
  it("continues where the connection broke", async () => {
    const { requests, fetch } = serve({ breaksAfter: 4 });
    for (let nth = 0; nth < 2; nth++) await expect(fetch()).rejects.toThrow(/breaks/);
    await fetch();
    expect([readFileSync(target, "utf8"), requests]).toEqual(["0123456789", [null, 4, 8]]);
    expect(existsSync(`${target}.tag`)).toBe(false);
  });

  it("begins anew when it has changed meanwhile", async () => {
    await expect(serve({ tag: '"old"', breaksAfter: 6 }).fetch()).rejects.toThrow(/breaks/);
    await serve({ tag: '"new"' }).fetch();
    expect(readFileSync(target, "utf8")).toBe("0123456789");
  });

  it("begins anew when a kill left all of it, or more", async () => {
    writeFileSync(target, bytes);
    writeFileSync(`${target}.tag`, '"a"');
    const { fetch } = serve();
    await expect(fetch()).rejects.toThrow(/416/);
    await fetch();
    expect(readFileSync(target, "utf8")).toBe("0123456789");
  });

  it("is dropped when it is longer than announced, and never fetched from another host", async () => {
    const open: OpenDownload = async () =>
      Object.assign(Readable.from([bytes, bytes]), { statusCode: 200, headers: {} }) as unknown as IncomingMessage;
    await expect(fetchFile(open, "/archive", target, bytes.length)).rejects.toThrow(/more than it announced/);
    expect(existsSync(target)).toBe(false);
    for (const elsewhere of ["https://elsewhere.example/x", "//elsewhere.example/x"])
      await expect(fetchFile(open, elsewhere, target, bytes.length)).rejects.toThrow(/no path/);
  });
});
