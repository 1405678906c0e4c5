import { expect, it, vi } from "vitest";
import { fakeBrowser } from "./fake-browser.ts";
import { clearPersistedFiles, isPersistable, persistFile, readPersistedFile } from "./persisted-files.ts";
import { present } from "@arcada/testing/require-present";

const browser = fakeBrowser();
const boxes = new Map<string, Map<string, Response>>();
const box = (kept: Map<string, Response>) => ({
  match: async (key: string) => kept.get(key)?.clone(),
  put: async (key: string, response: Response) => void kept.set(key, response),
  keys: async () => [...kept.keys()],
  delete: async (key: string) => kept.delete(key),
});
vi.stubGlobal("caches", {
  open: async (name: string) => {
    if (!boxes.has(name)) boxes.set(name, new Map());
    return box(present(boxes.get(name)));
  },
  delete: async (name: string) => boxes.delete(name),
});

const address = (signature: string, area = "converted") =>
  `/files/${area}/clinic/${"ab".repeat(32)}/group.bin?s=${signature}`;
const bytes = () => new TextEncoder().encode("slices");

it("finds a derived file under another signature until the user signs out", async () => {
  browser.cookies.set("Admin-Token", "secret");
  persistFile(address("one"), bytes());
  await vi.waitFor(async () => expect(await readPersistedFile(address("two"))).toEqual(bytes()));
  clearPersistedFiles();
  expect(await readPersistedFile(address("two"))).toBeNull();
});

it("stores no source files, and nothing for guests of a shared study", async () => {
  expect(isPersistable(address("one", "originals"))).toBe(false);
  browser.cookies.delete("Admin-Token");
  persistFile(address("one"), bytes());
  browser.cookies.set("Admin-Token", "secret");
  expect(await readPersistedFile(address("one"))).toBeNull();
});
