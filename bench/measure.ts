import path from "node:path";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { Product } from "@arcada/testing/setup/product-process";
import { measureAnalysis } from "./analysis.ts";
import { measureClinics } from "./clinics-at-work.ts";
import { createClinic } from "./data/clinic.ts";
import { measureDashboard } from "./dashboard.ts";
import { measureEngine } from "./engine-pack.ts";
import { measureStreams } from "./event-streams.ts";
import { measureEvents } from "./live-events.ts";
import { measureIdle } from "./idle-footprint.ts";
import { formatTable } from "./lib/figure-table.ts";
import type { Figure } from "./lib/figure-table.ts";
import { imagingParts, measureImaging } from "./dicom-interfaces.ts";
import { measureIngest } from "./ingest.ts";
import { printModel } from "./model/sizing-tables.ts";
import { measureOrderZip } from "./order-zip.ts";
import { measurePatientList } from "./patient-list-throughput.ts";
import { measureOrders, orderParts } from "./order-lists-and-transitions.ts";
import { measureSearch } from "./large-clinic-search.ts";
import { measureSearchDelay } from "./search-delay.ts";
import { measurePatients } from "./large-patient-list.ts";
import { measureFirstPaint } from "./sign-in-first-paint.ts";
import { measureLargeVolume } from "./viewers/large-volume.ts";
import { measurePanorama } from "./viewers/panorama-opening.ts";
import { measureScan } from "./viewers/scan-viewer.ts";
import { measureSoak } from "./viewers/viewer-soak.ts";
import { measureUploadCreation } from "./upload-creation.ts";
import { measureDay } from "./model/compressed-day.ts";
import { measureCosts } from "./model/work-costs.ts";
import { measureUpload } from "./upload-throughput.ts";
import { measureViewer } from "./viewers/ct-viewer.ts";
import { measureTracing } from "./telemetry-cost.ts";
import { buildWeb, measureWeb } from "./web-size.ts";

// Names choose: npm run bench -- list upload orders-zip web paint events ingest imaging search-delay viewer panorama scan analysis engine idle, soak by its name alone, of imaging stow cstore qido frames alone, of orders lists steps
const chosen = process.argv.slice(2);
const sharedProductBenches = ["list", "upload", "orders-zip", "web", "paint"];
const isChosen = (name: string): boolean => chosen.length === 0 || chosen.includes(name);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

if (
  isChosen("web") ||
  isChosen("paint") ||
  isChosen("viewer") ||
  isChosen("panorama") ||
  isChosen("scan") ||
  chosen.includes("soak") ||
  chosen.includes("large-volume")
)
  await buildWeb();
const figures = [
  ...(sharedProductBenches.some(isChosen) ? await attempt(measureSharedProduct) : []),
  ...(isChosen("events") ? await attempt(events) : []),
  ...(isChosen("ingest") ? await attempt(ingest) : []),
  ...(await attempt(imaging)),
  ...(isChosen("search-delay") ? await attempt(() => measureSearchDelay(say)) : []),
  ...(isChosen("viewer") ? await attempt(viewer) : []),
  ...(isChosen("panorama") ? await attempt(panorama) : []),
  ...(isChosen("scan") ? await attempt(scan) : []),
  ...(isChosen("analysis") ? await attempt(analysis) : []),
  ...(isChosen("engine") ? await attempt(engine) : []),
  ...(isChosen("idle") ? await attempt(idle) : []),
  // Only on request, because a million orders are created first.
  ...(chosen.includes("orders") ? await attempt(orders) : []),
  // A million patients likewise.
  ...(chosen.includes("patients") ? await attempt(() => measurePatients(say)) : []),
  ...(chosen.includes("search") ? await attempt(() => measureSearch(say)) : []),
  // A million stored files likewise.
  ...(chosen.includes("quota") ? await attempt(() => measureUploadCreation(say)) : []),
  ...(chosen.includes("dashboard") ? await attempt(() => measureDashboard(say)) : []),
  // Only on request, because thousands of streams take the machine for minutes.
  ...(chosen.includes("streams") ? await attempt(() => measureStreams(say)) : []),
  // Three sizes of two minutes each.
  ...(chosen.includes("clinics") ? await attempt(() => measureClinics(say)) : []),
  ...(chosen.includes("day") ? await attempt(() => measureDay(say)) : []),
  ...(chosen.includes("costs") ? await attempt(() => measureCosts(say)) : []),
  // Only on request, because it compares the product with itself.
  ...(chosen.includes("tracing") ? await attempt(() => measureTracing(say)) : []),
  // Only on request, because encoding and loading such a volume takes minutes.
  ...(chosen.includes("large-volume") ? await attempt(() => measureLargeVolume(say)) : []),
  // Only on request, because it takes twenty minutes.
  ...(chosen.includes("soak") ? await attempt(() => measureSoak(say)) : []),
];
// A model and no measurement: it is computed in a moment.
if (chosen.includes("model")) process.stdout.write(`\n${printModel()}`);
if (figures.length > 0) process.stdout.write(`\n${formatTable(figures)}\n`);

/** The figures of the other parts are worth having if one part fails. */
async function attempt(measure: () => Promise<Figure[]>): Promise<Figure[]> {
  try {
    return await measure();
  } catch (error) {
    say(`Not measured: ${(error as Error).stack}`);
    process.exitCode = 1;
    return [];
  }
}

function events(): Promise<Figure[]> {
  say("Events over 500 open streams …");
  return measureEvents();
}

function ingest(): Promise<Figure[]> {
  say("A zip of a CBCT comes in …");
  return measureIngest();
}

function viewer(): Promise<Figure[]> {
  say("A CBCT in viewers …");
  return measureViewer(say);
}

function panorama(): Promise<Figure[]> {
  say("A CBCT opens with its panorama …");
  return measurePanorama(say);
}

function scan(): Promise<Figure[]> {
  say("A scan in viewers …");
  return measureScan(say);
}

function analysis(): Promise<Figure[]> {
  say("Engines look at pictures …");
  return measureAnalysis(say);
}

function engine(): Promise<Figure[]> {
  say("An engine pack looks at a film …");
  return measureEngine(say);
}

function idle(): Promise<Figure[]> {
  say("The product starts and has nothing to do …");
  return measureIdle();
}

function orders(): Promise<Figure[]> {
  const named = orderParts.filter((part) => chosen.includes(part));
  return measureOrders(named.length > 0 ? named : orderParts, say);
}

async function imaging(): Promise<Figure[]> {
  const named = imagingParts.filter((part) => chosen.includes(part));
  if (named.length === 0 && !isChosen("imaging")) return [];
  return measureImaging(named.length > 0 ? named : imagingParts, say);
}

/** Runs everything on one product, in a separate process as `npm start` runs it, which is removed afterwards. */
async function measureSharedProduct(): Promise<Figure[]> {
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off" });
  const seen: Figure[] = [];
  try {
    await product.start();
    const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
    try {
      say("A clinic of 10,000 patients is made …");
      const clinic = await createClinic(postgres.connection, 10_000);
      if (isChosen("list")) {
        say("Pages of the patient list …");
        seen.push(...(await measurePatientList(product.address, clinic, postgres.connection)));
      }
      if (isChosen("upload")) {
        say("An upload of 200 MB …");
        seen.push(...(await measureUpload(product.address, clinic.token, product.folder)));
      }
      if (isChosen("orders-zip")) {
        say("An order's archive of 400 MB …");
        seen.push(...(await measureOrderZip(product, clinic.token)));
      }
      if (isChosen("web")) {
        say("What the pages load …");
        seen.push(...(await measureWeb(product.address, clinic)));
      }
      if (isChosen("paint")) {
        say("How soon the sign-in form stands …");
        seen.push(...(await measureFirstPaint(product.address)));
      }
    } finally {
      await postgres.stop();
    }
  } finally {
    await product.remove();
  }
  return seen;
}
