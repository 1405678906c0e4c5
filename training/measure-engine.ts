import type { AnalysisEngine, EngineImage } from "@arcada/analysis/engine";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createPanoramaPixels, panoramaSize } from "@arcada/phantom/radiograph/panorama";

const runs = 7;

/** Measures the median time of one core that an engine takes for a panoramic film, and the memory that it adds. */
export async function measureEngine(
  engine: AnalysisEngine,
): Promise<{ milliseconds: number; megabytes: number; runs: number }> {
  const film = drawLargeFilm();
  const context = { signal: new AbortController().signal, onProgress: () => {} };
  const before = process.memoryUsage().rss;
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

/** A drawn film, enlarged to the size that a machine gives. */
function drawLargeFilm(): EngineImage {
  const [columns, rows] = [2800, 1400];
  const drawn = createPanoramaPixels(makeHead("three"));
  const samples = new Float32Array(columns * rows);
  for (let at = 0; at < samples.length; at++) {
    const x = Math.floor(((at % columns) * panoramaSize.columns) / columns);
    const y = Math.floor((Math.floor(at / columns) * panoramaSize.rows) / rows);
    samples[at] = drawn[y * panoramaSize.columns + x]!;
  }
  return { kind: "picture", shows: "panorama", columns, rows, samples, spacing: null };
}
