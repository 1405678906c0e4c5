import type { Annotation } from "@arcada/contract/study/annotation";
import { annotationCalls } from "@arcada/contract/study/annotation.calls";
import { send } from "../../../data/ask.ts";
import { RefusalError } from "../../../data/call-errors.ts";

/** `newer`: another user has saved in the meantime; `lost`: saving failed. */
export type AnnotationSaveState = "saved" | "saving" | "lost" | "newer";

const saveDelayMs = 700;

/** Those that are open, or still save. */
const savers = new Set<AnnotationSaver>();

/** Saves at once what this page has not saved yet. Returns false if some of it could not be saved. */
export async function saveAllAnnotations(): Promise<boolean> {
  const results = await Promise.all([...savers].map((saver) => saver.saveNow()));
  return results.every(Boolean);
}

/** Saves one version after the other, always the latest; a pending one is sent at once when the page is left. */
export class AnnotationSaver {
  private version: number;
  private pending: readonly Annotation[] | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private saving: Promise<void> | null = null;
  private hasFailed = false;
  private isClosed = false;
  private readonly studyId: string;
  private readonly report: (state: AnnotationSaveState) => void;

  constructor(studyId: string, version: number, report: (state: AnnotationSaveState) => void) {
    this.studyId = studyId;
    this.version = version;
    this.report = (state) => this.isClosed || report(state);
    savers.add(this);
  }

  /** Null while a change waits or is on its way. */
  get savedVersion(): number | null {
    return this.pending || this.saving ? null : this.version;
  }

  schedule(annotations: readonly Annotation[]): void {
    this.pending = annotations;
    this.report("saving");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), saveDelayMs);
  }

  /** Returns true if everything is saved. What failed earlier is not tried again: its user has been told. */
  async saveNow(): Promise<boolean> {
    await this.saving;
    clearTimeout(this.timer);
    await this.save();
    return !this.hasFailed && this.savedVersion !== null;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    void this.save().then(() => savers.delete(this));
  }

  private save(): Promise<void> {
    if (this.pending && !this.saving) this.saving = this.saveVersion(this.pending);
    return this.saving ?? Promise.resolve();
  }

  private async saveVersion(annotations: readonly Annotation[]): Promise<void> {
    this.pending = null;
    try {
      ({ version: this.version } = await send(annotationCalls.saveMarks, {
        id: this.studyId,
        version: this.version,
        marks: [...annotations],
      }));
      this.hasFailed = false;
      if (!this.pending) this.report("saved");
    } catch (error) {
      this.hasFailed = true;
      this.report(error instanceof RefusalError && error.status === 409 ? "newer" : "lost");
    }
    this.saving = null;
    if (this.isClosed) await this.save();
    else if (this.pending) this.schedule(this.pending);
  }
}
