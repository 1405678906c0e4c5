import { setTimeout as sleep } from "node:timers/promises";
import { screens } from "@arcada/contract/screens";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { Mesh } from "@arcada/imaging/mesh/mesh";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import { freePort, Product } from "@arcada/testing/setup/product-process";
import { interleave, median, type Figure } from "../lib/figure-table.ts";
import { openThrottledLink, SharedLink } from "../lib/throttled-link.ts";
import { ingestStudy } from "../data/ingest-study.ts";
import { measureVisit, type VisitCost, type MeasuredPage } from "../lib/measure-page-opening.ts";
import { startThree } from "../peers/viewer-peers.ts";

const rounds = Number(process.env.ARCADA_BENCH_ROUNDS ?? 5);
const triangles = Number(process.env.ARCADA_BENCH_TRIANGLES ?? 1_000_000);
/** A larger scan has a coarse copy, which is made after it can be opened (decision 165). */
const hasCoarseCopy = triangles > 1_000_000;
/** With five million triangles the peer shows nothing within three minutes. */
const withPeer = triangles <= 2_000_000;

/**
 * A jaw of a million triangles in our viewer, and on a page of three with the library's STL loader, over 100 Mbit/s with
 * 20 ms; a larger one, which the viewer shows coarsely first, without the peer.
 */
export async function measureScan(say: (line: string) => void): Promise<Figure[]> {
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off" });
  product.port = await freePort();
  const wire = new SharedLink({ bytesPerSecond: 12_500_000, latency: 20 });
  const line = await openThrottledLink(product.port, wire);
  const three = await startThree(product.port);
  const theirs = await openThrottledLink(three.port, wire);
  try {
    await product.start();
    say(`A scan of ${triangles} triangles comes in …`);
    const { clinic, id } = await ingestStudy(
      product,
      "lower.stl",
      writeStl(subdivideMesh(createArchScan(makeHead("scan"), "lower"))),
    );
    const readScan = async () =>
      (await product.call(studyCalls.detail, { id }, { token: clinic.token })).series[0].instances[0];
    while (hasCoarseCopy && !(await readScan()).model?.glb?.coarse) await sleep(500);
    const scan = (await readScan()).originalUrl!;
    const pages: Record<"ours" | "three", MeasuredPage> = {
      ours: {
        address: `${line.address}${screens.viewer.path}?study=${id}`,
        cookie: clinic.token,
        lines: [line],
        losesDrawingBuffer: true,
      },
      three: { address: `${theirs.address}/?${new URLSearchParams({ scan }).toString()}`, lines: [theirs] },
    };
    const seen: Record<keyof typeof pages, VisitCost[]> = { ours: [], three: [] };
    const runs = Object.fromEntries(
      (withPeer ? (["ours", "three"] as const) : (["ours"] as const)).map((name) => [
        name,
        async () => {
          seen[name].push(await measureVisit(pages[name]));
          say(`${name} ${JSON.stringify(seen[name].at(-1))}`);
          return seen[name].at(-1)!.firstImage;
        },
      ]),
    );
    await interleave(runs, rounds);
    const row = (pick: keyof VisitCost, figure: Pick<Figure, "what" | "unit" | "goal">): Figure => ({
      ...figure,
      ours: median(seen.ours.map((one) => one[pick])),
      ...(withPeer && {
        peer: { what: "three and its STL loader", value: median(seen.three.map((one) => one[pick])) },
      }),
      ...(figure.goal && { goalOf: "figure" }),
    });
    const what = `a scan of ${triangles} triangles`;
    return [
      row("firstImage", { what: `${what}, first seen`, unit: "s", goal: { most: hasCoarseCopy ? 4 : 3 } }),
      row("complete", { what: `${what}, the last byte`, unit: "s" }),
      row("megabytes", { what: "what came over the line", unit: "MB" }),
      row("memory", { what: "memory of the page and of the graphics process", unit: "MB" }),
    ];
  } finally {
    theirs.close();
    three.stop();
    line.close();
    await product.remove();
  }
}

/** Each triangle in four until there are as many; every corner a hundredth of a millimetre off, as a scanner's are. */
function subdivideMesh({ positions: given, indices: first }: Mesh): Mesh {
  const positions = [...given];
  let indices = [...(first ?? [])];
  while (indices.length / 3 < triangles) {
    const halves = new Map<number, number>();
    const count = positions.length / 3;
    const half = (a: number, b: number): number => {
      const key = Math.min(a, b) * count + Math.max(a, b);
      const known = halves.get(key) ?? positions.length / 3;
      if (!halves.has(key)) {
        halves.set(key, known);
        for (let axis = 0; axis < 3; axis++) positions.push((positions[3 * a + axis] + positions[3 * b + axis]) / 2);
      }
      return known;
    };
    const next: number[] = [];
    for (let at = 0; at < indices.length; at += 3) {
      const [a, b, c] = [indices[at], indices[at + 1], indices[at + 2]];
      const [ab, bc, ca] = [half(a, b), half(b, c), half(c, a)];
      next.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
    }
    indices = next;
  }
  let state = 1;
  const jitter = () => ((state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff - 0.5) * 0.02;
  return {
    positions: Float32Array.from(positions, (value) => value + jitter()),
    indices: Uint32Array.from(indices.slice(0, 3 * triangles)),
    colours: null,
  };
}
