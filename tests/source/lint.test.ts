import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const sandbox = mkdtempSync(path.join(tmpdir(), "arcada-lint-"));
const typeAware = existsSync(path.join(root, "node_modules/oxlint-tsgolint")) ? ["--type-aware"] : [];
afterAll(() => rmSync(sandbox, { recursive: true, force: true }));

const server = "apps/server/src";
const web = "apps/web/src";
/** A file, an import that it may not have, and one that it may. */
const importRules: [file: string, forbidden: string, allowed: string][] = [
  ["packages/texts/check.ts", "@arcada/contract/calls", "./en/common.json"],
  ["packages/contract/src/order/order.rules.ts", "@arcada/imaging/file-kind", "zod"],
  ["packages/contract/src/order/order.calls.ts", "kysely", "../kernel/call.ts"],
  ["packages/contract/src/kernel/call.ts", "node:fs", "zod"],
  ["packages/imaging/src/dicom/parse/read-dicom.ts", "@arcada/contract/calls", "dicom-parser"],
  ["packages/imaging/src/dicom/view.ts", "react", "./read.ts"],
  ["packages/imaging/src/mesh/read-mesh.ts", "three", "../dicom/read.ts"],
  ["packages/imaging/src/dicom/pixels/decode.ts", "node:zlib", "../dicom-error.ts"],
  ["packages/imaging/src/dicom/parse/inflate.node.ts", "@arcada/contract/calls", "node:zlib"],
  ["packages/phantom/src/cbct/cbct.ts", "@arcada/analysis/pack/model-tensors", "@arcada/imaging/mesh/mesh"],
  [`${server}/order/order.rules.ts`, "@arcada/phantom/anatomy/head", "./order.ts"],
  [`${web}/order/order-card.tsx`, "@arcada/testing/setup/test-server", "../ui/button.tsx"],
  [`${server}/platform/http/serve.ts`, "../../order/order.ts", "@arcada/texts/en/refusals.json"],
  [`${server}/platform/storage/file-store.ts`, "@arcada/imaging/file-kind", "@arcada/contract/calls"],
  [`${server}/platform/upload/uploads.ts`, "../../domain/retention.ts", "../../tables/files.ts"],
  [`${server}/domain/retention.ts`, "../patient/patient.ts", "../platform/database/database.ts"],
  [`${server}/tables/order.ts`, "../platform/database/database.ts", "@arcada/contract/order/order.lifecycle"],
  [`${server}/order/order.ts`, "../patient/patient.ts", "../platform/database/database.ts"],
  [`${server}/order/order.mail.ts`, "../app.ts", "./order.ts"],
  [`${server}/patient/patient.ts`, "@arcada/imaging/file-kind", "../tables/patient.ts"],
  [`${server}/study/study.ts`, "../ingest/unzip.ts", "@arcada/imaging/file-kind"],
  [`${server}/app.ts`, "../../web/src/app.tsx", "./order/order.ts"],
  [`${server}/worker.ts`, "../../../packages/testing/src/setup/test-server.ts", "../../../demo/seed.ts"],
  [`${web}/data/ask.ts`, "../session/current-user.ts", "../browser/store.ts"],
  [`${web}/session/current-user.ts`, "../order/order-list.tsx", "../data/ask.ts"],
  [`${web}/browser/store.ts`, "../i18n/texts.ts", "@arcada/contract/calls"],
  [`${web}/i18n/texts.ts`, "../ui/button.tsx", "@arcada/texts/en/common.json"],
  [`${web}/ui/button.tsx`, "../data/ask.ts", "../i18n/texts.ts"],
  [`${web}/ui/tooth-chart.tsx`, "@arcada/contract/calls", "./button.tsx"],
  [`${web}/viewer/volume.tsx`, "../order/order-list.tsx", "@arcada/imaging/dicom/parse/read-dicom"],
  [`${web}/order/order-list.tsx`, "../patient/patient-list.tsx", "../ui/button.tsx"],
  [`${web}/order/order-form.tsx`, "../viewer/volume.tsx", "../data/ask.ts"],
  [`${web}/order/order-files.tsx`, "@arcada/imaging/dicom/parse/read-dicom", "@arcada/contract/calls"],
  [`${web}/shell/sidebar.tsx`, "../main.tsx", "../order/order-list.tsx"],
  [`${web}/pages/patient.page.tsx`, "../../../server/src/app.ts", "../viewer/volume.tsx"],
  [`${web}/app/app.tsx`, "../../../server/src/app.ts", "../pages/patient.page.tsx"],
];
/** Every way to name a module is held to the same table. */
const importForms: [name: string, code: string][] = [
  ["re-export", 'export { thing } from "../patient/patient.ts";'],
  ["re-export-all", 'export * from "../patient/patient.ts";'],
  ["type-import", 'import type { Thing } from "../patient/patient.ts"; export type Other = Thing;'],
  ["import-type", 'export type Thing = import("../patient/patient.ts").Thing;'],
  ["lazy-import", 'export const load = () => import("../patient/patient.ts");'],
  ["worker", 'export const at = new URL("../patient/patient.worker.ts", import.meta.url);'],
];
const literalTexts: [name: string, markup: string][] = [
  ["child", "<p>Save</p>"],
  ["chinese", "<p>保存</p>"],
  ["fragment", "<>Save</>"],
  ["braces", '<p>{"Save"}</p>'],
  ["choice", '<p>{on ? "Save" : "…"}</p>'],
  ["fallback", '<p>{name || "nobody"}</p>'],
  ["template", "<p>{`${name} saved`}</p>"],
  ...["label", "placeholder", "title", "aria-label", "description", "alt"].map((name): [string, string] => [
    `attribute-${name}`,
    `<X ${name}="Save" />`,
  ]),
  ["attribute-braces", '<X label={on ? "Yes" : t("no")} />'],
];
/** A day or a time that depends on the time zone of a process or a browser, or on UTC. */
const zonelessCode: [name: string, code: string][] = [
  ["iso-day", "export const day = new Date().toISOString().slice(0, 10);"],
  ["instant-day", "export const day = (row: { created_at: string }) => row.created_at.slice(0, 10);"],
  ["own-offset", "export const zone = -new Date().getTimezoneOffset();"],
  ["own-hours", "export const hour = new Date().getHours();"],
  ["format", 'export const show = new Intl.DateTimeFormat("en", { dateStyle: "short" });'],
  ["sql-today", "declare const sql: (...parts: unknown[]) => unknown;\nexport const day = sql`select current_date`;"],
  ["sql-day", "declare const sql: (...parts: unknown[]) => unknown;\nexport const day = sql`select created_at::date`;"],
];
const zoned = `declare const sql: (...parts: unknown[]) => unknown;
export const day = (zone: string) => sql\`select (created_at at time zone \${zone}::text)::date, taken_at::date\`;
export const show = (timeZone: string) => new Intl.DateTimeFormat("en", { timeZone });
`;
const textFreeMarkup =
  '<X label={t("save")} className="wide" alt="" title="—">{t("save")} · 12 / 40 % {on && <b>(1)</b>} {on === "yes" ? "✓" : "✗"}</X>';

const fragments = [
  "// What it is worth.",
  "/** Of the clinic. */",
  "/**\n * Whose turn it is, and why.\n */",
  "// whether it is shown",
];
const sentences = [
  "// The value of it, in mm.\n// What follows is the same sentence.",
  "/** Returns whether it is shown. */",
  "// Office hours.",
];
const dateFields = ['<X type="date" />', '<X type="datetime-local" />', '<X {...{ type: "time" }} />'];

let found: { file: string; rule: string }[];
beforeAll(async () => {
  for (const [file, forbidden, allowed] of importRules) {
    write(file, importCode(allowed));
    write(`forbidden/${file}`, importCode(forbidden));
  }
  for (const [name, code] of importForms) write(`${server}/order/way-${name}.ts`, code);
  for (const [name, markup] of literalTexts) write(`${web}/order/words-${name}.tsx`, componentCode(markup));
  for (const [name, code] of zonelessCode) write(`${server}/order/zoneless-${name}.ts`, code);
  write(`${server}/order/zoned.ts`, zoned);
  for (const [at, comment] of fragments.entries())
    write(`${server}/order/fragment-${at}.ts`, `${comment}\nexport {};\n`);
  for (const [at, comment] of sentences.entries())
    write(`${server}/order/sentence-${at}.ts`, `${comment}\nexport {};\n`);
  for (const [at, markup] of dateFields.entries()) write(`${web}/order/date-field-${at}.tsx`, componentCode(markup));
  write(`${web}/order/no-words.tsx`, componentCode(textFreeMarkup));
  write(`${server}/order/order.test.ts`, importCode("../patient/patient.ts"));
  write(`${web}/order/order.test.tsx`, componentCode("<p>Save</p>"));
  write("packages/testing/src/setup/test-server.ts", importCode(`../${server}/order/order.ts`));
  write(`${server}/reference/a.ts`, 'import { b } from "./b.ts";\nexport const a = () => b;\n');
  write(`${server}/reference/b.ts`, 'import { a } from "./a.ts";\nexport const b = () => a;\n');
  write(
    "tsconfig.json",
    '{ "compilerOptions": { "strict": true, "module": "NodeNext", "allowImportingTsExtensions": true, "noEmit": true, "types": [] } }',
  );
  write(
    `${server}/reference/floating.ts`,
    "const later = async () => 1;\nexport const start = () => {\n  later();\n};\n",
  );
  found = await lint();
});

describe("who may import whom", () => {
  it.each(importRules)("%s may not import %s, but %s", (file) => {
    expect(rulesFor(`forbidden/${file}`)).toContain("arcada(imports)");
    expect(rulesFor(file)).not.toContain("arcada(imports)");
  });
  it.each(importForms)("sees the %s", (name) => {
    expect(rulesFor(`${server}/order/way-${name}.ts`)).toContain("arcada(imports)");
  });
  it("lets tests import from everywhere", () => {
    expect([
      ...rulesFor(`${server}/order/order.test.ts`),
      ...rulesFor("packages/testing/src/setup/test-server.ts"),
    ]).toEqual([]);
  });
  it("refuses a circle of imports", () => {
    expect(rulesFor(`${server}/reference/a.ts`)).toContain("import(no-cycle)");
  });
});

describe("a promise", () => {
  it.skipIf(typeAware.length === 0)("that nobody waits for is refused", () => {
    expect(rulesFor(`${server}/reference/floating.ts`)).toContain("typescript(no-floating-promises)");
  });
});

describe("a day or a time without a zone", () => {
  it.each(zonelessCode)("is refused: %s", (name) => {
    expect(rulesFor(`${server}/order/zoneless-${name}.ts`)).toContain("arcada(zoned-dates)");
  });
  it("is allowed in a named zone", () => {
    expect(rulesFor(`${server}/order/zoned.ts`)).toEqual([]);
  });
});

describe("a comment", () => {
  it.each(fragments.map((text, at) => [text, at]))("is refused without a subject: %s", (_, at) => {
    expect(rulesFor(`${server}/order/fragment-${at}.ts`)).toContain("arcada(plain-comments)");
  });
  it.each(sentences.map((text, at) => [text, at]))("passes with one: %s", (_, at) => {
    expect(rulesFor(`${server}/order/sentence-${at}.ts`)).not.toContain("arcada(plain-comments)");
  });
});

describe("a browser's own field for days and times", () => {
  it.each(dateFields.map((markup, at) => [markup, at]))("is refused: %s", (_, at) => {
    expect(rulesFor(`${web}/order/date-field-${at}.tsx`)).toContain("arcada(no-native-date-fields)");
  });
});

describe("words on the screens", () => {
  it.each(literalTexts)("are refused when they are written into the code: %s", (name) => {
    expect(rulesFor(`${web}/order/words-${name}.tsx`)).toContain("arcada(no-literal-text)");
  });
  it("are allowed as translations, and so are numbers and signs", () => {
    expect(rulesFor(`${web}/order/no-words.tsx`)).toEqual([]);
    expect(rulesFor(`${web}/order/order.test.tsx`)).toEqual([]);
  });
});

const importCode = (specifier: string): string =>
  `import * as thing from "${specifier}";\nexport const kept = thing;\n`;
const componentCode = (markup: string): string =>
  `import { on, name, t, X } from "../ui/things.tsx";\nexport const Shown = () => ${markup};\nexport const used = [on, name, t, X];\n`;
const rulesFor = (file: string): string[] => found.filter((one) => one.file === file).map((one) => one.rule);

function write(file: string, text: string): void {
  const target = path.join(sandbox, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

/** Runs the repository's own settings and rules over the written files. */
async function lint(): Promise<typeof found> {
  for (const name of ["contract", "imaging", "texts"])
    for (const tree of [sandbox, path.join(sandbox, "forbidden")])
      cpSync(path.join(root, `packages/${name}/package.json`), path.join(tree, `packages/${name}/package.json`));
  cpSync(path.join(root, ".oxlintrc.json"), path.join(sandbox, ".oxlintrc.json"));
  for (const name of ["lint", "node_modules"]) symlinkSync(path.join(root, name), path.join(sandbox, name));
  const oxlint = path.join(root, "node_modules/oxlint/bin/oxlint");
  const options = { cwd: sandbox, maxBuffer: 64 * 1024 * 1024 };
  const output = await promisify(execFile)(
    process.execPath,
    [oxlint, "-f", "json", ...typeAware, "apps", "packages", "tests", "forbidden"],
    options,
  ).catch((error: unknown) => error as { stdout: string });
  const { diagnostics } = JSON.parse(output.stdout) as { diagnostics: { filename: string; code: string }[] };
  return diagnostics.map(({ filename, code }) => ({
    file: path.relative(sandbox, path.resolve(sandbox, filename)),
    rule: code,
  }));
}
