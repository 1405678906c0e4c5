import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { present } from "@arcada/testing/require-present";
import { exchangeFolders, finishExchange, isExchanging, restoreFolderName } from "./exchange-folders.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "arcada-exchange-"));
  writeFileSync(path.join(dataDir, "mark"), "former");
  mkdirSync(path.join(dataDir, restoreFolderName));
  writeFileSync(path.join(dataDir, restoreFolderName, "mark"), "restored");
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const readMark = (): string => readFileSync(path.join(dataDir, "mark"), "utf8");

describe("an exchange of folders", () => {
  it("puts the restored content into place and the former aside", async () => {
    const aside = await exchangeFolders(dataDir, async () => {});
    expect([readMark(), readFileSync(path.join(present(aside), "mark"), "utf8")]).toEqual(["restored", "former"]);
    expect(existsSync(path.join(dataDir, restoreFolderName))).toBe(false);
  });

  it("that ends in its last step repeats that step when it goes on", async () => {
    await expect(
      exchangeFolders(dataDir, async () => {
        throw new Error("killed");
      }),
    ).rejects.toThrow("killed");
    expect([readMark(), isExchanging(dataDir)]).toEqual(["restored", true]);
    let completed = 0;
    const aside = await finishExchange(dataDir, async () => void (completed += 1));
    expect([completed, isExchanging(dataDir), readdirSync(present(aside))]).toEqual([1, false, ["mark"]]);
    expect(readMark()).toBe("restored");
  });

  it("that was not begun needs no end", async () => {
    let completed = 0;
    expect(await finishExchange(dataDir, async () => void (completed += 1))).toBeUndefined();
    expect(completed).toBe(0);
  });
});
