import { screens } from "@arcada/contract/screens";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { tags } from "@arcada/imaging/dicom/parse/tags";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { craftZip } from "../../apps/server/src/ingest/archive/crafted-zip.ts";
import { freePort, Product } from "@arcada/testing/setup/product-process";
import type { Clinic } from "../data/clinic.ts";
import { interleave, type Figure } from "../lib/figure-table.ts";
import { ingestStudy } from "../data/ingest-study.ts";
import { openThrottledLink, SharedLink, type LinkSpeed, type ThrottledLink } from "../lib/throttled-link.ts";
import { measureVisit, type VisitCost, type MeasuredPage } from "../lib/measure-page-opening.ts";
import { startCornerstone, startOhif, type ViewerPeer } from "../peers/viewer-peers.ts";

const nearLink: LinkSpeed = { bytesPerSecond: 12_500_000, latency: 20 };
const farLink: LinkSpeed = { bytesPerSecond: 12_500_000, latency: 100 };
const slices = Number(process.env.ARCADA_BENCH_SLICES ?? 400);
const rounds = Number(process.env.ARCADA_BENCH_ROUNDS ?? 5);
type Say = (line: string) => void;

/** A CBCT in our viewer, in OHIF and on a page of Cornerstone3D: the same data, line and browser. */
export async function measureViewer(say: Say): Promise<Figure[]> {
  const port = await freePort();
  const [short, long] = [new SharedLink(nearLink), new SharedLink(farLink)];
  const closes: (() => void)[] = [];
  const line = async (to: number, wire: SharedLink): Promise<ThrottledLink> => {
    const made = await openThrottledLink(to, wire);
    closes.push(made.close);
    return made;
  };
  const ours = { near: await line(port, short), far: await line(port, long) };
  const ohif = await startOhif(port, say);
  const alone = await startCornerstone(port, say);
  const pages = {
    ohif: ohif && (await line(ohif.port, short)),
    alone: alone && (await line(alone.port, short)),
    aloneFar: alone && (await line(alone.port, long)),
  };
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off" });
  product.port = port;
  try {
    await product.start();
    const { clinic, volume } = await importVolume(product, say);
    const our = (at: ThrottledLink): MeasuredPage => ({
      address: `${at.address}${screens.ctViewer.path}?study=${volume.id}`,
      cookie: clinic.token,
      lines: [at],
    });
    const theirs = (peer: ViewerPeer, at: ThrottledLink): MeasuredPage => ({
      address: at.address + peer.pageAddress({ token: clinic.token, ...volume }),
      lines: [at],
    });
    return await measureFigures(
      {
        near: {
          ours: our(ours.near),
          ...(ohif && pages.ohif && { ohif: theirs(ohif, pages.ohif) }),
          ...(alone && pages.alone && { alone: theirs(alone, pages.alone) }),
        },
        far: {
          ours: our(ours.far),
          ...(alone && pages.aloneFar && { alone: theirs(alone, pages.aloneFar) }),
        },
      },
      say,
    );
  } finally {
    for (const close of closes) close();
    ohif?.stop();
    alone?.stop();
    await product.remove();
  }
}

type Viewers = { ours: MeasuredPage } & Partial<Record<"ohif" | "alone", MeasuredPage>>;

interface Volume {
  id: string;
  study: string;
  series: string;
}

/** A clinic with one volume, by default of as many slices as are measured. */
export async function importVolume(
  product: Product,
  say: Say,
  size = { columns: 512, rows: 512, slices, voxel: 0.3 },
): Promise<{ clinic: Clinic; volume: Volume }> {
  const who = { id: "1", name: "Bench^One", sex: "O", birthDate: "19900101" } as const;
  const files = [...createCbctFiles(makeHead("viewer"), who, { size })].map(({ bytes }) => bytes);
  say(`A volume of ${size.slices} slices comes in …`);
  const zip = craftZip(files.map((data, place) => ({ name: `DICOM/I${place}`, data })));
  const { clinic, id } = await ingestStudy(product, "disc.zip", zip);
  const header = readDicom(files[0]);
  const [study, series] = [header.text(tags.studyInstance) ?? "", header.text(tags.seriesInstance) ?? ""];
  return { clinic, volume: { id, study, series } };
}

const viewerNames = { ours: "Arcada", ohif: "OHIF", alone: "Cornerstone3D alone" } as const;

async function measureFigures(
  { near: short, far: long }: { near: Viewers; far: Viewers },
  say: Say,
): Promise<Figure[]> {
  const seen = await measureViewers(short, say, "20 ms");
  const distant = await measureViewers(long, say, "100 ms");
  const peersFor = (
    of: Partial<Record<keyof typeof viewerNames, VisitCost>>,
    pick: keyof VisitCost,
  ): (Figure["peer"] | undefined)[] => {
    const peers = (["ohif", "alone"] as const).flatMap((name) => {
      const value = of[name]?.[pick];
      return value === undefined ? [] : [{ what: viewerNames[name], value }];
    });
    return peers.length > 0 ? peers : [undefined];
  };
  const rows = (
    of: typeof seen,
    pick: keyof VisitCost,
    figure: Pick<Figure, "what" | "unit"> & { goal?: Figure["goal"] },
  ): Figure[] =>
    peersFor(of, pick).map((peer) => ({
      ...figure,
      ours: of.ours[pick],
      ...(peer && { peer }),
      ...(figure.goal && { goalOf: "figure" as const }),
    }));
  const line = "100 Mbit/s, 20 ms";
  const carried = (seen.ours.megabytes * 1e6) / nearLink.bytesPerSecond;
  return [
    ...rows(seen, "firstImage", { what: `first picture of a CBCT, ${line}`, unit: "s", goal: { most: 0.4 } }),
    ...rows(seen, "complete", { what: `its whole volume, ${line}`, unit: "s", goal: { most: carried * 1.05 } }),
    ...rows(distant, "complete", {
      what: "its whole volume, 100 Mbit/s, 100 ms",
      unit: "s",
      goal: { most: seen.ours.complete * 1.2 },
    }),
    ...rows(seen, "megabytes", { what: "what came over the line", unit: "MB" }),
    ...rows(seen, "code", { what: "the viewer's scripts", unit: "MB gz", goal: { most: 0.4 } }),
    ...rows(seen, "memory", {
      what: "memory of the page and of the graphics process",
      unit: "MB",
      goal: { most: 600 },
    }),
    ...rows(seen, "reopenedMegabytes", { what: "what came over the line at the second opening", unit: "MB" }),
  ];
}

async function measureViewers(viewers: Viewers, say: Say, line: string) {
  const all: Partial<Record<keyof Viewers, VisitCost[]>> = {};
  const runs = Object.fromEntries(
    Object.entries(viewers).map(([name, shown]) => [
      name,
      async () => {
        say(`${viewerNames[name as keyof Viewers]}, ${line} …`);
        const seen = await measureVisit(shown);
        say(JSON.stringify(seen));
        (all[name as keyof Viewers] ??= []).push(seen);
        return seen.firstImage;
      },
    ]),
  );
  await interleave(runs, rounds);
  return Object.fromEntries(Object.entries(all).map(([name, seen]) => [name, medianOf(seen)])) as {
    ours: VisitCost;
    ohif?: VisitCost;
    alone?: VisitCost;
  };
}

const medianOf = (seen: readonly VisitCost[]): VisitCost =>
  Object.fromEntries(
    (Object.keys(seen[0]) as (keyof VisitCost)[]).map((key) => {
      const sorted = seen.map((one) => one[key]).toSorted((a, b) => a - b);
      return [key, sorted[Math.floor(sorted.length / 2)]];
    }),
  ) as unknown as VisitCost;
