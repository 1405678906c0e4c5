import type { FoundCase } from "@arcada/exchange/scan-folder/read-cases";
import type { WorkMapping } from "@arcada/exchange/lab-case/work-mapping";
import { getFilePath } from "../../ui/upload/resumable-upload.ts";
import type { CaseAnswer, CaseRequest } from "./read-dropped-case.worker.ts";
import type { ArchiveProblem } from "./unpack-archives.ts";

export type DropProblem = ArchiveProblem | "tooSlow";

/** Reading a project lasts milliseconds; unpacking large scans lasts longer. In ms. */
const limits = { read: 60_000, unpack: 600_000 } as const;

/**
 * Reads dropped files in a worker, which is ended when it takes too long: a file that was made to keep a reader busy
 * cannot freeze the page.
 */
export class DroppedCaseReader {
  readonly #worker = new Worker(new URL("./read-dropped-case.worker.ts", import.meta.url), { type: "module" });

  async read(
    files: readonly File[],
    mapping: WorkMapping,
    prefersChinese: boolean,
  ): Promise<{ cases: FoundCase[] } | { problem: DropProblem }> {
    const listed = files.map((file) => ({ path: trimStart(getFilePath(file)), file }));
    const answer = await this.#ask({ ask: "read", files: listed, mapping, prefersChinese });
    return "cases" in answer ? answer : { problem: "problem" in answer ? answer.problem : "damaged" };
  }

  /** Returns the files at these paths, unpacked. */
  async unpack(
    paths: readonly string[],
  ): Promise<{ files: { path: string; file: File }[] } | { problem: DropProblem }> {
    const answer = await this.#ask({ ask: "unpack", paths: [...paths] });
    return "files" in answer ? answer : { problem: "problem" in answer ? answer.problem : "damaged" };
  }

  end(): void {
    this.#worker.terminate();
  }

  #ask(request: CaseRequest): Promise<CaseAnswer | { problem: DropProblem }> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.end();
        resolve({ problem: "tooSlow" });
      }, limits[request.ask]);
      const settle = (answer: CaseAnswer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      this.#worker.onmessage = ({ data }: MessageEvent<CaseAnswer>) => settle(data);
      this.#worker.onerror = () => settle({ problem: "damaged" });
      this.#worker.postMessage(request);
    });
  }
}

/** Dropped folders give paths that begin with "/" or "./". */
const trimStart = (path: string): string => path.replace(/^\.?\//, "");

/** True if these files may be a case: an archive, or a project among them. */
export const mayBeCase = (files: readonly File[]): boolean =>
  files.some((file) => /\.(zip|dentalproject)$/i.test(file.name) || isOrderXml(trimStart(getFilePath(file))));

function isOrderXml(path: string): boolean {
  const [folder, name] = path.toLowerCase().split("/").slice(-2);
  return name !== undefined && name === `${folder}.xml`;
}
