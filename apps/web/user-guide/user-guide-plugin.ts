import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "vite";
import { guidePageNames } from "../../../packages/contract/src/help/user-guide.ts";
import type { GuideContent } from "../src/help/guide-content.ts";
import { parseGuidePage } from "./parse-guide-page.ts";

const folder = path.join(import.meta.dirname, "../../../docs/user");
const modulePattern = /^virtual:user-guide(-index)?\/(en|zh)$/;

/**
 * Provides the user guide as modules: `virtual:user-guide/{language}` has all pages, with their Markdown parsed and their
 * pictures as assets; `virtual:user-guide-index/{language}` has the titles alone, for the search.
 */
export function userGuide(): Plugin {
  return {
    name: "arcada-user-guide",
    resolveId: (id) => (modulePattern.test(id) ? `\0${id}` : null),
    load(id) {
      const [, isIndex, language] = modulePattern.exec(id.slice(1)) ?? [];
      if (!id.startsWith("\0") || !language) return null;
      const pages = guidePageNames.map((name) => {
        const file = path.join(folder, language, `${name}.md`);
        this.addWatchFile(file);
        return [name, readPage(file)] as const;
      });
      return isIndex ? writeIndex(pages) : writePages(pages, path.join(folder, language));
    },
  };
}

function readPage(file: string): GuideContent {
  try {
    return parseGuidePage(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${path.relative(folder, file)}: ${(error as Error).message}`, { cause: error });
  }
}

type NamedPages = (readonly [name: string, page: GuideContent])[];

function writeIndex(pages: NamedPages): string {
  const entries = pages.map(([name, { title, summary, keywords }]) => ({ name, title, summary, keywords }));
  return `export const entries = ${JSON.stringify(entries)};`;
}

/**
 * A picture becomes an import, so that the build gives it a name with its hash. One that was not made yet is left out:
 * it is made from the application that is being built.
 */
function writePages(pages: NamedPages, languageFolder: string): string {
  const imports: string[] = [];
  const json = JSON.stringify(Object.fromEntries(pages)).replaceAll(/"url":"([^"]+)"/g, (_, url: string) => {
    const file = path.join(languageFolder, url);
    return existsSync(file) ? `"url":picture${imports.push(file) - 1}` : `"url":""`;
  });
  const lines = imports.map((file, at) => `import picture${at} from ${JSON.stringify(file)};`);
  return `${lines.join("\n")}\nexport const pages = ${json};`;
}
