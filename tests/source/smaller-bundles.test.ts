import path from "node:path";
import { describe, expect, it } from "vitest";
import { createPageChunk } from "../../apps/web/module-chunks.ts";
import { slimMantine } from "../../apps/web/smaller-bundles.ts";

const root = path.join(import.meta.dirname, "../..");
const menuFile = path.join(root, "node_modules/@mantine/core/esm/components/Menu/Menu.mjs");
const pageFile = path.join(root, "apps/web/src/shell/layout.tsx");

describe("the bundle of the web application", () => {
  it("leaves out the parts of Mantine's components that nobody uses", () => {
    const menu = "Menu.Item = MenuItem;\nMenu.Sub = MenuSub;\nexport { Menu };";
    expect(transform(menu, menuFile)).toBe("Menu.Item = MenuItem;\n\nexport { Menu };");
  });

  it("cannot be built while a component of Mantine is imported under another name", () => {
    expect(() => transform('import { Menu as Choices } from "@mantine/core";', pageFile)).toThrow("own names");
  });
});

describe("the chunk of some pages", () => {
  const imports: Record<string, string[]> = { page: ["table"], table: ["text", "page"], dialog: ["form", "text"] };
  const graph = { getModuleInfo: (id: string) => ({ importedIds: imports[id] ?? [] }) };

  it("has what the pages import and nothing that they load later", () => {
    const chunk = createPageChunk("pages", ["page"]);
    expect(["page", "table", "text", "dialog", "form"].filter((id) => chunk(id, graph) === "pages")).toEqual([
      "page",
      "table",
      "text",
    ]);
  });
});

/** Returns a module as the plugin changes it. */
function transform(code: string, file: string): string {
  const change = slimMantine().transform as unknown as (
    this: { error(message: string): never },
    code: string,
    id: string,
  ) => { code: string } | null;
  const fail = (message: string): never => {
    throw new Error(message);
  };
  return change.call({ error: fail }, code, file)?.code ?? code;
}
