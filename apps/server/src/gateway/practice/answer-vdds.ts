import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { addImageList, readVddsCall, setVddsOutcome } from "@arcada/exchange/vdds/vdds-call";
import type { VddsCall, VddsImage } from "@arcada/exchange/vdds/vdds-call";
import { iniLimits, readIni, writeIni } from "@arcada/exchange/vdds/ini-file";
import type { IniFile } from "@arcada/exchange/vdds/ini-file";
import { removeFile } from "../../platform/storage/durable-writes.ts";
import type { OpenBrowser } from "./open-browser.ts";
import type { ListedImage, PracticeCloud } from "./practice-cloud.ts";

interface Tools {
  cloud: Pick<PracticeCloud, "createLaunchAddress" | "listImages">;
  openBrowser: OpenBrowser;
  /** The time after which the practice program gets an answer in any case. */
  deadlineMs?: number;
}

/** Values of ERRORLEVEL; 0 is the only one that the practice program takes for success. */
const levels = { done: 0, notUnderstood: 1, notOffered: 2, failed: 3 } as const;
type Outcome = { level: number; text: string };
const done: Outcome = { level: levels.done, text: "" };

/**
 * Answers a call of VDDS-media in the file that the practice program passed. The program waits for the answer, so every
 * call gets one. A file that is no INI file is left alone: it is not a call.
 * @returns the level of the answer
 * @throws for a file that cannot be read or is no INI file
 */
export async function answerVddsCall(
  path: string,
  { cloud, openBrowser, deadlineMs = 20_000 }: Tools,
): Promise<number> {
  if ((await stat(path)).size > iniLimits.bytes) throw new Error("too large for a call of VDDS-media");
  const file = readIni(await readFile(path));
  if (file.size === 0) throw new Error("no call of VDDS-media");
  const call = readVddsCall(file);
  const outcome = call
    ? await within(deadlineMs, carryOut(call, file, { cloud, openBrowser })).catch(toFailure)
    : { level: levels.notUnderstood, text: "Arcada found neither a patient number nor an image in this call." };
  // A list that came after the deadline must not change the file while it is written.
  const answer: IniFile = new Map([...file].map(([name, values]) => [name, new Map(values)]));
  setVddsOutcome(answer, outcome);
  await replaceFile(path, writeIni(answer));
  return outcome.level;
}

async function carryOut(call: VddsCall, file: IniFile, { cloud, openBrowser }: Tools): Promise<Outcome> {
  if (call.kind === "copy")
    return { level: levels.notOffered, text: "Images stay in Arcada. Please use the function to view them." };
  if (call.kind === "list") {
    addImageList(file, (await cloud.listImages(call.number)).map(toVddsImage));
    return done;
  }
  if (call.kind === "patient") {
    await openBrowser(await cloud.createLaunchAddress({ person: call.person }));
    return done;
  }
  const studyIds = z.array(z.uuid()).max(20).safeParse(call.ids).data;
  if (!studyIds) return { level: levels.notUnderstood, text: "Arcada does not know this image." };
  await openBrowser(await cloud.createLaunchAddress({ studyIds }));
  return done;
}

const toVddsImage = ({ id, kind, takenAt, description, count }: ListedImage): VddsImage => ({
  id,
  date: takenAt.slice(0, 10),
  time: takenAt.slice(11, 16),
  type: kind,
  comment: [description, count > 1 ? `(${count})` : ""].filter(Boolean).join(" "),
});

const toFailure = (error: unknown): Outcome => ({
  level: levels.failed,
  text: `Arcada could not be asked: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`,
});

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(ms, undefined, { signal: over.signal }).then(() => Promise.reject(new Error("no answer in time")));
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}

/**
 * Replaces the file in one step, so that the practice program never sees READY before the rest. If it holds the file
 * open, Windows refuses that: then the content is written first, and READY afterwards.
 */
async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const besides = `${path}.arcada~`;
  await writeFile(besides, bytes);
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      return await rename(besides, path);
    } catch {
      await sleep(50);
    }
  }
  await writeFile(path, Buffer.from(bytes).toString("latin1").replace("\r\nREADY=1\r\n", "\r\nREADY=0\r\n"), "latin1");
  await writeFile(path, bytes);
  await removeFile(besides);
}
