import { existsSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { pageFiles } from "./page-files.ts";

// The application loads the pages that lie one folder below its sources; any other would be shown as not found.
it("names an existing file, one folder deep, for every page", () => {
  const wrong = Object.values(pageFiles).filter(
    ({ file }) => file.split("/").length !== 2 || !existsSync(path.join(import.meta.dirname, `../${file}.page.tsx`)),
  );
  expect(wrong.map(({ file }) => file)).toEqual([]);
});
