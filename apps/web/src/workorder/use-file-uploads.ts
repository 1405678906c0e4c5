import { useEffect, useRef, useState } from "react";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { Workorder } from "@arcada/contract/workorder/workorder.schema";
import type { WorkorderFileRole } from "@arcada/contract/workorder/workorder.rules";
import { ask } from "../data/ask.ts";
import { notifyCommandSuccess } from "../data/command-success-and-ended-records.ts";
import { RefusalError } from "../data/call-errors.ts";
import { showError } from "../data/show-error.ts";
import { createUniqueKey } from "../browser/unique-id.ts";
import { uploadFile } from "./upload-file.ts";

/** A file that this page is uploading. */
export interface FileUpload {
  key: string;
  role: WorkorderFileRole;
  file: File;
  /** The id of its row on the server, once known. */
  id: string | null;
  share: number;
  isBroken: boolean;
}

/** The uploads of files to an order: start, resume after an interruption, cancel. Leaving the page interrupts them. */
export function useFileUploads({ id: order, files }: Pick<Workorder, "id" | "files">) {
  const [uploads, setUploads] = useState<FileUpload[]>([]);
  const controllers = useRef(new Map<string, AbortController>());
  const change = (key: string, more: Partial<FileUpload>) =>
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...more } : one)));
  const removeUpload = (key: string) => {
    controllers.current.delete(key);
    setUploads((all) => all.filter((one) => one.key !== key));
  };
  useEffect(() => {
    const all = controllers.current;
    return () => all.forEach((controller) => controller.abort());
  }, []);

  const run = async (one: FileUpload) => {
    const { key, role, file } = one;
    const controller = new AbortController();
    controllers.current.set(key, controller);
    change(key, { isBroken: false });
    const known = files.find(matchesUpload(one));
    try {
      await uploadFile({
        order,
        role,
        file,
        existing: known,
        signal: controller.signal,
        onCreated: (made) => change(key, { id: made }),
        onProgress: (share) => change(key, { share }),
      });
      notifyCommandSuccess(workorderCalls.addFile);
      removeUpload(key);
    } catch (error) {
      if (controller.signal.aborted) return;
      if (!(error instanceof RefusalError)) return change(key, { isBroken: true });
      showError(error);
      notifyCommandSuccess(workorderCalls.addFile);
      removeUpload(key);
    }
  };
  const add = async (role: WorkorderFileRole, chosen: readonly File[]) => {
    const made = chosen.map((file): FileUpload => ({
      key: createUniqueKey(),
      role,
      file,
      id: null,
      share: 0,
      isBroken: false,
    }));
    setUploads((all) => [...all, ...made]);
    // One after the other, because a phone's connection is too slow for ten at once.
    for (const one of made) await run(one);
  };
  const cancel = async (one: FileUpload) => {
    controllers.current.get(one.key)?.abort();
    removeUpload(one.key);
    if (!one.id) return;
    await ask(workorderCalls.removeFile, { id: order, fileId: one.id }).catch(() => undefined);
    notifyCommandSuccess(workorderCalls.removeFile);
  };
  useOnOnline(async () => {
    for (const one of uploads.filter(({ isBroken }) => isBroken)) await run(one);
  });
  return { going: uploads, add, cancel, goOn: (one: FileUpload) => void run(one) };
}

/** Finds a file's row: by its id, else one that expects the same bytes. */
const matchesUpload =
  ({ id, role, file }: FileUpload) =>
  (one: Workorder["files"][number]): boolean =>
    id
      ? one.id === id
      : !one.isHere && one.mayRemove && one.name === file.name && one.bytes === file.size && one.role === role;

/** Resumes automatically when the device is online again. */
function useOnOnline(resume: () => Promise<void>): void {
  useEffect(() => {
    const handleOnline = () => void resume();
    addEventListener("online", handleOnline);
    return () => removeEventListener("online", handleOnline);
  });
}
