import type { TestProject } from "vitest/node";

/** Journeys look at what is built: it is built when its sources have changed. */
export default async function buildWebForTests(_: TestProject): Promise<void> {
  const { buildWeb } = (await import(new URL("../../scripts/lib/build-web.mjs", import.meta.url).href)) as {
    buildWeb: (runtime: string) => Promise<void>;
  };
  await buildWeb(process.execPath);
}
