import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { gatewaySettingNames } from "../apps/server/src/gateway/gateway.config.ts";
import { settingNames } from "../apps/server/src/kernel/config.ts";

/** What stands in the first column of a page's tables in capitals. */
const namedIn = (page: string): string[] =>
  readFileSync(path.join(import.meta.dirname, "..", page), "utf8")
    .split("\n")
    .flatMap((line) => (/^\| `[A-Z]/.test(line) ? [...line.split("|")[1]!.matchAll(/`([A-Z][A-Z0-9_]+)`/g)] : []))
    .map(([, name]) => name!);

it("everything that can be set stands in the README, and nothing that cannot", () => {
  expect(namedIn("README.md").toSorted()).toEqual(settingNames.toSorted());
});

it("everything that can be set of a gateway stands on its page, and nothing that cannot", () => {
  expect(namedIn("docs/gateway.md").toSorted()).toEqual(gatewaySettingNames.toSorted());
});
