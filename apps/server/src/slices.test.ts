import { readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { Database } from "./platform/database/database.ts";
import { readConfig } from "./platform/runtime/config.ts";
import { slices } from "./slices.ts";
import { eventsWithoutNotice } from "./notice/notice.subscribers.ts";
import { present } from "@arcada/testing/require-present";

const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
// Shared code, row types, and programs of their own.
const otherFolders = ["platform", "domain", "tables", "dimse", "gateway"];
const config = readConfig({ DATA_DIR: "/nowhere" });
const subscribers = slices.flatMap((slice) => slice.subscribers?.(config) ?? []);

async function declaredEvents(): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of folders)
    for (const file of readdirSync(path.join(import.meta.dirname, name)).filter((one) => one.endsWith(".events.ts"))) {
      const module = (await import(pathToFileURL(path.join(import.meta.dirname, name, file)).href)) as Record<
        string,
        { name: string }
      >;
      for (const [exportName, { name: eventName }] of Object.entries(module)) {
        expect(eventName).toBe(exportName);
        found.push(eventName);
      }
    }
  return found.toSorted();
}

describe("the list of slices", () => {
  it("has every folder that is a slice, once", () => {
    const expected = folders.map(({ name }) => name).filter((name) => !otherFolders.includes(name));
    expect(slices.map(({ name }) => name).toSorted()).toEqual(expected.toSorted());
  });

  it("opens every kind of archive and document, each in one slice", () => {
    const database = {} as Database;
    const kinds = (part: "archives" | "documents") =>
      slices.flatMap((slice) => Object.keys(slice[part]?.(database) ?? {}));
    expect(kinds("archives").toSorted()).toEqual(["order", "patient", "study", "training"]);
    expect(kinds("documents").toSorted()).toEqual([
      "ceph",
      "growth",
      "order",
      "report",
      "reportAnnex",
      "workorder",
      "workorders",
    ]);
  });

  it("subscribes to declared events only, and decides for each whether it has a notice", async () => {
    const events = await declaredEvents();
    expect(subscribers.map(({ event }) => event).filter((name) => !events.includes(name))).toEqual([]);
    const notice = present(slices.find(({ name }) => name === "notice"));
    const withNotice = (notice.subscribers?.(config) ?? []).map(({ event }) => event);
    const decided = [...withNotice, ...eventsWithoutNotice.map(({ name }) => name)];
    expect(decided.toSorted()).toEqual(events);
  });
});
