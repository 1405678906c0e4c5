import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { gatewaySettingNames } from "../../apps/server/src/gateway/gateway.config.ts";
import { settingNames } from "../../apps/server/src/platform/runtime/config.ts";

const root = path.join(import.meta.dirname, "../..");
const textOf = (page: string): string => readFileSync(path.join(root, page), "utf8");
/** Returns the upper-case names in the first column of a page's tables. */
const listNamedSettings = (page: string): string[] =>
  textOf(page)
    .split("\n")
    .flatMap((line) => (/^\| `[A-Z]/.test(line) ? [...line.split("|")[1].matchAll(/`([A-Z][A-Z0-9_]+)`/g)] : []))
    .map(([, name]) => name);

it("the page about the configuration lists every setting, and no others", () => {
  expect(listNamedSettings("docs/operator/configuration.md").toSorted()).toEqual(settingNames.toSorted());
});

it("the gateway's page lists every setting of a gateway, and no others", () => {
  expect(listNamedSettings("docs/gateway.md").toSorted()).toEqual(gatewaySettingNames.toSorted());
});

it("every command that a page names exists", () => {
  const { stderr } = spawnSync(process.execPath, ["scripts/app.mjs"], { cwd: root, encoding: "utf8" });
  const known = stderr.trim().split(/[ |]+/).slice(3);
  const pages = [
    "README.md",
    ...readdirSync(path.join(root, "docs")).flatMap((file) => (file.endsWith(".md") ? [`docs/${file}`] : [])),
  ];
  const commands = pages.flatMap((page) => [
    ...textOf(page).matchAll(/(?:scripts\/app\.mjs|npm run|npm(?= start| test)) ([a-z-]+)/g),
  ]);
  expect(commands.length).toBeGreaterThan(8);
  expect(commands.filter(([, name]) => !known.includes(name)).map(([words]) => words)).toEqual([]);
});
