import type { TestProject } from "vitest/node";

/** Journeys test the built application, so it is built again if its sources have changed. */
export default async function buildWebForTests(_: TestProject): Promise<void> {
  const { buildWeb } = (await import(new URL("../../scripts/lib/build-web.mjs", import.meta.url).href)) as {
    buildWeb: (runtime: string) => Promise<void>;
  };
  await buildWeb(process.execPath);
}
