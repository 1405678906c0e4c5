import { DetailedError, Upload, defaultOptions } from "tus-js-client";
import type { HttpRequest, HttpResponse, PreviousUpload } from "tus-js-client";
import { getText } from "../../i18n/texts.ts";
import type { UploadSession } from "./upload-authentication.ts";

export interface RunningUpload {
  /** Ends the upload; `takeBack` also deletes the data that the server already has. */
  stop(deleteData: boolean): void;
}
interface UploadHandlers {
  progress: (sent: number) => void;
  done: (id: string) => void;
  /** `signedOut`: the file is valid, but nobody is signed in. */
  refused: (problem: string, signedOut: boolean) => void;
}

// A restart of the server takes seconds, a lost network minutes: together some ten minutes without a byte are
// tolerated. In ms.
const retryDelays = [0, 1000, 2000, 5000, 10_000, ...Array.from({ length: 30 }, () => 20_000)];
/** A connection without data for this time (ms) is dead, whatever the network reports. */
const stalledMs = 30_000;

/** Sends one file by tus and resumes an earlier attempt with the same file, also after a reload. */
export function startUpload(file: File, session: UploadSession, handlers: UploadHandlers): RunningUpload {
  const watch = watchConnection(() => upload);
  const upload: Upload = new Upload(file, {
    endpoint: "/uploads",
    metadata: { filename: file.name },
    retryDelays: retryDelays,
    removeFingerprintOnSuccess: true,
    onUploadUrlAvailable: () => void uploadsOfThisPage.add(upload.url ?? ""),
    onBeforeRequest: (request) => {
      watch.alive();
      addHeaders(request, session);
    },
    onAfterResponse: (request, response) => {
      watch.alive();
      session.answered(response.getHeader("new-token") ?? undefined, request.getHeader("token"));
      rejectUnknownOffset(request, response);
    },
    onShouldRetry: (error) => isTemporaryStatus(getStatus(error)),
    onProgress: (sent) => {
      watch.alive();
      handlers.progress(sent);
    },
    onSuccess: () => {
      watch.end();
      handlers.done(getUploadId(upload.url ?? ""));
    },
    onError: (error) => {
      if (!watch.end()) return;
      handlers.refused(readProblem(error), error instanceof DetailedError && getStatus(error) === 401);
    },
  });
  void startOrResume(upload, file, watch.isOver);
  return {
    stop(deleteData) {
      watch.end();
      void upload.abort(deleteData).catch(() => {});
    },
  };
}

/** Restarts a request if the connection died silently, and immediately when the network is back. */
function watchConnection(of: () => Upload) {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = () => {
    const upload = of();
    void upload.abort(false).then(() => isOver || upload.start());
  };
  const alive = () => {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(restart, stalledMs);
  };
  // Without an address there is no request yet that the lost network could have delayed.
  const onOnline = () => of().url && restart();
  addEventListener("online", onOnline);
  return {
    alive,
    isOver: () => isOver,
    /** Returns false if it was over already. */
    end(): boolean {
      const wasOver = isOver;
      isOver = true;
      clearTimeout(timer);
      removeEventListener("online", onOnline);
      return !wasOver;
    },
  };
}

/** Uploads of this page are not interrupted: they run or wait in a queue. */
const uploadsOfThisPage = new Set<string>();

/** Returns the uploads of this browser that an earlier page started and did not finish. */
export async function interruptedUploads(): Promise<PreviousUpload[]> {
  const known = await defaultOptions.urlStorage.findAllUploads();
  const oldestKept = Date.now() - keptDays * 86_400_000;
  return known.filter(
    (upload) =>
      Date.parse(upload.creationTime) > oldestKept && upload.uploadUrl && !uploadsOfThisPage.has(upload.uploadUrl),
  );
}
// The number of days for which the server keeps unfinished uploads.
const keptDays = 7;

export async function forgetInterrupted(uploads: readonly PreviousUpload[]): Promise<void> {
  for (const { urlStorageKey } of uploads) await defaultOptions.urlStorage.removeUpload(urlStorageKey);
}

/** Deletes arrived files from the server that are not wanted. Files that nobody deletes expire after a week. */
export async function deleteUploads(ids: readonly string[], session: UploadSession): Promise<void> {
  for (const id of ids)
    await fetch(`/uploads/${id}`, {
      method: "DELETE",
      headers: { ...session.headers(), "tus-resumable": "1.0.0" },
    }).catch(() => {});
}

async function startOrResume(upload: Upload, file: File, isOver: () => boolean): Promise<void> {
  const fingerprint = await computeFingerprint(file);
  upload.options.fingerprint = () => Promise.resolve(fingerprint);
  const [earlier] = await upload.findPreviousUploads().catch(() => []);
  if (isOver()) return;
  if (earlier) upload.resumeFromPreviousUpload(earlier);
  upload.start();
}

/** Returns the path of the file in the folder that was chosen or dropped, or its name if it was chosen alone. */
export const getFilePath = (file: File & { path?: string }): string =>
  file.webkitRelativePath || (file.path ?? "").replace(/^\.?\//, "") || file.name;

/**
 * A disc has the same name in every folder, and its files often have the same size and the same second. Their first and
 * last bytes, where DICOM keeps its identifiers, distinguish them. Two files with one fingerprint would be mixed on the
 * server.
 */
async function computeFingerprint(file: File): Promise<string> {
  const ends = await Promise.all(
    [file.slice(0, sampleBytes), file.slice(-sampleBytes)].map((part) => part.arrayBuffer()),
  ).catch(() => []);
  return ["arcada", getFilePath(file), file.size, file.lastModified, ...ends.map(computeChecksum)].join("-");
}
const sampleBytes = 4096;

/** FNV-1a, 32 bits. */
function computeChecksum(bytes: ArrayBuffer): string {
  let sum = 0x811c9dc5;
  for (const byte of new Uint8Array(bytes)) sum = Math.imul(sum ^ byte, 0x01000193);
  return (sum >>> 0).toString(16);
}

function addHeaders(request: HttpRequest, session: UploadSession): void {
  for (const [name, value] of Object.entries(session.headers())) request.setHeader(name, value);
}

/** The server could not return the offset of an upload. That is no reason to restart it, as the library would. */
class OffsetUnknownError extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`how far: ${status}`);
    this.status = status;
  }
}
function rejectUnknownOffset(request: HttpRequest, response: HttpResponse): void {
  const status = response.getStatus();
  const isGone = [403, 404, 410].includes(status);
  if (request.getMethod() === "HEAD" && status >= 400 && !isGone) throw new OffsetUnknownError(status);
}

const getStatus = ({ originalResponse, causingError }: DetailedError): number =>
  originalResponse?.getStatus() ?? (causingError instanceof OffsetUnknownError ? causingError.status : 0);
/** True for temporary errors: no network, or a server that restarts or is busy. Every other status is a rejection. */
const isTemporaryStatus = (status: number): boolean =>
  status === 0 || [409, 423, 429, 500, 502, 503, 504].includes(status);

const getUploadId = (url: string): string => url.split("?")[0]!.split("/").at(-1) ?? "";

function readProblem(error: Error | DetailedError): string {
  const body = error instanceof DetailedError ? error.originalResponse?.getBody() : undefined;
  if (!body) return getText("common.network");
  try {
    const { msg } = JSON.parse(body) as { msg?: unknown };
    return typeof msg === "string" && msg ? msg : getText("common.error");
  } catch {
    return getText("common.network");
  }
}
