import type { AnalysisEngine } from "@arcada/analysis/engine";
import { createLargePanorama } from "@arcada/testing/analysis/large-panorama";

const runs = 7;

/** Measures the median time of one core that an engine takes for a panoramic film, and the memory that it adds. */
export async function measureEngine(
  load: () => Promise<AnalysisEngine>,
): Promise<{ milliseconds: number; megabytes: number; runs: number }> {
  const film = createLargePanorama();
  const context = { signal: new AbortController().signal, onProgress: () => {} };
  const before = process.memoryUsage().rss;
  const engine = await load();
  await engine.analyse(film, context);
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = process.cpuUsage();
    await engine.analyse(film, context);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  const milliseconds = Math.round(times.toSorted((a, b) => a - b)[Math.floor(runs / 2)]!);
  const megabytes = Math.max(0, Math.round((process.memoryUsage().rss - before) / 1e6));
  return { milliseconds, megabytes, runs };
}
