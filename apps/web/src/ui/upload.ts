import { DetailedError, Upload, defaultOptions } from "tus-js-client";
import type { HttpRequest, HttpResponse, PreviousUpload } from "tus-js-client";
import { say } from "../kernel/texts.ts";
import type { UploadSession } from "./upload-session.ts";

export interface RunningUpload {
  /** Ends sending; `takeBack` also removes what the server has of it. */
  stop(takeBack: boolean): void;
}
interface Hearing {
  progress: (sent: number) => void;
  done: (id: string) => void;
  refused: (problem: string) => void;
}

// A restart of the server takes seconds, a lost network minutes: together some ten minutes without a byte are waited out.
const delays = [0, 1000, 2000, 5000, 10_000, ...Array.from({ length: 30 }, () => 20_000)];

/** Sends one file by tus and goes on where an earlier attempt with the same file ended, also after a reload. */
export function startUpload(file: File, session: UploadSession, hearing: Hearing): RunningUpload {
  let stopped = false;
  const upload = new Upload(file, {
    endpoint: "/uploads",
    metadata: { filename: file.name },
    retryDelays: delays,
    removeFingerprintOnSuccess: true,
    onBeforeRequest: (request) => addHeaders(request, session),
    onAfterResponse: (request, response) => {
      session.answered(response.getHeader("new-token") ?? undefined, request.getHeader("token"));
      holdOn(request, response);
    },
    onShouldRetry: (error) => mayPass(statusOf(error)),
    onProgress: (sent) => hearing.progress(sent),
    onSuccess: () => hearing.done(idOf(upload.url ?? "")),
    onError: (error) => {
      if (!stopped) hearing.refused(problemOf(error));
    },
  });
  void begin(upload, () => stopped);
  return {
    stop(takeBack) {
      stopped = true;
      void upload.abort(takeBack).catch(() => {});
    },
  };
}

/** Uploads of this browser that were begun and not ended. */
export async function interruptedUploads(): Promise<PreviousUpload[]> {
  const known = await defaultOptions.urlStorage.findAllUploads();
  const kept = Date.now() - keptDays * 86_400_000;
  return known.filter((upload) => Date.parse(upload.creationTime) > kept && upload.uploadUrl);
}
// The server keeps what was begun for so long.
const keptDays = 7;

export async function forgetInterrupted(uploads: readonly PreviousUpload[]): Promise<void> {
  for (const { urlStorageKey } of uploads) await defaultOptions.urlStorage.removeUpload(urlStorageKey);
}

async function begin(upload: Upload, isStopped: () => boolean): Promise<void> {
  const [earlier] = await upload.findPreviousUploads().catch(() => []);
  if (isStopped()) return;
  if (earlier) upload.resumeFromPreviousUpload(earlier);
  upload.start();
}

function addHeaders(request: HttpRequest, session: UploadSession): void {
  for (const [name, value] of Object.entries(session.headers())) request.setHeader(name, value);
}

/** The server could not say how far an upload is: that is no reason to begin anew, as the library would. */
class NotAsked extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`how far: ${status}`);
    this.status = status;
  }
}
function holdOn(request: HttpRequest, response: HttpResponse): void {
  const status = response.getStatus();
  const isGone = [403, 404, 410].includes(status);
  if (request.getMethod() === "HEAD" && status >= 400 && !isGone) throw new NotAsked(status);
}

const statusOf = ({ originalResponse, causingError }: DetailedError): number =>
  originalResponse?.getStatus() ?? (causingError instanceof NotAsked ? causingError.status : 0);
/** A network that is away, a server that restarts or is busy; every other answer is a refusal. */
const mayPass = (status: number): boolean => status === 0 || [409, 423, 429, 500, 502, 503, 504].includes(status);

const idOf = (url: string): string => url.split("?")[0]!.split("/").at(-1) ?? "";

function problemOf(error: Error | DetailedError): string {
  const body = error instanceof DetailedError ? error.originalResponse?.getBody() : undefined;
  if (!body) return say("common.network");
  try {
    const { msg } = JSON.parse(body) as { msg?: unknown };
    return typeof msg === "string" && msg ? msg : say("common.error");
  } catch {
    return say("common.network");
  }
}
