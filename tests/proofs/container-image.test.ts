import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Product } from "@arcada/testing/setup/product-process";

const image = process.env["ARCADA_IMAGE"];
if (!image)
  console.info("The proof of the container image is skipped: ARCADA_IMAGE names none (docs/developer/release.md)");

describe.skipIf(!image)("the container image", () => {
  const buildah = (...words: string[]): string =>
    execFileSync("buildah", ["--storage-driver", "vfs", ...words], { encoding: "utf8" }).trim();
  let container: string;
  beforeAll(() => {
    container = buildah("from", "--pull=never", image ?? "");
  });
  afterAll(() => void buildah("rm", container));
  const runInside = (script: string): string =>
    buildah("run", "--isolation", "chroot", container, "--", "sh", "-c", script);

  it("runs as a user of its own that may write its data and temporary files alone", () => {
    const writable =
      "find / -xdev -type d -writable -not -path '/proc/*' -not -path '/dev/*' -not -path '/sys/*' 2>/dev/null";
    expect(runInside("id -u; id -g").split("\n")).toEqual(["10001", "10001"]);
    const places = runInside(`${writable} || true`).split("\n");
    expect(places.filter((place) => !/^\/(data|tmp|var\/tmp|run\/lock)(\/|$)/.test(place))).toEqual([]);
  });

  it("contains neither npm nor tests nor the packages that build pages", () => {
    const found = "cd /app; ls node_modules; find apps packages demo -name '*.test.ts'; command -v npm || true";
    const names = runInside(found).split("\n");
    expect(names).toContain("fastify");
    expect(
      names.filter((name) => /^(vite|vitest|typescript|playwright-core|react|onnxruntime-node)$|test|npm/.test(name)),
    ).toEqual([]);
  });

  it("takes less than 400 MB beside its base", () => {
    const megabytes = Number(runInside("du -smc /app /usr/local/bin | tail -n 1 | cut -f 1"));
    console.info(`The image takes ${megabytes} MB beside its base`);
    expect(megabytes).toBeLessThan(400);
  });

  it("starts on an empty disk and stops in order", { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "arcada-image-"));
    const product = new Product({ DATA_DIR: folder }, folder);
    await product.start();
    const { status } = await fetch(`${product.address}/readyz`);
    expect([status, await product.stop()]).toEqual([200, 0]);
    rmSync(folder, { recursive: true, force: true });
  });
});
