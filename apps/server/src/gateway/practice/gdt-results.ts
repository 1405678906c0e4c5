import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { gdtResult } from "@arcada/exchange/gdt/gdt-patient";
import type { GdtRequest } from "@arcada/exchange/gdt/gdt-patient";
import { writeGdt } from "@arcada/exchange/gdt/gdt-record";
import { fileSize, readText, syncFile, writeDurably } from "../../platform/storage/durable-writes.ts";
import type { ListedImage, PracticeCloud } from "./practice-cloud.ts";

/** A patient whom the practice program opened and for whom it hears of new images. */
const openedPatient = z.object({
  number: z.string(),
  /** The names of the programs as the request gave them. */
  practice: z.string(),
  examination: z.string(),
  openedAt: z.number(),
  /** The images that were there before, or that the program has heard of. */
  known: z.array(z.string()),
});
/** A result that is written but perhaps not yet put in place: its file is complete beside the target folder. */
const savedResults = z.object({
  patients: z.array(openedPatient),
  pending: z.object({ file: z.string(), target: z.string() }).nullable(),
});
type SavedResults = z.output<typeof savedResults>;

const maxPatients = 100;
/** After this time images of a patient are no result of the request any more. */
const watchedMs = 12 * 3_600_000;

interface ResultOptions {
  /** The gateway's own folder for this state. */
  folder: string;
  /** The folder from which the practice program reads. */
  out: string;
  name: string;
  cloud: Pick<PracticeCloud, "listImages" | "base">;
  log: (line: string) => void;
}

/**
 * Reports each image that arrives for an opened patient once to the practice program (record 6310, with a link to the
 * image). A result is complete on the disk and noted as on its way before it is put in place, so that a kill at any
 * moment neither loses it nor writes it twice.
 */
export class GdtResults {
  readonly #options: ResultOptions;
  #state: SavedResults;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(options: ResultOptions, state: SavedResults) {
    this.#options = options;
    this.#state = state;
  }

  static async opened(options: ResultOptions): Promise<GdtResults> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const text = await readText(path.join(options.folder, stateName));
    const read = savedResults.safeParse(text === null ? null : parse(text));
    const results = new GdtResults(options, read.data ?? { patients: [], pending: null });
    await results.#finishPending();
    return results;
  }

  /** Remembers the patient and the images that are there already. */
  async watch({ person, sender, examination }: GdtRequest, now = Date.now()): Promise<void> {
    const known = (await this.#options.cloud.listImages(person.number)).map(({ id }) => id);
    const patient = { number: person.number, practice: sender, examination, openedAt: now, known };
    await this.#exclusively(async () => {
      const others = this.#state.patients.filter(({ number }) => number !== person.number);
      await this.#save({ ...this.#state, patients: [...others, patient].slice(-maxPatients) });
    });
  }

  /** Asks for new images and reports them; returns how many. */
  async report(now = Date.now()): Promise<number> {
    await this.#exclusively(async () => {
      const patients = this.#state.patients.filter(({ openedAt }) => now - openedAt < watchedMs);
      if (patients.length !== this.#state.patients.length) await this.#save({ ...this.#state, patients });
      await this.#finishPending();
    });
    let reported = 0;
    for (const { number } of this.#state.patients) {
      const images = await this.#options.cloud.listImages(number);
      for (const image of images.toReversed())
        if (await this.#exclusively(() => this.#putOnce(number, image))) reported++;
    }
    return reported;
  }

  /** Patients are added while results are reported: the steps that change the state come one after the other. */
  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const mine = before.then(work);
    this.#last = mine.catch(() => {});
    return mine;
  }

  async #putOnce(number: string, image: ListedImage): Promise<boolean> {
    const patient = this.#state.patients.find((one) => one.number === number);
    if (!patient || patient.known.includes(image.id)) return false;
    const target = await this.#freeTarget(patient.practice);
    if (target === null) {
      this.#options.log("results of GDT wait: the practice program has not read the ones before");
      return false;
    }
    const file = path.join(this.#options.out, `.arcada-${image.id}.tmp`);
    await writeFile(file, this.#describe(patient, image), { mode: 0o600 });
    await syncFile(file);
    const reported = { ...patient, known: [...patient.known, image.id] };
    const patients = this.#state.patients.map((one) => (one === patient ? reported : one));
    await this.#save({ patients, pending: { file, target } });
    await this.#finishPending();
    return true;
  }

  /** A result that lost its first name is in place, even if the practice program has read and deleted it already. */
  async #finishPending(): Promise<void> {
    const { pending } = this.#state;
    if (!pending) return;
    if ((await fileSize(pending.file)) !== null) await rename(pending.file, pending.target);
    await this.#save({ ...this.#state, pending: null });
  }

  /** Results are counted (.gdt, .001 to .999) while the practice program has not read the ones before. */
  async #freeTarget(practice: string): Promise<string | null> {
    const four = (name: string) => name.replaceAll(/\W/g, "").slice(0, 4).toUpperCase();
    const name = `${four(practice) || "PRAX"}${four(this.#options.name)}`;
    for (let count = 0; count < 1000; count++) {
      const ending = count === 0 ? "gdt" : String(count).padStart(3, "0");
      const target = path.join(this.#options.out, `${name}.${ending}`);
      if ((await fileSize(target)) === null) return target;
    }
    return null;
  }

  #describe(patient: z.output<typeof openedPatient>, image: ListedImage): Uint8Array {
    const query =
      image.uid === null
        ? new URLSearchParams({ practiceNumber: patient.number })
        : new URLSearchParams({ requestType: "STUDY", studyUID: image.uid });
    const finding = [image.description || image.kind, image.count > 1 ? `(${image.count})` : ""]
      .filter(Boolean)
      .join(" ");
    return writeGdt(
      "6310",
      gdtResult({
        number: patient.number,
        receiver: patient.practice,
        sender: this.#options.name,
        examination: patient.examination,
        date: image.takenAt.slice(0, 10),
        finding: `Arcada: ${finding}`,
        attachment: { name: `Arcada ${finding}`, kind: "URL", link: `${this.#options.cloud.base}/launch?${query}` },
      }),
    );
  }

  async #save(state: SavedResults): Promise<void> {
    await writeDurably(path.join(this.#options.folder, stateName), JSON.stringify(state), { mode: 0o600 });
    this.#state = state;
  }
}

const stateName = "opened.json";
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};

/** Reports again and again until `signal` is aborted. */
export async function watchForResults(
  results: GdtResults,
  { signal, log, pollMs = 30_000 }: { signal: AbortSignal; log: (line: string) => void; pollMs?: number },
): Promise<void> {
  while (!signal.aborted) {
    await results
      .report()
      .catch((error: unknown) =>
        log(`results of GDT wait: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`),
      );
    await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
}
